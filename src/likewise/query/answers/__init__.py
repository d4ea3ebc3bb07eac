"""What the answers say together: outvoted answers, exclusion by the number of clusters, quality."""
