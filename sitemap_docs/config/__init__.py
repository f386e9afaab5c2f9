"""Read everything that users can set: options, project files and front matter."""
