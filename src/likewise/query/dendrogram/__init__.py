"""The default asker: cuts of a dendrogram, learned from the answers."""
