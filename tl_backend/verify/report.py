"""How the verifier says what is wrong: a diagnostic with labels where the nodes know their place."""

import re
from collections.abc import Iterable

from einsum_front.diagnostics import Diagnostic, Label, Origin
from einsum_front.tl_backend.instructions import (
    ArithBinary,
    ArithUnary,
    Compare,
    Instruction,
)


def mistake(
    code: str,
    message: str,
    place: Origin,
    text: str = "",
    *,
    also: Iterable[tuple[Origin, str]] = (),
    notes: tuple[str, ...] = (),
    helps: tuple[str, ...] = (),
) -> Diagnostic:
    """The diagnostic with `place` underlined and `also` beside it; no labels if the program was not read."""
    places = ((place, text), *also) if place else ()
    labels = tuple(Label(origin[0], words) for origin, words in places if origin)
    return Diagnostic(code, message, labels, notes, helps)


def mnemonic(instruction: Instruction) -> str:
    """The word that the instruction is written with: `gemm`, `lifetime_stop`, `arith.add`."""
    if isinstance(instruction, ArithBinary | ArithUnary):
        return f"arith.{instruction.operator.value}"
    if isinstance(instruction, Compare):
        return f"cmp.{instruction.condition.value}"
    return re.sub("(?<!^)(?=[A-Z])", "_", type(instruction).__name__).lower()


def count(number: int, noun: str) -> str:
    """`1 value`, `2 values`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
