"""C. Xiong, D. Johnson, J. Corso, *Active Clustering with Model-Based Uncertainty Reduction*, 2014: Fig. 4 to 8."""
