"""K-means under constraints: COP-KMeans, PCKMeans, MPCKMeans and HMRF-KMeans."""
