"""Words and numbers of the notation, for readers and for writers of texts."""

from difflib import get_close_matches
from math import isinf

from einsum_front.core.limits import LONGEST_NUMBER, MOST_WHOLE

KEYWORDS = ("use", "param", "real", "integer", "size", "tensor", "temp", "scalar", "kernel")
"""The words that begin a declaration or a kernel."""

WORDS = frozenset({*KEYWORDS, "for", "in", "sum"})
"""Words that are no names."""


def misspelt(word: str) -> str | None:
    """The word that begins a declaration or a kernel and is spelled much like this one."""
    near = get_close_matches(word, KEYWORDS, n=1, cutoff=0.75)
    return near[0] if near else None


def violated_limit(text: str) -> str | None:
    """What a number, spelled as in a text, exceeds."""
    if len(text) > LONGEST_NUMBER:
        return f"numbers have at most {LONGEST_NUMBER} characters"
    if text.isdigit():
        return "integers end at 2**64 - 1" if int(text) > MOST_WHOLE else None
    if isinf(float(text)):
        return "the largest f64 is about 1.8e308"
    mantissa = text.lower().partition("e")[0]
    return "the smallest f64 is about 4.9e-324" if float(text) == 0 and mantissa.strip("0.") else None
