"""The command line, a file for each group of commands. It speaks gRPC and never touches the store."""
