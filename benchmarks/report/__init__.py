"""The page docs/benchmarks.md, made from every kept result."""
