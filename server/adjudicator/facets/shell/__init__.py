"""From a command line to facets: every command it runs, every file it names. Judges and runs nothing.

Two readings have to agree on a line before anything in it counts as known: `reader.py`, our own strict
reading of the shell's token rules, and `grammar.py`, tree-sitter's grammar. Where they differ, or one of
them does not understand, the line is opaque and Deny looks at all that could be read.
"""
