"""Where in a bundle something is wrong, as people and editors read it."""


def place(file: str, line: int, column: int) -> str:
    """FILE:LINE:COLUMN, without the numbers that are 0."""
    return ":".join([file, *(str(number) for number in (line, column) if number)])
