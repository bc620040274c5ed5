"""What is recorded of a call: the seven elements of its trace. Writes nothing itself."""
