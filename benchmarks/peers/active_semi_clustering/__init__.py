"""PCKMeans and MPCKMeans beside those of the package active-semi-supervised-clustering."""
