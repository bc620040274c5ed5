"""From a call's arguments to the facets that rules judge. Knows no rule and opens no file."""
