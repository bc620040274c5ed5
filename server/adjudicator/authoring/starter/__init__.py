"""A first bundle to grow from: small and complete, with tests of every step."""
