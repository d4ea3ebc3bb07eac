"""The expected change of constrained single linkage."""
