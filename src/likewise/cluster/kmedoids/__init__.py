"""K-medoids under constraints: Fast-PAM, CLARANS and alternation."""
