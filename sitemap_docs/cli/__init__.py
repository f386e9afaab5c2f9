"""The commands. Each has its own module, which translates flags into values and results into text."""
