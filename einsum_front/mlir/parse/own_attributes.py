"""Attributes of our own: one that is spelled wrong would change what a kernel does, and nobody would hear of it."""

from collections.abc import Sequence
from difflib import get_close_matches

from einsum_front.core.diagnostics import Diagnostic, Label
from einsum_front.core.words import listed
from einsum_front.mlir.attributes import CONSTANT
from einsum_front.mlir.parse.operations import Mistake
from einsum_front.mlir.parse.syntax import Dictionary, Unit

PREFIX = "einsum_front."


def check_own(attributes: Dictionary, known: Sequence[str], owner: str) -> None:
    """Raises `Mistake` (E0806) for `einsum_front.name` that is none of those of its owner."""
    for name, attribute in attributes.items():
        if name == CONSTANT and not isinstance(attribute.value, Unit) and attribute.value is not True:
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
