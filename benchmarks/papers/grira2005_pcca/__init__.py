"""CA, PCCA and PCKMeans: well-categorised share against constraints."""
