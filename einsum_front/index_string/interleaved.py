"""The other form of a call, `einsum(A, [0, 1], B, [1, 2], [0, 2])`, as an index string of words.

    "0 1, 1 2 -> 0 2"

So everything behind it, errors included, knows strings only. Labels are NumPy's integers, and whatever opt_einsum
takes: what can be hashed, and sorted where no list says what the result has.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from einsum_front.core.diagnostics import CompileError, Diagnostic

Labels = tuple[Any, ...]

NOTE = "`einsum(A, [0, 1], B, [1, 2], [0, 2])` has a list of labels after each operand, and one for the result"


def as_string(subscripts: object, operands: Sequence[object]) -> tuple[str, Sequence[Any]]:
    """The index string of a call and its operands, whichever form it has; raises `CompileError` if it has neither."""
    if isinstance(subscripts, str):
        return str(subscripts), operands
    if not operands or not _is_list(operands[0]):
        raise CompileError([_no_string(subscripts, operands)])
    given = subscripts, *operands
    lists: list[Any] = [*given[1::2], *([given[-1]] if len(given) % 2 else [])]
    wrong = next((each for each in lists if not _is_list(each)), None)
    if wrong is not None:
        message = f"a list of labels is of type {type(wrong).__name__}, expected a list or a tuple"
        raise CompileError([Diagnostic("E0520", message, notes=(NOTE,))])
    labels: list[Labels] = [tuple(each) for each in lists]
    output = labels.pop() if len(given) % 2 else None
    try:
        text = _text(tuple(labels), output)
    except TypeError:
        raise CompileError([_strange(labels, output)]) from None
    return text, given[: len(labels) * 2 : 2]


def _is_list(value: object) -> bool:
    """True for what NumPy and opt_einsum take as a list of labels, and nobody as an operand."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu"
    return isinstance(value, list | tuple | range) or (isinstance(value, str) and value.isalpha())


@lru_cache(maxsize=4096)
def _text(terms: tuple[Labels, ...], output: Labels | None) -> str:
    """Raises `TypeError` for labels that cannot be hashed, or not sorted where that is needed."""
    found = [label for term in terms for label in term if label is not Ellipsis]
    if output is None:
        once = [label for label, times in Counter(found).items() if times == 1]
        hidden = (Ellipsis,) if any(Ellipsis in term for term in terms) else ()
        output = (*hidden, *sorted(once))
    every = dict.fromkeys([*found, *(label for label in output if label is not Ellipsis)])
    words = dict(zip(every, _words(list(every)), strict=True))
    written = [" ".join("..." if each is Ellipsis else words[each] for each in term) for term in (*terms, output)]
    return f"{', '.join(written[:-1])} -> {written[-1]}"


def _words(labels: list[Any]) -> list[str]:
    """A word for each label: itself if all are integers or names, else a number.

    Something in the string must say that it has words: names of letters alone get a `_`.
    """
    numbers = [int(each) for each in labels if isinstance(each, int | np.integer) and each >= 0]
    if len(numbers) == len(labels):
        return [str(number) for number in numbers]
    if not all(isinstance(each, str) and each.isidentifier() for each in labels):
        return [str(number) for _, number in zip(labels, count(), strict=False)]
    is_plain = all(len(each) == 1 for each in labels) or any(_is_no_letters(each) for each in labels)
    words = [each if is_plain or len(each) == 1 else f"{each}_" for each in labels]
    return words if len(set(words)) == len(words) else [str(number) for number in range(len(labels))]


def _is_no_letters(word: str) -> bool:
    return any(each == "_" or (each.isascii() and each.isdigit()) for each in word)


def _no_string(subscripts: object, operands: Sequence[object]) -> Diagnostic:
    found = f"the index string is of type {type(subscripts).__name__}, expected str"
    is_array = isinstance(subscripts, np.ndarray | list)
    if is_array and any(isinstance(each, str) for each in operands):
        return Diagnostic("E0520", found, notes=('the index string comes first: `einsum("ij->i", A)`',))
    return Diagnostic("E0520", found, notes=(NOTE,) if is_array else ())


def _strange(labels: Sequence[Labels], output: Labels | None) -> Diagnostic:
    for label in (each for term in (*labels, output or ()) for each in term):
        try:
            hash(label)
        except TypeError:
            message = (
                f"a label is of type {type(label).__name__}, expected an integer, a text, or another hashable value"
            )
            return Diagnostic(
                "E0520", message, notes=("`...` without quotes, which is `Ellipsis`, stands for any modes",)
            )
    message = "labels of several kinds have no order, which the result has where no list says it"
    return Diagnostic("E0520", message, notes=(NOTE,))
