"""Find the date of each page in the history of git."""
