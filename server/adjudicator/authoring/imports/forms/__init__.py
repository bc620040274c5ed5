"""The forms in which agents' command lines keep their permission rules, read into rules of one shape."""
