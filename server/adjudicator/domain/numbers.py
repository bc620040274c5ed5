"""Which numbers a machine word does not hold, and so take time to compare. Changes no number."""

import math
from typing import Any

_WORD_BITS = 63


def digits_beyond_word(value: Any) -> int:
    """About how many decimal digits an integer beyond 64 bits has; 0 for any other value."""
    if not isinstance(value, int) or value.bit_length() <= _WORD_BITS:
        return 0
    return math.ceil(value.bit_length() * math.log10(2))


def count_slow_numbers(value: Any) -> int:
    """How many fractions and integers beyond 64 bits there are in any JSON value."""
    if isinstance(value, dict | list):
        return sum(map(count_slow_numbers, value.values() if isinstance(value, dict) else value))
    return int(isinstance(value, float) or digits_beyond_word(value) > 0)
