"""Attributes of our own: one that is spelled wrong would change what a kernel does, and nobody would hear of it."""

from collections.abc import Sequence
from difflib import get_close_matches

from einsum_front.core.diagnostics import Diagnostic, Label
from einsum_front.core.runs import Runs
from einsum_front.core.words import listed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import BATCH, COMPLEX, CONSTANT, NO_BATCH, NONZEROS, RESULT, type_text
from einsum_front.mlir.parse.operations import Reading
from einsum_front.mlir.parse.scope import Mistake, wrong
from einsum_front.mlir.parse.syntax import Attribute, Dictionary, Integer, Numbers, Unit

PREFIX = "einsum_front."


def check_own(attributes: Dictionary, known: Sequence[str], owner: str) -> None:
    """Raises `Mistake` (E0806) for `einsum_front.name` that is none of those of its owner."""
    for name, attribute in attributes.items():
        if name in (CONSTANT, COMPLEX) and not isinstance(attribute.value, Unit) and attribute.value is not True:
            message = f"`{name}` has no value: it is there, or it is not"
            raise Mistake(Diagnostic("E0806", message, (Label(attribute.span),)))
        if not name.startswith(PREFIX) or name in known:
            continue
        words = [each.removeprefix(PREFIX) for each in known]
        near = get_close_matches(name.removeprefix(PREFIX), words, n=1)
        helps = (f"`{PREFIX}{near[0]}` is one",) if near else ()
        notes = () if near else (f"there are {listed([f'`{each}`' for each in known])}",)
        message = f"`{name}` is no attribute of {owner}"
        raise Mistake(Diagnostic("E0806", message, (Label(attribute.span),), notes, helps))


def runs_of(argument: mlir.Value, attribute: Attribute) -> Runs:
    """Starts and ends of runs, one behind the other."""
    values = attribute.value.values if isinstance(attribute.value, Numbers) else (-1,)
    edges = [int(each) for each in values]
    runs = tuple(zip(edges[::2], edges[1::2], strict=False))
    ends = (0, *(stop for _, stop in runs))
    if len(edges) % 2 or any(not end <= start < stop for end, (start, stop) in zip(ends, runs, strict=False)):
        message = f"`{NONZEROS}` of `%{argument.name}` has the starts and ends of runs, in ascending order"
        raise wrong("E0806", message, attribute.span)
    return runs


def has_parts(argument: mlir.Value, said: Dictionary) -> bool:
    """True for a tensor that has the parts of complex numbers."""
    if COMPLEX in said and (argument.shape[-1:] != (2,) or not argument.element.is_floating):
        message = f"`{COMPLEX}` is of a tensor of real numbers whose last mode has 2 positions"
        raise wrong("E0806", message, said[COMPLEX].span, f"`%{argument.name}` is `{type_text(argument.type)}`")
    return COMPLEX in said


def result_of(argument: mlir.Value, attribute: Attribute, count: int) -> int:
    """The number of a result."""
    match attribute.value:
        case Integer(value=number) if 0 <= number < count:
            return number
        case _:
            message = f"`{RESULT}` of `%{argument.name}` is the number of a result, of which there are {count}"
            raise wrong("E0806", message, attribute.span)


def batch_of(reading: Reading) -> str | None:
    """What a function says of its batch."""
    word = reading.text(BATCH)
    if word and word != NO_BATCH and not (word.isdecimal() and word.isascii() and len(word) < 3):
        raise reading.malformed(BATCH, f'the number of a mode such as "0", or "{NO_BATCH}"')
    return word or None
