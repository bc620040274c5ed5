"""Casbin models and rows, read strictly and compiled to an index. Knows nothing of bundles and tools."""
