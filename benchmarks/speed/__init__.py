"""Time, memory and score of the same run, as ratios."""
