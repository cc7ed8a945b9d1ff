"""Two ends of a line: downloads over `segue link`, and what Linux makes of the same."""
