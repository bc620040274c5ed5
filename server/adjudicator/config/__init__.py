"""Settings, limits and the layout of the data folder, each named once. Reads no environment."""
