"""What a page is made of: its source files, and what they include, document or list."""
