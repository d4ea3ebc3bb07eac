"""Y. Pei, *Learning with Partial Supervision for Clustering and Classification*, chapter 2: bag constraints."""
