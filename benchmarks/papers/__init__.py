"""One folder a paper: what it reports, what we measure, and both kept side by side."""
