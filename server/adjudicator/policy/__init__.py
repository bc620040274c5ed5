"""From files to an immutable snapshot that answers what the chain asks. Reads files; judges no call."""
