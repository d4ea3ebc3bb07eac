"""Small pure subclusters of a very large collection."""
