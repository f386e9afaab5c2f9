"""What users set: options, project files and front matter, read once."""
