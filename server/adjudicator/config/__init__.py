"""Settings and limits, each named once. Reads no environment and no file of its own."""
