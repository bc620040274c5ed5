"""What an author would want to know of a bundle that is good: one lint a file, one list that runs them."""
