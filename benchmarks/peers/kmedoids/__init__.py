"""kmedoids.fasterpam beside our KMedoids."""
