"""Pairs and triplets in one model (Pei et al. 2016; 002 ch. 3)."""
