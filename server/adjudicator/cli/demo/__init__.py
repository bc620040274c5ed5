"""The demonstration: a real sidecar, an agent that acts, people who decide, the disk as witness."""
