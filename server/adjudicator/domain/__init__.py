"""Values, ids, clock and errors. Imports nothing of ours; knows no files, sockets or databases."""
