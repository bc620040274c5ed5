"""A bundle drawn: who has which role, and what the rules let each of them do with each tool."""
