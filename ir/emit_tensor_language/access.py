"""Operands by index names: which modes a loop fixes, which modes can be seen as one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, Polynomial, is_at_most, length, product, sizes_in
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.tl_backend import ALL, Builder, Index, Number, Value, program, types
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType

Positions = Mapping[str, Index]


@dataclass(frozen=True, slots=True)
class IndexRange:
    """How far an index runs: `extent`, which is the size of a mode of a memref."""

    extent: Extent
    memref: Value
    mode: int

    def index(self, builder: Builder) -> Index:
        """The extent as an operand: the memref tells one that is dynamic."""
        if isinstance(self.extent, int):
            return self.extent
        return builder.size(self.memref, self.mode, name=name_of(self.memref, "size"))


@dataclass(frozen=True, slots=True)
class Access:
    """A memref of which every mode is walked by an index or stands at a position.

    An index that stands several times walks a diagonal. `shape` and `strides` are those of the memref's type in the
    YATeTo language, which tells dynamic extents apart. `fused` are groups of indices that walk one mode, which is named
    by the first of them.
    """

    memref: Value
    modes: tuple[str | Index, ...]
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    fused: tuple[tuple[str, ...], ...] = ()

    @property
    def indices(self) -> tuple[str, ...]:
        """The indices that walk a mode, in the order of the modes."""
        return tuple(mode for mode in self.modes if isinstance(mode, str))

    @property
    def diagonals(self) -> tuple[str, ...]:
        """The indices that stand several times."""
        return tuple(index for index in dict.fromkeys(self.indices) if self.indices.count(index) > 1)

    @property
    def position(self) -> tuple[Index, ...]:
        """The position of an access without indices: one entry."""
        return tuple(mode for mode in self.modes if not isinstance(mode, str))

    def extent(self, index: str) -> Extent:
        """The size of the mode of an index."""
        return self.shape[self.modes.index(index)]

    def length(self, index: str) -> tuple[bool, int]:
        """A key that sorts indices by the size of their modes."""
        return length(self.extent(index))

    def stride(self, index: str) -> Extent:
        """The stride of the mode of an index."""
        return self.strides[self.modes.index(index)]

    def at(self, positions: Positions) -> "Access":
        """The access with the indices of `positions` at their positions."""
        modes = tuple(positions.get(mode, mode) if isinstance(mode, str) else mode for mode in self.modes)
        return replace(self, modes=modes)

    def view(self, builder: Builder) -> Value:
        """The memref of the modes that are walked."""
        view = self.memref
        if not all(isinstance(mode, str) for mode in self.modes):
            parts = (ALL if isinstance(mode, str) else mode for mode in self.modes)
            view = builder.subview(self.memref, *parts, name=name_of(self.memref, "view"))
        groups = {group[0]: "_".join(group) for group in self.fused}
        return builder.walk(view, tuple(groups.get(index, index) for index in self.indices))

    def entry(self, builder: Builder) -> Value:
        """The entry of an access without indices."""
        return builder.load(self.memref, *self.position, name=name_of(self.memref, "entry"))


def name_of(value: Value, suffix: str) -> str:
    """A name for what is made of a value; a name that is a number cannot be the start of a longer one."""
    stem = value.local.name
    return f"{stem}_{suffix}" if stem[0].isalpha() else f"v{stem}_{suffix}"


def extents_of(accesses: Sequence[Access]) -> dict[str, IndexRange]:
    """The range of every index, in the order of their first use."""
    extents: dict[str, IndexRange] = {}
    for access in accesses:
        for mode, (index, size) in enumerate(zip(access.modes, access.shape, strict=True)):
            if isinstance(index, str):
                extents.setdefault(index, IndexRange(size, access.memref, mode))
    return extents


def fuse(builder: Builder, access: Access, group: tuple[str, ...]) -> Access:
    """The access with the neighbouring indices of `group` as one mode, walked by the first of them."""
    if group[0] not in access.indices:
        return access
    view = access.view(builder)
    first = access.indices.index(group[0])
    last = first + len(group) - 1
    fused = builder.fuse(view, first, last, name=name_of(view, "fused"))
    walked = [mode for mode, index in enumerate(access.modes) if isinstance(index, str)]
    shape, strides = ([of[mode] for mode in walked] for of in (access.shape, access.strides))
    return Access(
        fused,
        (*access.indices[: first + 1], *access.indices[last + 1 :]),
        (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :]),
        (*strides[: first + 1], *strides[last + 1 :]),
        (*access.fused, tuple(each for index in group for each in _members(access, index))),
    )


def _members(access: Access, index: str) -> tuple[str, ...]:
    """The indices that walk a mode together with this one."""
    return next((group for group in reversed(access.fused) if group[0] == index), (index,))


def collapse(builder: Builder, accesses: Sequence[Access]) -> list[Access]:
    """The same accesses with as few modes as possible: indices that are neighbours wherever they occur become one.

    B[i,j,k] := A[i,j,k]     packed                  ->  B[i] := A[i]
    C[i,j,k] := A[i,j] b[k]  A and C packed          ->  C[i,k] := A[i] b[k]
    """
    collapsed = list(accesses)
    for chain in _chains(accesses):
        collapsed = [fuse(builder, access, chain) for access in collapsed]
    return collapsed


def _chains(accesses: Sequence[Access]) -> list[tuple[str, ...]]:
    """The longest runs of indices that can be one."""
    indices = list(extents_of(accesses))
    successor = {x: y for x in indices for y in indices if x != y and _are_one(accesses, x, y)}
    starts = [index for index in indices if index in successor and index not in successor.values()]
    return [_follow(start, successor) for start in starts]


def _follow(start: str, successor: Mapping[str, str]) -> tuple[str, ...]:
    chain = [start]
    while chain[-1] in successor:
        chain.append(successor[chain[-1]])
    return tuple(chain)


def _are_one(accesses: Sequence[Access], x: str, y: str) -> bool:
    """True if y follows x in every operand that has either, with strides that let `fuse` make them one mode."""
    users = [access for access in accesses if x in access.indices or y in access.indices]
    return all(_follows(access, x, y) for access in users)


def _follows(access: Access, x: str, y: str) -> bool:
    if access.indices.count(x) != 1 or access.indices.count(y) != 1:
        return False
    neighbours = access.indices.index(y) == access.indices.index(x) + 1
    return neighbours and access.stride(x) * access.extent(x) == access.stride(y)


# -- nests of loops over indices, with and without accumulation --------------------------------------------------------


@contextmanager
def loops(builder: Builder, indices: Sequence[str], extents: Mapping[str, IndexRange]) -> Iterator[Positions]:
    """Loops over the indices, the first outermost; an index of extent 1 needs none. Gives the positions inside."""
    with ExitStack() as stack:
        positions: dict[str, Index] = {}
        for index in indices:
            range_ = extents[index]
            if range_.extent == 1:
                positions[index] = 0
            else:
                loop = builder.for_loop(0, range_.index(builder), name=loop_name(index))
                positions[index] = stack.enter_context(loop)
        yield positions


def accumulate(
    builder: Builder,
    indices: Sequence[str],
    extents: Mapping[str, IndexRange],
    beta: Number,
    body: Callable[[Positions, Number], None],
) -> None:
    """Loops over contracted indices: `body(positions, beta)` adds one share to beta times the target.

    β belongs to the first share alone, which therefore stands before the loop; all others have β = 1.
    """
    _accumulate(builder, indices, extents, beta, body, {})


def _accumulate(
    builder: Builder,
    indices: Sequence[str],
    extents: Mapping[str, IndexRange],
    beta: Number,
    body: Callable[[Positions, Number], None],
    fixed: Positions,
) -> None:
    if not indices:
        body(fixed, beta)
        return
    index, inner = indices[0], indices[1:]
    start = 0
    if beta != 1.0 or extents[index].extent == 1:
        _accumulate(builder, inner, extents, beta, body, {**fixed, index: 0})
        start = 1
    if not is_at_most(extents[index].extent, start):
        with builder.for_loop(start, extents[index].index(builder), name=loop_name(index)) as variable:
            _accumulate(builder, inner, extents, 1.0, body, {**fixed, index: variable})


def loop_name(index: str) -> str:
    """A name for the variable of a loop: that of the index, which may have any characters."""
    return "".join(character for character in index if character.isascii() and character.isalnum()) or "i"


# -- single entries ----------------------------------------------------------------------------------------------------
# A `foreach` of loads, arithmetic and a store, so that no entry is stored by several work-items.


def multiply_entries(
    builder: Builder, alpha: Number, factors: Sequence[Access], beta: Number, target: Access, along: str | None = None
) -> None:
    """`target := alpha * product of factors + beta * target`, entry by entry.

    All accesses walk the index `along` alone, some not at all, one perhaps a diagonal; without it they have rank 0.
    """
    extent = 1 if along is None else extents_of((target,))[along].index(builder)
    with builder.foreach_loop(0, extent, name=loop_name(along or "once")) as variable:
        positions = {} if along is None else {along: variable}
        value = alpha
        for factor in factors:
            value = times(builder, value, factor.at(positions).entry(builder))
        entry = target.at(positions)
        total = updated(builder, value, beta, entry)
        builder.store(stored(builder, total, entry.memref.memref.element), entry.memref, *entry.position)


def times(builder: Builder, factor: Number, value: Value) -> Value:
    """The product; a factor of 1 is left out."""
    return value if factor == 1.0 else builder.arith(tl.BinaryOperator.MUL, factor, value, name="product")


def updated(builder: Builder, value: Number, beta: Number, target: Access) -> Number:
    """`value + beta * target`, where the target is not read if β is 0, which may show at run time only."""

    def update() -> Value:
        kept = times(builder, beta, target.entry(builder))
        return builder.arith(tl.BinaryOperator.ADD, value, kept, name="updated")

    if not isinstance(beta, Value):
        return value if beta == 0 else update()
    is_zero = builder.compare(tl.Condition.EQ, beta, 0 if beta.scalar.is_integer else 0.0, name="is_zero")
    (chosen,) = builder.if_else(is_zero, (beta.scalar,), lambda: (value,), lambda: (update(),))
    return chosen


def stored(builder: Builder, number: Number, type_: ScalarType) -> Value:
    """The number as a value of the type, which `store` needs; narrow numbers become others by way of f32."""
    if not isinstance(number, Value):
        if type_.is_computed or not type_.is_floating:
            return builder.constant(number, type_)
        number = builder.constant(number, ScalarType.F32)
    if number.scalar is type_:
        return number
    if ScalarType.F32 not in (number.scalar, type_) and not (number.scalar.is_computed and type_.is_computed):
        number = builder.cast(number, ScalarType.F32, name="single")
    return builder.cast(number, type_, name="stored")


# -- types, arguments and facts of the YATeTo language in the tensor language ------------------------------------------


def memref_type(memref: yir.MemrefType) -> types.MemrefType:
    """The memref type of one element."""
    shape, strides = tuple(map(_extent, memref.shape)), tuple(map(_extent, memref.strides))
    return types.MemrefType(ScalarType.of(memref.element), shape, strides)


def _extent(extent: Extent) -> types.Extent:
    return None if isinstance(extent, Polynomial) else extent


def argument_type(type_: yir.Type, is_moved: bool) -> types.Type:
    """The type of an argument.

    A group at a distance is one memref with a last mode for the batch; a group of pointers stays a group. A group that
    is taken with an offset somewhere is flat memory, because the offset may lead anywhere in it.

        group<memref<f32x[n]x8>,distance<[8*n]>>        ->  memref<f32x?x8x?>
        group<memref<f32x16x8>,distance<256>>           ->  memref<f32x16x8x?,strided<1,16,256>>
        group<memref<f32x16x8>,after<0>>                ->  memref<f32x?x16x8>
        group<memref<f32x16x8>,pointers>                ->  group<memref<f32x16x8>>
        group<memref<f32x16x8>,distance<256>>  moved    ->  memref<f32x?>
        group<memref<f32x16x8>,pointers>       moved    ->  group<memref<f32x?>>
    """
    match type_:
        case ElementType():
            return ScalarType.of(type_)
        case yir.MemrefType():
            return memref_type(type_)
        case yir.GroupType(memref=memref) if is_moved:
            flat = types.MemrefType.packed(ScalarType.of(memref.element), (None,))
            return types.GroupType(flat) if isinstance(type_.layout, yir.Pointers) else flat
        case yir.GroupType(memref=memref, layout=layout):
            return _batch_type(memref_type(memref), layout)


def _batch_type(item: types.MemrefType, layout: yir.Layout) -> types.Type:
    match layout:
        case yir.Distance(elements=distance):
            return types.MemrefType(item.element, (*item.shape, None), (*item.strides, _extent(distance)))
        case yir.Pointers():
            return types.GroupType(item)
        case yir.After(modes=modes):
            return types.MemrefType.packed(item.element, (*item.shape[:modes], None, *item.shape[modes:]))


def facts_of(function: yir.Function, moved: frozenset[str]) -> tuple[program.Fact, ...]:
    """The facts that the function states, and which arguments have one element for each work-group.

    Flat memory has neither modes nor a pattern.
    """
    batched = tuple(
        program.Batched(argument.name.name, _batch_mode(argument.type.layout))
        for argument in function.arguments
        if isinstance(argument.type, yir.GroupType)
        and not isinstance(argument.type.layout, yir.Pointers)
        and argument.name.name not in moved
    )
    sizes = (_sizes(argument) for argument in function.arguments if argument.name.name not in moved)
    about_tensors = (fact for fact in function.facts if fact.argument not in moved)
    return (*batched, *(fact for fact in sizes if fact is not None), *about_tensors)


def _batch_mode(layout: yir.Layout) -> int | None:
    return layout.modes if isinstance(layout, yir.After) else None


def _sizes(argument: yir.Argument) -> program.Sizes | None:
    """The dynamic extents of its modes; None if there are none."""
    memref = argument.type.memref if isinstance(argument.type, yir.GroupType) else argument.type
    if not isinstance(memref, yir.MemrefType) or not sizes_in(memref.shape):
        return None
    extents = (size if isinstance(size, Polynomial) else None for size in memref.shape)
    return program.Sizes(argument.name.name, tuple(extents))
