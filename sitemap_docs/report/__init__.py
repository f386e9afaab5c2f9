"""Create the report: a single HTML page about the state of a whole site."""
