"""Active image clustering: the learning curves of 000, Fig. 5-7 (A. Biswas, 2014, ch. 3)."""
