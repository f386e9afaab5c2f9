"""What git knows of files: their commits, asked once and kept."""
