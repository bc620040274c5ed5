"""gRPC: listeners, authentication, one servicer to a service, conversion, the error table."""
