"""Arguments of declarations in Python: names, index lists, layouts, types and values, as nodes of the notation."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source
from einsum_front.dsl_expressions import Entries, Expression, literal
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse_positions
from einsum_front.notation.references import references
from einsum_front.notation.words import WORDS

Positions = str | int | Entries | tuple[str | int | Entries, ...]
"""`"kp"`, `"k,p"`, `"k=0:20,p"` or in pieces: `("k=0:20", 3)`."""

Array = NDArray[np.generic]

OWN_WORDS = {
    "complex64": "c64",
    "complex128": "c128",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    **{f"{kind}int{bits}": f"{kind or 'i'}{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)},
}
"""The notation's words for types, by NumPy's."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

Extent = int | Expression
"""The extent of a mode: a number, or a sum of products of sizes and numbers."""


def named(name: object) -> str:
    """The name, if it is one of the notation; raises `CompileError` if not, since it has no place in a text yet."""
    if isinstance(name, str) and NAME.fullmatch(name) and name not in WORDS:
        return name
    notes = (
        "a name has letters a to z and A to Z, digits and `_`, starts with a letter, and is no word of the notation",
    )
    raise CompileError([Diagnostic("E0234", f"{name!r} is no name of a tensor, scalar, size or kernel", notes=notes)])


def has_order(extents: object) -> bool:
    """True for what gives extents one after the other; sets have no order."""
    return isinstance(extents, Iterable) and not isinstance(extents, Set | Mapping)


def literals(numbers: Iterable[int]) -> tuple[syntax.Expression, ...]:
    """The nodes of numbers."""
    return tuple(literal(number) for number in numbers)


def index_list(positions: Positions) -> tuple[syntax.Position, ...]:
    """The positions of an index list; raises `CompileError` where a position is computed with a name (E0233)."""
    if isinstance(positions, Entries):
        return (syntax.FixedIndex(positions.node),)
    if isinstance(positions, tuple) and any(isinstance(each, Entries) for each in positions):
        several = (index_list(each if isinstance(each, Entries) else (each,)) for each in positions)
        return tuple(position for each in several for position in each)
    text = positions if isinstance(positions, str) else _joined(positions)
    parsed = parse_positions(Source("<index list>", f"[{text}]"))
    names = [name for position in parsed for part in _numbers(position) for name in references(part)]
    if names:
        raise CompileError(map(_no_position, names))
    return parsed


def _numbers(position: syntax.Position) -> tuple[syntax.Expression, ...]:
    """Numbers in a position: itself, or the bounds of a slice."""
    if isinstance(position, syntax.FixedIndex):
        return (position.position,)
    return () if position.within is None else (position.within.start, position.within.stop)


def _no_position(reference: syntax.Reference) -> Diagnostic:
    """Formulas have no params, so a name in `k-p` or `k=0:n` can stand for nothing."""
    labels = tuple(Label(span, "") for span in reference.origin[:1])
    notes = ("indices stand side by side or between commas, `kp` or `k,p`; positions and bounds are numbers of Python",)
    return Diagnostic("E0233", f"`{reference.name}` is no number, and a position is computed with it", labels, notes)


def _joined(pieces: int | tuple[str | int | Entries, ...]) -> str:
    """The pieces as one index list, in which each name is one index."""
    several = pieces if isinstance(pieces, tuple) else (pieces,)
    for piece in several:
        if type(piece) is bool or not isinstance(piece, str | int | np.integer):
            raise TypeError(f"an index list has strings and integers, such as 'k', 'k=0:3' and 2, not {piece!r}")
    return "".join(f"{piece}," for piece in several)


def storage_attributes(storage: str) -> tuple[syntax.Attribute, ...]:
    """None for `batched` and `temp`, which declarations say without one; raises `ValueError` for other words."""
    if storage not in {"batched", "grouped", "constant", "shared", "temp"}:
        raise ValueError(f"storage is `batched`, `grouped`, `constant`, `shared` or `temp`, not {storage!r}")
    return () if storage in {"batched", "temp"} else (syntax.Attribute(storage),)


def layout_attributes(layout: str | Sequence[int] | None) -> tuple[syntax.Attribute, ...]:
    """None where kernels take arrays as they lie; raises `ValueError` for other words than those of layouts."""
    match layout:
        case None:
            return ()
        case "column_major" | "row_major":
            return (syntax.Attribute(layout),)
        case str():
            raise ValueError(f"layout is `column_major`, `row_major` or the strides, not {layout!r}")
        case _:  # open: numbers, of any sequence
            return (syntax.Attribute("strided", syntax.Numbers(literals(layout))),)


def batch_attributes(after: int | None) -> tuple[syntax.Attribute, ...]:
    """The number of modes that vary faster than the batch, if it is given."""
    return () if after is None else (syntax.Attribute("batch_after", syntax.Numbers(literals((after,)))),)


def type_attributes(dtype: object) -> tuple[syntax.Attribute, ...]:
    """The word for a type of NumPy, or for its name; any other word is the checker's to refuse.

    Python's `complex` has parts of the type of the program.
    """
    if dtype is None:
        return ()
    if dtype is complex:
        return (syntax.Attribute("complex"),)
    word = dtype if isinstance(dtype, str) else np.dtype(cast(Any, dtype)).name
    return (syntax.Attribute(OWN_WORDS.get(word, word)),)


def nonzeros_argument(
    name: str, shape: Sequence[Extent], nonzeros: Array | Sequence[tuple[int, ...]] | str | Path
) -> syntax.File | syntax.Places:
    """A file, or the positions of a list or a mask; raises `CompileError` for a mask of another shape (E0218)."""
    if isinstance(nonzeros, str | Path):
        return syntax.File(str(nonzeros))
    if not isinstance(nonzeros, np.ndarray):
        return syntax.Places(tuple(syntax.Place(literals(position)) for position in nonzeros))
    _check_shape("mask", name, shape, nonzeros)
    return syntax.Places(tuple(syntax.Place(literals(position)) for position in np.argwhere(nonzeros).tolist()))


def values_argument(name: str, shape: Sequence[Extent], values: Array | str | Path) -> syntax.File | syntax.Numbers:
    """A file, or the numbers in column-major order; raises `CompileError` for another shape (E0218)."""
    if isinstance(values, str | Path):
        return syntax.File(str(values))
    array = np.asarray(values)
    _check_shape("array of values", name, shape, array)
    return syntax.Numbers(tuple(literal(value) for value in array.ravel(order="F").tolist()))


def _check_shape(what: str, name: str, shape: Sequence[Extent], array: Array) -> None:
    if array.shape != tuple(shape):
        message = f"the {what} has shape {array.shape} for `{name}`, which is declared with shape {tuple(shape)}"
        raise CompileError([Diagnostic("E0218", message)])
