"""K-means under constraints: COP-KMeans, PCKMeans and MPCKMeans; HMRF, a baseline."""
