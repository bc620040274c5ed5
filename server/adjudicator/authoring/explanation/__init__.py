"""Why one call gets its verdict, and what would have to change for another; nothing here prints."""
