"""The notation in Python; it reads like YATeTo's.

    Q, I = ef.Tensor("Q", (56, 9)), ef.Tensor("I", (56, 9))
    K, A = ef.Tensor("K", (56, 56), storage="constant"), ef.Tensor("A", (9, 9))
    volume = ef.kernel("volume", Q["kp"] <= Q["kp"] + 2.0 * K["kl"] * I["lq"] * A["qp"])
    program = ef.program(volume)

The result is a program of the notation, as if its text had been parsed: places in errors point into that text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from einsum_front.core.dataclass import dataclass
from einsum_front.core.signatures import shown_without_types
from einsum_front.core.words import counted, kind_of
from einsum_front.dsl_arguments import (
    Array,
    Extent,
    Positions,
    batch_attributes,
    has_order,
    index_list,
    layout_attributes,
    literals,
    named,
    nonzeros_argument,
    storage_attributes,
    type_attributes,
    values_argument,
)
from einsum_front.dsl_expressions import Declaration, Entries, Expression, Statement, literal
from einsum_front.notation import syntax
from einsum_front.notation.unparse import placed, unparse_item
from einsum_front.options import Level
from einsum_front.parsed import Program


class Size(Expression):
    """A number that only the launch knows, in shapes: `n = Size("n", most=64)` and `Tensor("X", (2 * n + 1, 9))`.

    Parameters
    ----------
    name : str
        Its name in texts and errors.
    least, most : int, optional
        The bounds, both included. Without them it is at least 1, and open above.
    hint : int, optional
        An estimate, which decides between orders and schedules.

    Raises
    ------
    CompileError
        If the name is no name of the notation (E0234).

    Examples
    --------
    >>> import einsum_front as ef
    >>> n = ef.Size("n", most=64)
    >>> ef.Tensor("X", (2 * n + 1, 9))
    <tensor X[2 * n + 1,9]>
    """

    def __init__(
        self, name: str, *, least: int | None = None, most: int | None = None, hint: int | None = None
    ) -> None:
        numbers = [None if number is None else literal(number) for number in (least, most, hint)]
        node = syntax.Size(named(name), numbers[0], numbers[1], numbers[2])
        super().__init__(syntax.Reference(name), (Declaration(node),))


class Tensor:
    """A declared tensor, or a family of them: `star = Tensor("star", (9, 9), members=3)` and `star(0)["qp"]`.

    Parameters
    ----------
    name : str
        The name of the argument.
    shape : sequence of int or Size
        The extents for one element; arrays of a batch have one dimension more, the first.
    storage : {"batched", "grouped", "constant", "shared", "temp"}
        One for each element; the same, each behind a pointer; one for all elements, read or (`shared`) written, too; a
        temporary of each element.
    layout : {"column_major", "row_major"} or sequence of int, optional
        The strides in entries. Without it, kernels take arrays as they lie.
    batch_after : int, optional
        The elements of the batch lie behind so many of the fastest modes; with 0 they are neighbours.
    dtype : dtype_like or str, optional
        The type in memory, by NumPy's word or ours (`float32`, `f32`, `bf16`, `complex128`). The program has its own
        type to compute in.
    nonzeros : array_like of bool, sequence of tuple of int, or path, optional
        The entries that may differ from zero: a mask of the shape, positions, or a file.
    values : array_like or path, optional
        The known entries, of the shape.
    members : int or tuple of int
        The sizes of a family.
    atomic : bool
        Elements add to it in any order, where integers say.

    Raises
    ------
    CompileError
        If the name is none of the notation (E0234), or an array has another shape (E0218).
    TypeError, ValueError
        If an argument is of another kind.

    Examples
    --------
    >>> import einsum_front as ef
    >>> K, I = ef.Tensor("K", (20, 20), "constant"), ef.Tensor("I", (20, 9))
    >>> star = ef.Tensor("star", (9, 9), members=3)
    >>> K["kl"] * I["lq"] * star(0)["qp"]
    K[k,l] * I[l,q] * star{0}[q,p]
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
        if not has_order(shape):
            raise TypeError(f"the shape of `{name}` is a tuple of extents such as (20, 9), not {shape!r}")
        shape = tuple(shape)
        attributes = (
            *storage_attributes(storage),
            *layout_attributes(layout),
            *batch_attributes(batch_after),
            *type_attributes(dtype),
            *((syntax.Attribute("atomic"),) if atomic else ()),
            *(() if nonzeros is None else (syntax.Attribute("nonzeros", nonzeros_argument(name, shape, nonzeros)),)),
            *(() if values is None else (syntax.Attribute("values", values_argument(name, shape, values)),)),
        )
        family = (members,) if isinstance(members, int) else members
        extents = tuple(extent.node if isinstance(extent, Expression) else literal(extent) for extent in shape)
        node = syntax.Tensor(named(name), literals(family), extents, attributes, storage == "temp")
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
        reference = syntax.Reference(self.declaration.node.name, members, index_list(positions))
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
    """One at every position of some indices, `ones["b"]`: a factor that repeats a value along what it lacks.

    Examples
    --------
    >>> import einsum_front as ef
    >>> b, C = ef.Tensor("b", (9,)), ef.Tensor("C", (20, 9))
    >>> C["ij"] <= b["j"] * ef.ones["i"]
    C[i,j] = b[j] * 1[i]
    """

    def __repr__(self) -> str:
        return "<ones, as in ones['b']>"

    def __getitem__(self, positions: Positions) -> Expression:
        """The factor with these indices, whose extents the left-hand side or other factors say."""
        return Expression(syntax.Ones(index_list(positions)))


ones = Ones()


class Scalar(Expression):
    """A scalar argument, or a family of them: `power = Scalar("power", members=6)` and `power(0)`.

    Parameters
    ----------
    name : str
        The name of the argument.
    members : int or tuple of int
        The sizes of a family.
    dtype : dtype_like, optional
        `complex`: a complex number, whose parts have the type of the program. Others have that type.

    Examples
    --------
    >>> import einsum_front as ef
    >>> dt, Q = ef.Scalar("dt"), ef.Tensor("Q", (20, 9))
    >>> Q["kp"] <= dt * Q["kp"]
    Q[k,p] = dt * Q[k,p]
    """

    def __init__(self, name: str, *, members: int | tuple[int, ...] = (), dtype: object = None) -> None:
        family = (members,) if isinstance(members, int) else members
        word = "".join(attribute.name for attribute in type_attributes(dtype))
        node = syntax.Scalar(named(name), literals(family), word)
        super().__init__(syntax.Reference(name), (Declaration(node),))
        self._name = name

    def __call__(self, *members: int) -> Expression:
        """A member of a family."""
        return Expression(syntax.Reference(self._name, literals(members)), self.declared)


@dataclass(frozen=True, slots=True)
class Kernel:
    """Statements that run in order and become one launch: what `kernel` returns.

    Parameters
    ----------
    name, statements
        As in `kernel`.

    Examples
    --------
    >>> import einsum_front as ef
    >>> A = ef.Tensor("A", (4,))
    >>> ef.kernel("double", A["i"] <= 2 * A["i"])
    <kernel double: A[i] = 2 * A[i]>
    """

    name: str
    statements: tuple[Statement, ...]

    def __repr__(self) -> str:
        """`<kernel volume: Q[kp] = 2 * I[kp]>`; of several statements the first one."""
        rest = len(self.statements) - 1
        more = f" … and {counted(rest, 'more statement')}" if rest > 0 else ""
        return f"<kernel {self.name}: {', '.join(map(repr, self.statements[:1]))}{more}>"


def kernel(name: str, statements: Statement | Iterable[Statement]) -> Kernel:
    """A kernel of one statement or several.

    Parameters
    ----------
    name : str
        The name of the kernel.
    statements : Statement or iterable of Statement
        Formulas such as `Q["kp"] <= I["kp"]`, which run in order; `Q["kp"].add(…)` is `+=`.

    Returns
    -------
    Kernel
        For `program`, or for `compile` alone.

    Raises
    ------
    CompileError
        If the name is none of the notation (E0234).
    TypeError
        If something is no statement.

    Examples
    --------
    >>> import einsum_front as ef
    >>> A, B, C = (ef.Tensor(name, (8, 8)) for name in "ABC")
    >>> ef.kernel("product", C["ij"] <= A["ik"] * B["kj"])
    <kernel product: C[i,j] = A[i,k] * B[k,j]>
    """
    several = tuple(statements) if isinstance(statements, Iterable) else (statements,)
    for each in several:
        if not isinstance(each, Statement):
            raise TypeError(f"a kernel has statements such as Q['kp'] <= I['kp'], not {kind_of(each)}")
    return Kernel(named(name), several)


def program(*kernels: Kernel, real: str | None = None, integer: str | None = None) -> Program:
    """The program of some kernels and of all that they name.

    Parameters
    ----------
    *kernels : Kernel
        What `kernel` returns.
    real : {"f64", "f32"}, optional
        The type that the program computes in.
    integer : {"i8", "i16", …, "u64", "bool"}, optional
        A type of integers in the place of `real`.

    Returns
    -------
    Program
        For `compile`, as if `parse` had read its text.

    Raises
    ------
    TypeError
        If both types are given, or something is no kernel.

    Examples
    --------
    >>> import einsum_front as ef
    >>> A, B = ef.Tensor("A", (4, 5)), ef.Tensor("B", (5, 4))
    >>> ef.program(ef.kernel("transposed", B["ji"] <= A["ij"]))
    <program: transposed>
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
