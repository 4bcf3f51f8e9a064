"""The door for front ends: declarations, values with index tuples, and assignments become a contraction graph.

    builder = GraphBuilder("volume")
    for name in ("Q", "I"):
        builder.tensor(name, (20, 9))
    builder.tensor("K", (20, 20), Storage.CONSTANT)
    product = builder.product([builder.read("K", "kl"), builder.read("I", "lp")], over="l")
    builder.assign("Q", "kp", builder.sum([builder.read("Q", "kp"), product]))
    graph = builder.graph()

What a graph must keep (`verify`) is kept by construction: versions of tensors, maps of indices, what survives an
assignment. Mistakes of the front end are `CompileError`s (E0150 to E0154), with the origins that it gives.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count
from math import prod

from einsum_front.core.coefficient import ONE, ZERO, Coefficient, plus, scalars_of, times
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin
from einsum_front.core.extent import Extent, Polynomial, Size, capacity, is_at_most, of_size
from einsum_front.core.limits import LARGEST_FOLLOWED, LARGEST_TENSOR, MOST_INDICES
from einsum_front.core.names import fresh_numbered
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.nodes import (
    Along,
    Assignment,
    At,
    Contraction,
    Leaf,
    Part,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
    covers,
    is_part,
)
from einsum_front.ir.index import Index, IterationSpace, names
from einsum_front.ir.tensor import Scalar, Tensor

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

SUMMED = "#"
"""What stands between the name of an index that is summed and its number, until the product becomes a node."""


@dataclass(frozen=True, slots=True)
class Window:
    """An index that walks `extent` positions of a mode, from `start` on; of a dynamic mode, all of them."""

    index: str
    start: int
    extent: Extent


Position = str | int | Window
"""How a mode is accessed: by an index that walks all of it, held at a position, or by an index within a window."""


@dataclass(frozen=True, slots=True)
class _Factor:
    """A node, and the index that walks each of its modes."""

    node: int
    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A coefficient times the product of some nodes, summed over the indices `summed`; no node: the coefficient alone.

    It is bound to the builder that made it. A product becomes one node when it is added, assigned or `evaluated`; until
    then, a product that it is a factor of takes all its factors, and the planner is free to order them.
    """

    coefficient: Coefficient
    factors: tuple[_Factor, ...]
    summed: tuple[Index, ...] = ()
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def indices(self) -> tuple[Index, ...]:
        """The indices of its modes, in the order of the factors."""
        found = dict.fromkeys(index for factor in self.factors for index in factor.indices)
        return tuple(index for index in found if index not in self.summed)


class GraphBuilder:
    """The graph of one kernel, statement by statement: `read` gives what a tensor is after those before.

    All declarations come first. Tensors are arguments of the kernel in the order in which they are declared.
    """

    def __init__(self, name: str, element_type: ElementType = ElementType.F64, origin: Origin = ()) -> None:
        """`element_type` is that of all tensors and scalars."""
        self._name = _checked_name(name, "kernel", origin)
        self._element_type = element_type
        self._origin = origin
        self._table = NodeTable()
        self._tensors: dict[str, Tensor] = {}
        self._scalars: dict[str, Scalar] = {}
        self._sizes: dict[str, Size] = {}
        self._versions: dict[str, int] = {}
        self._numbers = count()

    # -- declarations --------------------------------------------------------------------------------------------------

    def size(self, name: str, least: int = 1, most: int | None = None, hint: int | None = None) -> Polynomial:
        """A number that the launch supplies, from `least` to `most`: an extent, as are sums and products of it.

        `hint` is what it is likely to be, which decides between two ways to compute the same.
        """
        self._declare(name, "size", ())
        if least < 0 or (most is not None and most < least):
            raise _error("E0150", f"size `{name}` is from {least} to {most}, which is no range of extents", ())
        size = self._sizes[name] = Size(name, least, most, least if hint is None else hint)
        return of_size(size)

    def scalar(self, name: str, origin: Origin = ()) -> None:
        """A scalar argument; coefficients use it as `ScalarUse(name)`."""
        self._declare(name, "scalar", origin)
        self._scalars[name] = Scalar(name, self._element_type, origin)

    def tensor(
        self,
        name: str,
        shape: Sequence[Extent],
        storage: Storage = Storage.BATCHED,
        strides: Sequence[Extent] | None = None,
        *,
        nonzeros: tuple[tuple[int, int], ...] | None = None,
        values: tuple[float, ...] | None = None,
        origin: Origin = (),
    ) -> None:
        """A tensor with these extents, integers or made of sizes.

        `storage` says whether each element of the batch has one. `strides` are in entries, one a mode; without them the
        first mode is the fastest and there are no gaps. `nonzeros` and `values` are those of `Tensor`.
        """
        self._declare(name, "tensor", origin)
        if len(shape) > MOST_INDICES:
            raise _error("E0303", f"`{name}` has {len(shape)} modes, more than {MOST_INDICES}", origin)
        known = [extent for extent in shape if isinstance(extent, int)]
        if min(known, default=1) < 1:
            raise _error("E0150", f"an extent of `{name}` is {min(known)}, expected one position at least", origin)
        largest = LARGEST_FOLLOWED if storage is Storage.TEMPORARY else LARGEST_TENSOR
        entries = prod(known)
        if len(known) == len(shape) and entries > largest:
            raise _error("E0207", f"`{name}` has {entries} entries, more than {largest}", origin)
        if strides is not None and len(strides) != len(shape):
            raise _error("E0150", f"`{name}` has {len(shape)} modes and {len(strides)} strides", origin)
        if values is not None and len(values) != entries:
            raise _error("E0150", f"`{name}` has {entries} entries and {len(values)} values", origin)
        lying = _column_major(shape, storage) if strides is None else tuple(strides)
        tensor = Tensor(name, self._element_type, storage, tuple(shape), lying, nonzeros, values, origin)
        self._tensors[name] = replace(tensor, strides=_nested(tensor))

    def _declare(self, name: str, what: str, origin: Origin) -> None:
        _checked_name(name, what, origin)
        if name in self._tensors or name in self._scalars or name in self._sizes:
            raise _error("E0150", f"`{name}` is declared twice", origin)
        if self._versions and what != "scalar":
            raise _error("E0150", f"{what} `{name}` is declared after the first value", origin)

    # -- values --------------------------------------------------------------------------------------------------------

    def read(self, tensor: str, positions: Sequence[Position], origin: Origin = ()) -> Value:
        """Entries of a tensor as it is now; an index that walks two modes takes the diagonal.

        `"kl"` is short for the indices `("k", "l")`.
        """
        space, parts = self._access(tensor, positions, origin)
        version = self._versions[tensor]
        is_whole = covers(parts, space, self._tensors[tensor].shape)
        if not (is_whole and all(isinstance(part, Along) for part in parts)):
            version = self._table.add(Slice(space, parts, origin), (version,))
        return Value(ONE, (_Factor(version, space.parallel),), (), origin)

    def number(self, coefficient: Coefficient, origin: Origin = ()) -> Value:
        """A coefficient where a tensor could stand; it has no indices."""
        self._check_scalars(coefficient, origin)
        return Value(coefficient, (), (), origin)

    def scaled(self, coefficient: Coefficient, value: Value) -> Value:
        """A coefficient times a value."""
        self._check_scalars(coefficient, value.origin)
        return replace(value, coefficient=times(coefficient, value.coefficient))

    def product(self, factors: Iterable[Value], over: Sequence[str] = (), origin: Origin = ()) -> Value:
        """The product of the factors, entry by entry over the union of their indices, summed over those of `over`.

        Indices that factors have summed already are others than those of the same name here.
        """
        given = tuple(factors)
        extents = _extents((index for value in given for index in value.indices), origin)
        missing = [name for name in over if name not in extents]
        if missing:
            raise _error("E0153", f"the sum is over index `{missing[0]}`, which no factor has", origin)
        renamed = {name: f"{name}{SUMMED}{next(self._numbers)}" for name in over}
        own = tuple(Index(renamed[name], extents[name]) for name in over)
        coefficient = reduce(times, (value.coefficient for value in given), ONE)
        nodes = tuple(_renamed(factor, renamed) for value in given for factor in value.factors)
        return Value(coefficient, nodes, own + tuple(index for value in given for index in value.summed), origin)

    def sum(self, terms: Iterable[Value], origin: Origin = ()) -> Value:
        """The sum of the terms over the union of their indices; a term is the same along those that it lacks."""
        given = tuple(terms)
        _extents((index for value in given for index in value.indices), origin)
        evaluated = [self.evaluated(term) for term in given]
        numbers = reduce(plus, (term.coefficient for term in evaluated if not term.factors), ZERO)
        nodes = [self._node(term, origin) for term in evaluated if term.factors]
        if len(nodes) < len(given) or not given:
            nodes.append(self._node(Value(numbers, ()), origin))
        if len(nodes) == 1:
            return Value(ONE, tuple(nodes), (), origin)
        space = IterationSpace(tuple(dict.fromkeys(index for node in nodes for index in node.indices)))
        added = Sum(space, tuple(names(node.indices) for node in nodes), origin)
        key = self._table.add(added, tuple(node.node for node in nodes))
        return Value(ONE, (_Factor(key, space.parallel),), (), origin)

    def evaluated(self, value: Value, origin: Origin = ()) -> Value:
        """The value with its product as one node, computed once for all that read it: no part of others."""
        if len(value.factors) <= 1 and not value.summed:
            return value
        origin = origin or value.origin
        factors, summed = _named_apart(value)
        space = IterationSpace(value.indices, summed)
        if len(space.indices) > MOST_INDICES:
            message = f"a product and its target have {len(space.indices)} indices, more than {MOST_INDICES}"
            raise _error("E0303", message, origin)
        node = Contraction(space, tuple(names(factor.indices) for factor in factors), origin)
        key = self._table.add(node, tuple(factor.node for factor in factors))
        return Value(value.coefficient, (_Factor(key, space.parallel),), (), origin)

    def _node(self, value: Value, origin: Origin) -> _Factor:
        """The value as one node without a coefficient beside it."""
        value = self.evaluated(value)
        if not value.factors:
            return _Factor(self._table.add(ScalarTerm(value.coefficient, origin)), ())
        (factor,) = value.factors
        if value.coefficient == ONE:
            return factor
        scaling = Scaling(IterationSpace(factor.indices), value.coefficient, origin)
        return replace(factor, node=self._table.add(scaling, (factor.node,)))

    # -- statements ----------------------------------------------------------------------------------------------------

    def assign(self, tensor: str, positions: Sequence[Position], value: Value, origin: Origin = ()) -> None:
        """Entries of a tensor become the value, which is the same along indices that it lacks; others stay."""
        space, parts = self._access(tensor, positions, origin)
        target = self._tensors[tensor]
        if target.storage is Storage.CONSTANT:
            raise _error("E0154", f"`{tensor}` is a constant, which no kernel writes", origin)
        extents = _extents((*space.parallel, *value.indices), origin)
        missing = [name for name in extents if name not in space.extents]
        if missing:
            raise _error("E0153", f"the value has index `{missing[0]}`, which `{tensor}` is not assigned along", origin)
        assigned = self._node(value, origin)
        survivors = () if covers(parts, space, target.shape) else (self._versions[tensor],)
        node = Assignment(target, space, parts, names(assigned.indices), origin)
        self._versions[tensor] = self._table.add(node, (assigned.node, *survivors))

    def graph(self) -> Graph:
        """The finished graph. Raises CompileError (E0154) if something is computed that no statement needs."""
        graph = self._table.graph(self._name, tuple(self._scalars.values()), self._origin)
        for key, node in graph.nodes:
            if not isinstance(node, Leaf | Assignment) and not graph.users(key):
                raise _error("E0154", f"`{self._name}` computes a value that it does not use", node.origin)
        return graph

    # -- accesses ------------------------------------------------------------------------------------------------------

    def _access(
        self, name: str, positions: Sequence[Position], origin: Origin
    ) -> tuple[IterationSpace, tuple[Part, ...]]:
        """The distinct indices of an access in the order of its modes, and the part of each mode."""
        if name not in self._tensors:
            raise _error("E0152", f"there is no tensor `{name}`", origin)
        if not self._versions:
            self._begin()
        shape = self._tensors[name].shape
        if len(positions) != len(shape):
            raise _error("E0152", f"`{name}` has {len(shape)} modes, and {len(positions)} positions are given", origin)
        parts: list[Part] = []
        indices: list[Index] = []
        for mode, (position, size) in enumerate(zip(positions, shape, strict=True)):
            part, extent = self._part(position, size)
            first = part.position if isinstance(part, At) else part.offset
            if not is_part(first, extent, size):
                message = f"mode {mode} of `{name}` has {size} positions, and {position!r} leaves it"
                if isinstance(size, Polynomial):
                    message = f"mode {mode} of `{name}` has {size} positions, and {position!r} is a part of them"
                raise _error("E0152", message, origin)
            parts.append(part)
            if isinstance(part, Along):
                indices.append(Index(part.index, extent))
        extents = _extents(indices, origin)
        return IterationSpace(tuple(Index(*each) for each in extents.items())), tuple(parts)

    def _part(self, position: Position, size: Extent) -> tuple[Part, Extent]:
        """The part of a mode, and how many positions it has."""
        match position:
            case str():
                return Along(position), size
            case Window(index=index, start=start, extent=extent):
                return Along(index, start), extent
            case int():
                return At(position), 1

    def _begin(self) -> None:
        """Tensors become leaves when all are declared."""
        for name, tensor in self._tensors.items():
            self._versions[name] = self._table.add(Leaf(tensor, tensor.origin))

    def _check_scalars(self, coefficient: Coefficient, origin: Origin) -> None:
        for name in scalars_of(coefficient):
            if name not in self._scalars:
                raise _error("E0152", f"there is no scalar `{name}`", origin)


def _error(code: str, message: str, origin: Origin) -> CompileError:
    return CompileError([Diagnostic(code, message, tuple(Label(span) for span in origin[:1]))])


def _checked_name(name: str, what: str, origin: Origin) -> str:
    if NAME.fullmatch(name) is None:
        raise _error("E0150", f"{name!r} is no name of a {what}: a letter, then letters, digits and `_`", origin)
    return name


def _column_major(shape: Sequence[Extent], storage: Storage) -> tuple[Extent, ...]:
    strides: list[Extent] = []
    stride: Extent = 1
    for extent in shape:
        strides.append(stride)
        stride = stride * (capacity(extent) if storage is Storage.TEMPORARY else extent)
    return tuple(strides)


def _nested(tensor: Tensor) -> tuple[Extent, ...]:
    """The strides, where a mode of one position that would end inside of another mode has stride 1.

    Its stride means nothing, and memrefs have to be column-major.
    """
    nested = list(tensor.strides)
    end: Extent = 1
    for mode in tensor.modes_by_stride:
        if tensor.shape[mode] == 1 and not is_at_most(capacity(end), capacity(nested[mode])):
            nested[mode] = 1
        else:
            end = nested[mode] * tensor.shape[mode]
    return tuple(nested)


def _extents(indices: Iterable[Index], origin: Origin) -> Mapping[str, Extent]:
    """The extent of each index, in the order in which they come; each has one."""
    extents: dict[str, Extent] = {}
    for index in indices:
        if extents.setdefault(index.name, index.extent) != index.extent:
            message = f"index `{index.name}` has {index.extent} positions here, but {extents[index.name]} there"
            raise _error("E0151", message, origin)
    return extents


def _renamed(factor: _Factor, renaming: Mapping[str, str]) -> _Factor:
    return replace(factor, indices=tuple(Index(renaming.get(i.name, i.name), i.extent) for i in factor.indices))


def _named_apart(value: Value) -> tuple[tuple[_Factor, ...], tuple[Index, ...]]:
    """The factors and the indices that they are summed over, with names that no other index of the product has."""
    taken = set(names(value.indices))
    renaming: dict[str, str] = {}
    for index in value.summed:
        renaming[index.name] = fresh_numbered(index.name.partition(SUMMED)[0], taken)
        taken.add(renaming[index.name])
    summed = tuple(Index(renaming[index.name], index.extent) for index in value.summed)
    return tuple(_renamed(factor, renaming) for factor in value.factors), summed
