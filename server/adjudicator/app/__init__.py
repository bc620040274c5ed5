"""The composition root: the only place that names concrete stores, keys and listeners."""
