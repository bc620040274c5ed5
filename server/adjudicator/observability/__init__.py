"""Logs. One record to a line, whatever is in it."""
