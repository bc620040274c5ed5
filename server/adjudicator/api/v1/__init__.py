"""Code generated from `proto/`; `make proto` makes it again."""
