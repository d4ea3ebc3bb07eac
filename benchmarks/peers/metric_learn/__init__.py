"""The metric learners beside those of the package metric-learn."""
