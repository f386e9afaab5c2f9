"""A built folder as a web server shows it."""
