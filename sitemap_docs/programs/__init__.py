"""One module for each program that we follow: all that we know of it."""
