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

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import count
from math import prod

from einsum_front.core.coefficient import MINUS_ONE, ONE, ZERO, Coefficient, plus, scalars_of, times
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, Polynomial, Size, of_size
from einsum_front.core.functions import Function
from einsum_front.core.limits import LARGEST_FOLLOWED, LARGEST_TENSOR, MOST_INDICES
from einsum_front.core.names import Names
from einsum_front.core.runs import Runs
from einsum_front.core.scattered import Scatter
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.places import Placed, check_added, check_alone, parts_of, placed
from einsum_front.ir.contraction.positions import Entry, Position, checked_name, part_at, shown, without_single
from einsum_front.ir.contraction.values import (
    SUMMED,
    Factor,
    Value,
    column_major,
    extents_of,
    mistake,
    named_apart,
    nested,
    renamed,
)
from einsum_front.ir.index import Index, IterationSpace, names
from einsum_front.ir.tensor import Scalar, Tensor, positions


class GraphBuilder:
    """The graph of one kernel, statement by statement: `read` gives what a tensor is after those before.

    All declarations come first. Tensors are arguments of the kernel in the order in which they are declared.
    """

    def __init__(self, name: str, element_type: ElementType = ElementType.F64, origin: Origin = ()) -> None:
        """`element_type` is that of all tensors and scalars."""
        if not element_type.is_computed:
            raise mistake("E0150", f"nothing computes with `{element_type.value}`: it is a type of `memory`", origin)
        self._name = checked_name(name, "kernel", origin)
        self._element_type = element_type
        self._origin = origin
        self._table = NodeTable()
        self._tensors: dict[str, Tensor] = {}
        self._scalars: dict[str, Scalar] = {}
        self._sizes: dict[str, Size] = {}
        self._versions: dict[str, int] = {}
        self._numbers = count()
        self._gathered: set[str] = set()
        self._scatters: list[Scatter] = []

    # -- declarations --------------------------------------------------------------------------------------------------

    def size(self, name: str, least: int = 1, most: int | None = None, hint: int | None = None) -> Polynomial:
        """A number that the launch supplies, from `least` to `most`: an extent, as are sums and products of it.

        `hint` is what it is likely to be, which decides between two ways to compute the same.
        """
        self._declare(name, "size", ())
        if least < 0 or (most is not None and most < least):
            raise mistake("E0150", f"size `{name}` is from {least} to {most}, which is no range of extents", ())
        size = self._sizes[name] = Size(name, least, most, least if hint is None else hint)
        return of_size(size)

    def scalar(self, name: str, origin: Origin = (), part_of: str = "") -> None:
        """A scalar argument; coefficients use it as `ScalarUse(name)`. Two in a row are `part_of` a complex one."""
        self._declare(name, "scalar", origin)
        self._scalars[name] = Scalar(name, self._element_type, part_of, origin)

    def tensor(  # noqa: PLR0913 - what is said of a tensor, by name
        self,
        name: str,
        shape: Sequence[Extent],
        storage: Storage = Storage.BATCHED,
        strides: Sequence[Extent] | None = None,
        *,
        nonzeros: Pattern | Runs | None = None,
        values: tuple[float, ...] | None = None,
        origin: Origin = (),
        memory: ElementType | None = None,
        batch_after: int | None = None,
        is_complex: bool = False,
    ) -> None:
        """A tensor with these extents, integers or made of sizes.

        `storage` says whether each element of the batch has one. `strides` are in entries, one a mode; without them the
        first mode is the fastest and there are no gaps. `nonzeros` (a pattern, or half-open runs of packed column-major
        positions), `values`, `memory`, `batch_after` and `is_complex` are those of `Tensor`.
        """
        self._declare(name, "tensor", origin)
        if len(shape) > MOST_INDICES:
            raise mistake("E0303", f"`{name}` has {len(shape)} modes, more than {MOST_INDICES}", origin)
        known = [extent for extent in shape if isinstance(extent, int)]
        if min(known, default=1) < 1:
            raise mistake("E0150", f"an extent of `{name}` is {min(known)}, expected one position at least", origin)
        largest = LARGEST_FOLLOWED if storage is Storage.TEMPORARY else LARGEST_TENSOR
        entries = prod(known)
        if len(known) == len(shape) and entries > largest:
            raise mistake("E0207", f"`{name}` has {entries} entries, more than {largest}", origin)
        if strides is not None and len(strides) != len(shape):
            raise mistake("E0150", f"`{name}` has {len(shape)} modes and {len(strides)} strides", origin)
        if is_complex and (tuple(shape[-1:]) != (2,) or strides is None or strides[-1] != 1):
            raise mistake("E0150", f"`{name}` is complex, and its last mode has not both parts side by side", origin)
        if values is not None and len(values) != entries:
            raise mistake("E0150", f"`{name}` has {entries} entries and {len(values)} values", origin)
        lying = column_major(shape, storage) if strides is None else tuple(strides)
        pattern = Pattern.of_runs(nonzeros, positions(shape)) if isinstance(nonzeros, tuple) else nonzeros
        facts = (pattern, values, origin, memory, batch_after, is_complex)
        tensor = Tensor(name, self._element_type, storage, tuple(shape), lying, *facts)
        self._tensors[name] = replace(tensor, strides=nested(tensor))

    def _declare(self, name: str, what: str, origin: Origin) -> None:
        checked_name(name, what, origin)
        if name in self._tensors or name in self._scalars or name in self._sizes:
            raise mistake("E0150", f"`{name}` is declared twice", origin)
        if self._versions and what != "scalar":
            raise mistake("E0150", f"{what} `{name}` is declared after the first value", origin)

    # -- values --------------------------------------------------------------------------------------------------------

    def read(self, tensor: str, positions: Sequence[Position], origin: Origin = ()) -> Value:
        """Entries of a tensor as it is now; an index that walks two modes takes the diagonal.

        `"kl"` is short for the indices `("k", "l")`.
        """
        space, parts = self._access(tensor, positions, origin)
        version = self._versions[tensor]
        is_whole = cg.covers(parts, space, self._tensors[tensor].shape)
        if not (is_whole and all(isinstance(part, cg.Along) for part in parts)):
            version = self._table.add(cg.Slice(space, parts, origin), (version,))
        return Value(ONE, (Factor(version, space.parallel),), (), origin)

    def gather(
        self,
        tensors: Sequence[str],
        positions: Sequence["Position | Entry"],
        element: Entry | None = None,
        member: Entry | None = None,
        origin: Origin = (),
    ) -> Value:
        """Entries of a tensor where integers say, 0 where one of them is negative.

        A position is an index that walks all of a mode, a number, or an entry of a tensor in memory of `i32` or `i64`.
        `element` says of which element of the batch, `member` which of the `tensors`. No statement assigns any of them.
        """
        if not self._versions:
            self._begin()
        operands = [self._gathered_leaf(name, origin) for name in tensors]
        found = self._placed(tensors[0], positions, (element, member), len(operands), origin)
        operands += [self._gathered_leaf(name, origin) for name in found.integers]
        node = cg.Gather(found.space, len(tensors), found.parts, found.element, found.member, origin)
        key = self._table.add(node, tuple(operands))
        return Value(ONE, (Factor(key, found.space.parallel),), (), origin)

    def _placed(
        self,
        tensor: str,
        positions: Sequence["Position | Entry"],
        saying: tuple[Entry | None, Entry | None],
        first: int,
        origin: Origin,
    ) -> Placed:
        accessed = partial(self._access, origin=origin)
        return placed(accessed, self._tensors, tensor, positions, saying, first, origin)

    def _gathered_leaf(self, name: str, origin: Origin) -> int:
        if name not in self._tensors:
            raise mistake("E0152", f"there is no tensor `{name}`", origin)
        key = self._versions[name]
        if not isinstance(self._table.node(key), cg.Leaf):
            raise mistake("E0247", f"`{name}` is read where integers say, and assigned", origin)
        self._gathered.add(name)
        return key

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
        extents = extents_of((index for value in given for index in value.indices), origin)
        missing = [name for name in over if name not in extents]
        if missing:
            raise mistake("E0153", f"the sum is over index `{missing[0]}`, which no factor has", origin)
        renaming = {name: f"{name}{SUMMED}{next(self._numbers)}" for name in over}
        own = tuple(Index(renaming[name], extents[name]) for name in over)
        coefficient = reduce(times, (value.coefficient for value in given), ONE)
        nodes = tuple(renamed(factor, renaming) for value in given for factor in value.factors)
        return Value(coefficient, nodes, own + tuple(index for value in given for index in value.summed), origin)

    def sum(self, terms: Iterable[Value], origin: Origin = ()) -> Value:
        """The sum of the terms over the union of their indices; a term is the same along those that it lacks."""
        given = tuple(terms)
        extents_of((index for value in given for index in value.indices), origin)
        evaluated = [self.evaluated(term) for term in given]
        numbers = reduce(plus, (term.coefficient for term in evaluated if not term.factors), ZERO)
        nodes = [self._node(term, origin) for term in evaluated if term.factors]
        if len(nodes) < len(given) or not given:
            nodes.append(self._node(Value(numbers, ()), origin))
        if len(nodes) == 1:
            return Value(ONE, tuple(nodes), (), origin)
        space = IterationSpace(tuple(dict.fromkeys(index for node in nodes for index in node.indices)))
        added = cg.Sum(space, tuple(names(node.indices) for node in nodes), origin)
        key = self._table.add(added, tuple(node.node for node in nodes))
        return Value(ONE, (Factor(key, space.parallel),), (), origin)

    def elementwise(self, function: Function, arguments: Iterable[Value], origin: Origin = ()) -> Value:
        """A function of the arguments, entry by entry over the union of their indices, as many as its arity says.

        Sums, differences and products become those of the graph.
        """
        given = tuple(arguments)
        if len(given) != function.arity:
            message = f"`{function.value}` has {function.arity} arguments, and {len(given)} are given"
            raise mistake("E0153", message, origin)
        match function:
            case Function.ADD:
                return self.sum(given, origin)
            case Function.SUB:
                return self.sum((given[0], self.scaled(MINUS_ONE, given[1])), origin)
            case Function.MUL:
                return self.product(given, origin=origin)
            case _:  # open: a row of the table of functions is a node of its own
                pass
        extents_of((index for value in given for index in value.indices), origin)
        nodes = [self._node(value, origin) for value in given]
        space = IterationSpace(tuple(dict.fromkeys(index for node in nodes for index in node.indices)))
        node = cg.Elementwise(space, function, tuple(names(node.indices) for node in nodes), origin)
        key = self._table.add(node, tuple(node.node for node in nodes))
        return Value(ONE, (Factor(key, space.parallel),), (), origin)

    def extremum(self, function: Function, value: Value, over: Sequence[str], origin: Origin = ()) -> Value:
        """The largest (`MAX`) or smallest (`MIN`) entry of a value over the indices of `over`."""
        if not function.is_extremum or not over:
            raise mistake("E0153", f"`{function.value}` over {len(over)} indices is no extremum", origin)
        missing = [name for name in over if name not in names(value.indices)]
        if missing:
            raise mistake("E0153", f"`{function.value}` is over index `{missing[0]}`, which the value lacks", origin)
        node = self._node(value, origin)
        kept = tuple(index for index in node.indices if index.name not in over)
        space = IterationSpace(kept, tuple(index for index in node.indices if index.name in over))
        key = self._table.add(cg.Reduction(space, function, (names(node.indices),), origin), (node.node,))
        return Value(ONE, (Factor(key, kept),), (), origin)

    def evaluated(self, value: Value, origin: Origin = ()) -> Value:
        """The value with its product as one node, computed once for all that read it: no part of others."""
        if len(value.factors) <= 1 and not value.summed:
            return value
        origin = origin or value.origin
        factors, summed = named_apart(value)
        space = IterationSpace(value.indices, summed)
        if len(space.indices) > MOST_INDICES:
            message = f"a product and its target have {len(space.indices)} indices, more than {MOST_INDICES}"
            raise mistake("E0303", message, origin)
        node = cg.Contraction(space, tuple(names(factor.indices) for factor in factors), origin)
        key = self._table.add(node, tuple(factor.node for factor in factors))
        return Value(value.coefficient, (Factor(key, space.parallel),), (), origin)

    def _node(self, value: Value, origin: Origin) -> Factor:
        """The value as one node without a coefficient beside it."""
        value = self.evaluated(value)
        if not value.factors:
            return Factor(self._table.add(cg.ScalarTerm(value.coefficient, origin)), ())
        (factor,) = value.factors
        if value.coefficient == ONE:
            return factor
        scaling = cg.Scaling(IterationSpace(factor.indices), value.coefficient, origin)
        return replace(factor, node=self._table.add(scaling, (factor.node,)))

    # -- statements ----------------------------------------------------------------------------------------------------

    def assign(self, tensor: str, positions: Sequence[Position], value: Value, origin: Origin = ()) -> None:
        """Entries of a tensor become the value, which is the same along indices that it lacks; others stay."""
        space, parts = self._access(tensor, positions, origin)
        target = self._tensors[tensor]
        if target.storage is Storage.CONSTANT:
            raise mistake("E0154", f"`{tensor}` is a constant, which no kernel writes", origin)
        if tensor in self._gathered:
            raise mistake("E0247", f"`{tensor}` is read where integers say, and assigned", origin)
        extents = extents_of((*space.parallel, *value.indices), origin)
        missing = [name for name in extents if name not in space.extents]
        if missing:
            raise mistake(
                "E0153", f"the value has index `{missing[0]}`, which `{tensor}` is not assigned along", origin
            )
        space, parts = without_single(space, parts, names(value.indices))
        assigned = self._node(value, origin)
        survivors = () if cg.covers(parts, space, target.shape) else (self._versions[tensor],)
        node = cg.Assignment(target, space, parts, names(assigned.indices), origin)
        self._versions[tensor] = self._table.add(node, (assigned.node, *survivors))

    def scatter(
        self,
        tensor: str,
        positions: Sequence["Position | Entry"],
        value: Value,
        element: Entry | None = None,
        origin: Origin = (),
        *,
        is_atomic: bool = False,
    ) -> None:
        """Adds the value to entries of a tensor where integers say, once all statements are done.

        Positions and `element` are those of `gather`; where one of the integers is negative, nothing is added. The
        value may lack indices. No statement reads or assigns the tensor. Elements add in their order, or in any order
        if the sum `is_atomic`.
        """
        found = self._placed(tensor, positions, (element, None), 0, origin)
        target, indices = self._tensors[tensor], found.space.result_map
        for each in found.integers:
            self._gathered_leaf(each, origin)
        check_added(target, found, value, origin, is_atomic=is_atomic)
        name = Names((*self._tensors, *self._scalars, *self._sizes)).fresh(f"{tensor}_parts")
        self._tensors[name] = parts_of(name, self._element_type, found.space.result_shape, origin)
        self._versions[name] = self._table.add(cg.Leaf(self._tensors[name], origin))
        self.assign(name, indices, value, origin)
        of_element = None if found.element is None else found.said(found.element)
        self._scatters.append(Scatter(name, indices, tensor, found.places(), of_element, is_atomic, origin))

    def graph(self) -> Graph:
        """The finished graph. Raises CompileError (E0154) if something is computed that no statement needs."""
        graph = self._table.graph(self._name, tuple(self._scalars.values()), self._origin)
        graph = replace(graph, scatters=tuple(self._scatters))
        check_alone(graph)
        for key, node in graph.nodes:
            if not isinstance(node, cg.Leaf | cg.Assignment) and not graph.users(key):
                raise mistake("E0154", f"`{self._name}` computes a value that it does not use", node.origin)
        return graph

    # -- accesses ------------------------------------------------------------------------------------------------------

    def _access(
        self, name: str, positions: Sequence[Position], origin: Origin
    ) -> tuple[IterationSpace, tuple[cg.Part, ...]]:
        """The distinct indices of an access in the order of its modes, and the part of each mode."""
        if name not in self._tensors:
            raise mistake("E0152", f"there is no tensor `{name}`", origin)
        if not self._versions:
            self._begin()
        shape = self._tensors[name].shape
        if len(positions) != len(shape):
            raise mistake("E0152", f"`{name}` has {len(shape)} modes, and {len(positions)} positions are given", origin)
        parts: list[cg.Part] = []
        indices: list[Index] = []
        for mode, (position, size) in enumerate(zip(positions, shape, strict=True)):
            part, extent = part_at(position, size)
            first = part.position if isinstance(part, cg.At) else part.offset
            if not cg.is_part(first, extent, size):
                end = "is a part of them" if isinstance(size, Polynomial) else "leaves it"
                message = f"mode {mode} of `{name}` has {size} positions, and {shown(position)} {end}"
                raise mistake("E0152", message, origin)
            parts.append(part)
            if isinstance(part, cg.Along):
                indices.append(Index(part.index, extent))
        extents = extents_of(indices, origin)
        return IterationSpace(tuple(Index(*each) for each in extents.items())), tuple(parts)

    def _begin(self) -> None:
        """Tensors become leaves when all are declared."""
        for name, tensor in self._tensors.items():
            self._versions[name] = self._table.add(cg.Leaf(tensor, tensor.origin))

    def _check_scalars(self, coefficient: Coefficient, origin: Origin) -> None:
        for name in scalars_of(coefficient):
            if name not in self._scalars:
                raise mistake("E0152", f"there is no scalar `{name}`", origin)
