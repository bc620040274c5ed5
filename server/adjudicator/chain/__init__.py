"""The decision: eight steps in a fixed order. Pure and synchronous; it reads no clock, file or store."""
