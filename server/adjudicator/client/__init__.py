"""A synchronous typed client, one class per plane. It speaks gRPC; it knows no terminal and no store."""
