"""Active subclustering: questions that make subclusters pure and complete."""
