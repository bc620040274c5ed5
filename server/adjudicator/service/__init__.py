"""What the product does, one use case to a file. Knows the layers below by their contracts."""
