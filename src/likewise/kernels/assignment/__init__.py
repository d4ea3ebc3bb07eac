"""Items to clusters: hard, soft, fuzzy, medoids and subclusters."""
