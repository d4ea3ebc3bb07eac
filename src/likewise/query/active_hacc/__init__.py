"""Active-HACC: the question with the largest expected change of the clusters."""
