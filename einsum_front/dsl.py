"""The notation in Python; it reads like YATeTo's.

    Q, I = ef.Tensor("Q", (56, 9)), ef.Tensor("I", (56, 9))
    K, A = ef.Tensor("K", (56, 56), storage="constant"), ef.Tensor("A", (9, 9))
    volume = ef.kernel("volume", Q["kp"] <= Q["kp"] + 2.0 * K["kl"] * I["lq"] * A["qp"])
    program = ef.program(volume)

The result is a program of the notation, as if its text had been parsed: places in errors point into that text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.words import counted, kind_of
from einsum_front.dsl_expressions import Declaration, Entries, Expression, Statement, literal
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse_positions
from einsum_front.notation.references import references
from einsum_front.notation.unparse import placed, unparse_item
from einsum_front.notation.words import WORDS
from einsum_front.options import Level
from einsum_front.parsed import Program

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


class Size(Expression):
    """A number that only the launch knows, in shapes: `n = Size("n", most=64)` and `Tensor("X", (2 * n + 1, 9))`.

    It is from `least` to `most`, both included; `hint` is an estimate, which decides between orders.
    """

    def __init__(
        self, name: str, *, least: int | None = None, most: int | None = None, hint: int | None = None
    ) -> None:
        numbers = [None if number is None else literal(number) for number in (least, most, hint)]
        node = syntax.Size(_named(name), numbers[0], numbers[1], numbers[2])
        super().__init__(syntax.Reference(name), (Declaration(node),))


Extent = int | Expression
"""The extent of a mode: a number, or a sum of products of sizes and numbers."""


class Tensor:
    """A declared tensor, or a family of them: `star = Tensor("star", (9, 9), members=3)` and `star(0)["qp"]`.

    `storage` is `batched`, `grouped`, `constant`, `shared` or `temp`; `layout` is `column_major`, `row_major` or the
    strides in elements, without it kernels take arrays as they lie. With `batch_after` the elements of the batch lie
    behind so many of the fastest modes: with 0 they are neighbours. Entries are stored in the type `dtype`, by NumPy's
    word or ours (`float32`, `f32`, `f16`, `bf16`), and computed with in the program's; `complex64`, `complex128` and
    `complex` are types of complex numbers. `nonzeros` is an array of the shape, a
    list of positions or a file; `values` is an array or a file. To an `atomic` one, elements add in any order where
    integers say.
    """

    @shown_without_types
    def __init__(  # noqa: PLR0913 - as many words as a declaration has
        self,
        name: str,
        shape: Sequence[Extent],
        storage: str = "batched",
        *,
        layout: str | Sequence[int] | None = None,
        batch_after: int | None = None,
        dtype: object = None,
        nonzeros: Array | Sequence[tuple[int, ...]] | str | Path | None = None,
        values: Array | str | Path | None = None,
        members: int | tuple[int, ...] = (),
        atomic: bool = False,
    ) -> None:
        if not _has_order(shape):
            raise TypeError(f"the shape of `{name}` is a tuple of extents such as (20, 9), not {shape!r}")
        shape = tuple(shape)
        attributes = (
            *_storage(storage),
            *_layout(layout),
            *_batch(batch_after),
            *_stored(dtype),
            *((syntax.Attribute("atomic"),) if atomic else ()),
            *(() if nonzeros is None else (syntax.Attribute("nonzeros", _nonzeros(name, shape, nonzeros)),)),
            *(() if values is None else (syntax.Attribute("values", _values(name, shape, values)),)),
        )
        family = (members,) if isinstance(members, int) else members
        extents = tuple(extent.node if isinstance(extent, Expression) else literal(extent) for extent in shape)
        node = syntax.Tensor(_named(name), _literals(family), extents, attributes, storage == "temp")
        sizes = (each for extent in shape if isinstance(extent, Expression) for each in extent.declared)
        self._declaration = Declaration(node, tuple(dict.fromkeys(sizes)))

    __iter__ = None  # or Python would ask for position after position, without an end

    def __call__(self, *members: int | Entries) -> "Member":
        """A member of a family; an entry of an integer tensor chooses one."""
        return Member(self._declaration, members)

    def __repr__(self) -> str:
        """As it is declared: `<tensor K[56, 56] constant>`, without the zeros and values that Python knows."""
        return _shown(self._declaration, ())

    def _is_bare(self, _other: object = None) -> NoReturn:
        name = self._declaration.node.name
        raise TypeError(f"`{name}` stands without its index list, as in {name}['ij']")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __le__ = __neg__ = _is_bare

    def __getitem__(self, positions: Positions) -> Entries:
        """The entries that an index list selects."""
        return Member(self._declaration, ())[positions]

    def __setitem__(self, positions: Positions, value: object) -> NoReturn:
        """Python's `=` and `+=` make no statement; raises `TypeError`."""
        _refuse_assignment(self._declaration)


@dataclass(frozen=True, slots=True)
class Member:
    """A tensor of a family; no numbers mean the only one."""

    declaration: Declaration
    numbers: tuple[int | Entries, ...]

    def __repr__(self) -> str:
        return _shown(self.declaration, self.numbers)

    def __getitem__(self, positions: Positions) -> Entries:
        """The entries that an index list selects; an entry of an integer tensor says a position."""
        members = tuple(each.node if isinstance(each, Entries) else literal(each) for each in self.numbers)
        pieces = positions if isinstance(positions, tuple) else (positions,)
        saying = [each for each in (*self.numbers, *pieces) if isinstance(each, Entries)]
        reference = syntax.Reference(self.declaration.node.name, members, _index_list(positions))
        return Entries(reference, self.declaration, *(each for said in saying for each in said.declared))

    def __setitem__(self, positions: Positions, value: object) -> NoReturn:
        """Python's `=` and `+=` make no statement; raises `TypeError`."""
        _refuse_assignment(self.declaration)


def _shown(declaration: Declaration, members: tuple[int | Entries, ...]) -> str:
    """The declaration, of a member if there are numbers of one, without the zeros and values that Python knows."""
    node = _without_facts(declaration.node)
    if isinstance(node, syntax.Tensor) and members:
        chosen = tuple(each.node if isinstance(each, Entries) else literal(each) for each in members)
        node = replace(node, members=chosen)
    return f"<{unparse_item(node)}>"


def _refuse_assignment(declaration: Declaration) -> NoReturn:
    name = declaration.node.name
    statements = f"`{name}[…] <= value` sets, `{name}[…].add(value)` and `{name}[…].subtract(value)` are `+=` and `-=`"
    raise TypeError(f"a statement is a value in Python: {statements}")


class Ones:
    """One at every position of some indices, `ones["b"]`: a factor that repeats a value along what it lacks."""

    def __repr__(self) -> str:
        return "<ones, as in ones['b']>"

    def __getitem__(self, positions: Positions) -> Expression:
        """The factor with these indices, whose extents the left-hand side or other factors say."""
        return Expression(syntax.Ones(_index_list(positions)))


ones = Ones()


class Scalar(Expression):
    """A scalar argument, or a family of them: `power = Scalar("power", members=6)` and `power(0)`.

    With `dtype=complex` it is a complex number.
    """

    def __init__(self, name: str, *, members: int | tuple[int, ...] = (), dtype: object = None) -> None:
        family = (members,) if isinstance(members, int) else members
        word = "".join(attribute.name for attribute in _stored(dtype))
        node = syntax.Scalar(_named(name), _literals(family), word)
        super().__init__(syntax.Reference(name), (Declaration(node),))
        self._name = name

    def __call__(self, *members: int) -> Expression:
        """A member of a family."""
        return Expression(syntax.Reference(self._name, _literals(members)), self.declared)


@dataclass(frozen=True, slots=True)
class Kernel:
    """Statements that run in order and become one launch."""

    name: str
    statements: tuple[Statement, ...]

    def __repr__(self) -> str:
        """`<kernel volume: Q[kp] = 2 * I[kp]>`; of several statements the first one."""
        rest = len(self.statements) - 1
        more = f" … and {counted(rest, 'more statement')}" if rest > 0 else ""
        return f"<kernel {self.name}: {', '.join(map(repr, self.statements[:1]))}{more}>"


def kernel(name: str, statements: Statement | Iterable[Statement]) -> Kernel:
    """A kernel of one statement or several."""
    several = tuple(statements) if isinstance(statements, Iterable) else (statements,)
    for each in several:
        if not isinstance(each, Statement):
            raise TypeError(f"a kernel has statements such as Q['kp'] <= I['kp'], not {kind_of(each)}")
    return Kernel(_named(name), several)


def program(*kernels: Kernel, real: str | None = None, integer: str | None = None) -> Program:
    """The program of some kernels and of all that they name.

    It computes with numbers of `real`, `f32` or `f64` (the default), or of `integer`, such as `i32`.
    """
    if real is not None and integer is not None:
        raise TypeError("a program computes with numbers of `real` or of `integer`, not of both")
    computed = syntax.Computed("real", real or "f64") if integer is None else syntax.Computed("integer", integer)
    for each in kernels:
        if not isinstance(each, Kernel):
            raise TypeError(f"a program has kernels, which `kernel` makes, not {kind_of(each)}")
    used = (declaration for k in kernels for statement in k.statements for declaration in statement.declared)
    needed = (each for declaration in dict.fromkeys(used) for each in (*declaration.needs, declaration))
    declared = dict.fromkeys(declaration.node for declaration in dict.fromkeys(needed))
    written = (syntax.Kernel(k.name, (), tuple(statement.node for statement in k.statements)) for k in kernels)
    return _placed(syntax.Program((computed, *declared, *written)))


def _placed(tree: syntax.Program) -> Program:
    """The program with places in its text; what Python knows about entries is no part of that text."""
    source, told = placed(syntax.Program(tuple(map(_without_facts, tree.items))), "<python>")
    return Program(source, Level.EIN, Path(), syntax.Program(tuple(map(_with_facts, told.items, tree.items))))


def _without_facts(item: syntax.Item) -> syntax.Item:
    if not isinstance(item, syntax.Tensor):
        return item
    return replace(item, attributes=tuple(a for a in item.attributes if a.name not in {"nonzeros", "values"}))


def _with_facts(placed: syntax.Item, original: syntax.Item) -> syntax.Item:
    if not (isinstance(placed, syntax.Tensor) and isinstance(original, syntax.Tensor)):
        return placed
    return replace(placed, attributes=tuple(_at(placed, attribute) for attribute in original.attributes))


def _at(declaration: syntax.Tensor, attribute: syntax.Attribute) -> syntax.Attribute:
    """The attribute with the place of the declaration, for its parts too."""
    argument = attribute.argument
    if isinstance(argument, syntax.Places):
        argument = syntax.Places(tuple(replace(each, origin=declaration.origin) for each in argument.places))
    return replace(attribute, argument=argument, origin=declaration.origin)


# -- arguments of declarations -----------------------------------------------------------------------------------------


def _named(name: object) -> str:
    """The name, if it is one of the notation; raises `CompileError` if not, since it has no place in a text yet."""
    if isinstance(name, str) and NAME.fullmatch(name) and name not in WORDS:
        return name
    notes = (
        "a name has letters a to z and A to Z, digits and `_`, starts with a letter, and is no word of the notation",
    )
    raise CompileError([Diagnostic("E0234", f"{name!r} is no name of a tensor, scalar, size or kernel", notes=notes)])


def _has_order(extents: object) -> bool:
    """True for what gives extents one after the other; sets have no order."""
    return isinstance(extents, Iterable) and not isinstance(extents, Set | Mapping)


def _literals(numbers: Iterable[int]) -> tuple[syntax.Expression, ...]:
    return tuple(literal(number) for number in numbers)


def _index_list(positions: Positions) -> tuple[syntax.Position, ...]:
    if isinstance(positions, Entries):
        return (syntax.FixedIndex(positions.node),)
    if isinstance(positions, tuple) and any(isinstance(each, Entries) for each in positions):
        several = (_index_list(each if isinstance(each, Entries) else (each,)) for each in positions)
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


def _storage(storage: str) -> tuple[syntax.Attribute, ...]:
    if storage not in {"batched", "grouped", "constant", "shared", "temp"}:
        raise ValueError(f"storage is `batched`, `grouped`, `constant`, `shared` or `temp`, not {storage!r}")
    return () if storage in {"batched", "temp"} else (syntax.Attribute(storage),)


def _layout(layout: str | Sequence[int] | None) -> tuple[syntax.Attribute, ...]:
    match layout:
        case None:
            return ()
        case "column_major" | "row_major":
            return (syntax.Attribute(layout),)
        case str():
            raise ValueError(f"layout is `column_major`, `row_major` or the strides, not {layout!r}")
        case _:  # open: numbers, of any sequence
            return (syntax.Attribute("strided", syntax.Numbers(_literals(layout))),)


def _batch(after: int | None) -> tuple[syntax.Attribute, ...]:
    return () if after is None else (syntax.Attribute("batch_after", syntax.Numbers(_literals((after,)))),)


def _stored(dtype: object) -> tuple[syntax.Attribute, ...]:
    """The word for a type of NumPy, or for its name; any other word is the checker's to refuse.

    Python's `complex` has parts of the type of the program.
    """
    if dtype is None:
        return ()
    if dtype is complex:
        return (syntax.Attribute("complex"),)
    word = dtype if isinstance(dtype, str) else np.dtype(cast(Any, dtype)).name
    return (syntax.Attribute(OWN_WORDS.get(word, word)),)


def _nonzeros(
    name: str, shape: Sequence[Extent], nonzeros: Array | Sequence[tuple[int, ...]] | str | Path
) -> syntax.File | syntax.Places:
    if isinstance(nonzeros, str | Path):
        return syntax.File(str(nonzeros))
    if not isinstance(nonzeros, np.ndarray):
        return syntax.Places(tuple(syntax.Place(_literals(position)) for position in nonzeros))
    _check_shape("mask", name, shape, nonzeros)
    return syntax.Places(tuple(syntax.Place(_literals(position)) for position in np.argwhere(nonzeros).tolist()))


def _values(name: str, shape: Sequence[Extent], values: Array | str | Path) -> syntax.File | syntax.Numbers:
    if isinstance(values, str | Path):
        return syntax.File(str(values))
    array = np.asarray(values)
    _check_shape("array of values", name, shape, array)
    return syntax.Numbers(tuple(literal(value) for value in array.ravel(order="F").tolist()))


def _check_shape(what: str, name: str, shape: Sequence[Extent], array: Array) -> None:
    if array.shape != tuple(shape):
        message = f"the {what} has shape {array.shape} for `{name}`, which is declared with shape {tuple(shape)}"
        raise CompileError([Diagnostic("E0218", message)])
