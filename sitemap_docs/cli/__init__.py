"""The commands, one a module: each translates flags into values and results into text."""
