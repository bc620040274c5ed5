"""What every kind of pattern raises when its text is refused."""


class PatternError(ValueError):
    """A pattern that is refused. The text says what to write instead."""
