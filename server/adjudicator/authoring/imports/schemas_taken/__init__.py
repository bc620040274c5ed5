"""JSON Schemas of others, made into contracts that the loader takes. What they accept is accepted there."""
