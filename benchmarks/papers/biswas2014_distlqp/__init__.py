"""Biswas 2014, chapter 2: COP-KMeans on distances learned by DistLQP."""
