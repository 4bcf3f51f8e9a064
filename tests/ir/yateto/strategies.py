"""Programs of the YATeTo language that its verifier accepts, and arguments to run them with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeVar

import numpy as np
from hypothesis import strategies as st

from einsum_front.core.extent import static, static_shape
from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import moved_groups

Item = TypeVar("Item")
FACTORS = (0.0, 1.0, -1.0, 2.0, 0.5)
LOOP = yir.Local("loop")
LOOP_STOP = 2
SHIFT = yir.Local("shift")


@dataclass
class Draft:
    """A function while it is drawn. Operations stand in a loop over `%loop`; their operands are made before it."""

    draw: st.DrawFn
    element: ElementType
    arguments: list[yir.Argument] = field(default_factory=list)
    outside: list[yir.Instruction] = field(default_factory=list)
    inside: list[yir.Instruction] = field(default_factory=list)
    count: int = 0

    def local(self) -> yir.Local:
        self.count += 1
        return yir.Local(self.draw(st.sampled_from([f"{self.count}", f"x{self.count}"])))

    def argument(self, type_: yir.Type) -> yir.Local:
        local = self.local()
        self.arguments.append(yir.Argument(local, type_))
        return local

    # -- memory --------------------------------------------------------------------------------------------------------

    def memref(self, shape: Sequence[int], groups: Sequence[int] = ()) -> yir.MemrefType:
        """A type of the shape; modes in `groups` stand right behind the mode before them, so that they can be fused."""
        strides, least = [], 1
        for mode, size in enumerate(shape):
            gap = 0 if mode in groups else self.draw(st.sampled_from([0, 0, 0, 1, 2]))
            strides.append(least + gap)
            least = strides[-1] * size
        return yir.MemrefType(self.element, tuple(shape), tuple(strides))

    def item(self, memref: yir.MemrefType) -> yir.Local:
        """A work item of a group."""
        span = memref.strides[-1] * memref.shape[-1] if memref.shape else 1
        is_moved = memref.is_packed and self.draw(st.integers(0, 5)) == 0
        layouts: list[yir.Distance | yir.Pointers] = [yir.Distance(span), yir.Distance(span + 3), yir.Pointers()]
        layout = self.draw(st.sampled_from(layouts))
        group, result = self.argument(yir.GroupType(memref, layout)), self.local()
        offset, offset_type = (SHIFT, ElementType.I64) if is_moved else (None, None)
        self.outside.append(yir.GetWorkItem(result, group, offset, offset_type, yir.GroupType(memref, layout)))
        return result

    def source(self, shape: Sequence[int], groups: Sequence[int] = ()) -> yir.Operand:
        """Memory that is read."""
        memref = self.memref(shape, groups)
        match self.draw(st.sampled_from(["argument", "item", "view"])):
            case "argument":
                return yir.Operand(self.argument(memref), memref)
            case "item":
                return yir.Operand(self.item(memref), memref)
            case _:
                return self.view(shape, groups)

    def target(self, shape: Sequence[int], groups: Sequence[int] = ()) -> yir.Operand:
        """Memory that is written: one for each work item."""
        if self.draw(st.booleans()):
            return self.view(shape, groups)
        memref = self.memref(shape, groups)
        return yir.Operand(self.item(memref), memref)

    def view(self, shape: Sequence[int], groups: Sequence[int]) -> yir.Operand:
        """A part of a work item that has one mode more at the end, of which it takes a position."""
        parent_shape, parts = [], []
        for mode, size in enumerate(shape):
            is_whole = mode in groups or mode + 1 in groups
            start, more = (0, 0) if is_whole else self.draw(st.tuples(st.integers(0, 1), st.integers(0, 1)))
            parent_shape.append(start + size + more)
            parts.append(self.draw(st.sampled_from(_spellings(start, start + size, parent_shape[-1]))))
        parent = self.memref((*parent_shape, LOOP_STOP), groups)
        last = self.draw(st.sampled_from([yir.Position(1), yir.Position(LOOP, ElementType.I32)]))
        result = yir.MemrefType(self.element, tuple(shape), parent.strides[:-1])
        local = self.local()
        self.inside.append(yir.Subview(local, self.item(parent), (*parts, last), parent, result))
        return yir.Operand(local, result)

    def scalar(self) -> yir.Scalar:
        """A constant, an argument or the result of arithmetic."""
        match self.draw(st.sampled_from(["constant", "constant", "argument", "arith"])):
            case "constant":
                return yir.Constant(self.draw(st.sampled_from(FACTORS)))
            case "argument":
                return self.argument(self.element)
            case _:
                return self.arith()

    def arith(self) -> yir.Local:
        """The result of arithmetic."""
        operator = self.draw(st.sampled_from([yir.ArithOperator.ADD, yir.ArithOperator.SUB, yir.ArithOperator.MUL]))
        result = self.local()
        lefts: list[yir.Scalar] = [yir.Constant(3.0), self.argument(self.element)]
        left = self.draw(st.sampled_from(lefts))
        self.outside.append(yir.Arith(result, operator, left, yir.Constant(2.0), self.element))
        return result


def _spellings(start: int, stop: int, size: int) -> list[yir.Slice]:
    starts = [start, None] if start == 0 else [start]
    stops = [stop, None] if stop == size else [stop]
    return [yir.Slice(first, last) for first in starts for last in stops]


# -- operations --------------------------------------------------------------------------------------------------------


def axpby(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    source, target = permutation(draft, list(extents)), permutation(draft, list(extents))
    return yir.Axpby(yir.UnaryMap(source, target), draft.scalar(), *update(draft, extents, source, target))


def sum_(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    source = permutation(draft, list(extents))
    target = permutation(draft, subset(draft, list(extents)))
    return yir.Sum(yir.UnaryMap(source, target), draft.scalar(), *update(draft, extents, source, target))


def broadcast(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    again = subset(draft, list(extents))
    target = permutation(draft, [*extents, *again[:2]][:5] if len(extents) < 5 else list(extents))
    source = permutation(draft, [*subset(draft, list(target)), *subset(draft, again)][:5])
    return yir.Broadcast(yir.UnaryMap(source, target), draft.scalar(), *update(draft, extents, source, target))


def fill(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    return yir.Fill(draft.scalar(), draft.scalar(), draft.target(list(extents.values())))


EXACT = (
    EntryFunction.ABS, EntryFunction.RELU, EntryFunction.SQRT, EntryFunction.RECIPROCAL, EntryFunction.ADD,
    EntryFunction.SUB, EntryFunction.MUL, EntryFunction.DIV, EntryFunction.MAX, EntryFunction.MIN,
    EntryFunction.WHERE_LT, EntryFunction.WHERE_LE, EntryFunction.WHERE_EQ, EntryFunction.WHERE_NE,
)  # fmt: skip
"""Functions that all machines round alike."""


def elementwise(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    names = list(extents)
    combiner = draft.draw(st.sampled_from((None, None, EntryFunction.MAX, EntryFunction.MIN))) if names else None
    target = permutation(draft, subset(draft, names)[: len(names) - 1] if combiner else names)
    c = draft.target(sizes(extents, target))
    sources = [permutation(draft, subset(draft, names)) for _ in range(draft.draw(st.integers(0, 2)))]
    lacking = [name for name in names if name not in target]
    sources.append(permutation(draft, list(dict.fromkeys([*lacking, *subset(draft, names)]))))
    operands = tuple(
        draft.source(sizes(extents, source)) if combiner else source_or(draft, c, extents, source, target)
        for source in sources
    )
    payload = payload_of(draft, len(operands))
    alpha, beta = (yir.Constant(1.0), yir.Constant(0.0)) if combiner else (draft.scalar(), draft.scalar())
    return yir.Elementwise(yir.ElementwiseMap(tuple(sources), target), combiner, payload, alpha, operands, beta, c)


def payload_of(draft: Draft, operands: int) -> Payload[yir.Scalar]:
    operations: list[Operation[yir.Scalar]] = []
    for number in range(operands, operands + draft.draw(st.integers(operands > 1, 3))):
        function = draft.draw(st.sampled_from(EXACT))
        entries = st.integers(0, number - 1).map(Entry)
        is_entry = [draft.draw(st.integers(0, 3)) > 0 for _ in range(function.arity)]
        arguments = tuple(draft.draw(entries) if each else draft.scalar() for each in is_entry)
        operations.append(Operation(function, arguments))
    return Payload(tuple(operations))


def product(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    owners = {index: draft.draw(st.sampled_from(["a", "b", "ab"])) for index in extents}
    left = permutation(draft, [index for index in extents if "a" in owners[index]])
    right = permutation(draft, [index for index in extents if "b" in owners[index]])
    target = permutation(draft, list(extents))
    c = draft.target(sizes(extents, target))
    a, b = (source_or(draft, c, extents, indices, target) for indices in (left, right))
    return yir.Product(yir.BinaryMap(left, right, target), draft.scalar(), a, b, draft.scalar(), c)


def log(draft: Draft, extents: dict[str, int]) -> yir.Instruction:
    entries = log_entries(draft, list(extents))
    left, right, target = (
        permutation(draft, [entry for role in roles for entry in entries[role]])
        for roles in (("common", "m", "k"), ("common", "k", "n"), ("common", "m", "n"))
    )
    a, b = (draft.source(*log_shape(extents, operand)) for operand in (left, right))
    c = draft.target(*log_shape(extents, target))
    return yir.Log(yir.LogMap(left, right, target), draft.scalar(), a, b, draft.scalar(), c)


def log_entries(draft: Draft, indices: list[str]) -> dict[str, list[yir.MapEntry]]:
    """The entries of I_common, I_m, I_n and I_k: some indices looped over, the others one group."""
    entries: dict[str, list[yir.MapEntry]] = {"common": [], "m": [], "n": [], "k": []}
    grouped: dict[str, list[str]] = {"m": [], "n": [], "k": []}
    for index in indices:
        role = draft.draw(st.sampled_from(["common", "m", "m", "n", "n", "k", "k"]))
        if role == "common" or draft.draw(st.integers(0, 2)) == 0:
            entries[role].append(yir.Looped(index))
        else:
            grouped[role].append(index)
    for role, names in grouped.items():
        if len(names) > 1 or (names and draft.draw(st.integers(0, 4)) == 0):
            entries[role].append(yir.Fused(tuple(names)))
        elif names:
            entries[role].append(yir.Plain(names[0]))
    return entries


def log_shape(extents: dict[str, int], operand: tuple[yir.MapEntry, ...]) -> tuple[list[int], list[int]]:
    """The shape of an operand, and the modes that stand right behind the one before them."""
    behind: list[int] = []
    mode = 0
    for entry in operand:
        length = len(yir.flat_indices((entry,)))
        behind += range(mode + 1, mode + length)
        mode += length
    return sizes(extents, yir.flat_indices(operand)), behind


def update(
    draft: Draft, extents: dict[str, int], source: tuple[str, ...], target: tuple[str, ...]
) -> tuple[yir.Operand, yir.Scalar, yir.Operand]:
    b = draft.target(sizes(extents, target))
    return source_or(draft, b, extents, source, target), draft.scalar(), b


def source_or(
    draft: Draft, b: yir.Operand, extents: dict[str, int], source: tuple[str, ...], target: tuple[str, ...]
) -> yir.Operand:
    """Memory that is read; where both sides have the same indices it may be the target itself."""
    if source == target and draft.draw(st.booleans()):
        return b
    return draft.source(sizes(extents, source))


def sizes(extents: dict[str, int], indices: Sequence[str]) -> list[int]:
    return [extents[index] for index in indices]


def permutation(draft: Draft, items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(draft.draw(st.permutations(items)))


def subset(draft: Draft, items: list[str]) -> list[str]:
    return [item for item in items if draft.draw(st.booleans())]


# -- programs ----------------------------------------------------------------------------------------------------------

OPERATIONS: dict[str, Callable[[Draft, dict[str, int]], yir.Instruction]] = {
    "axpby": axpby,
    "sum": sum_,
    "broadcast": broadcast,
    "fill": fill,
    "product": product,
    "log": log,
    "elementwise": elementwise,
}


@st.composite
def functions(draw: st.DrawFn, operations: Sequence[str] = tuple(OPERATIONS)) -> yir.Function:
    """A function with one or two operations in a loop; a target may be temporary memory that is copied out."""
    draft = Draft(draw, draw(st.sampled_from([ElementType.F32, ElementType.F64])))
    for _ in range(draw(st.integers(1, 2))):
        names = draw(st.lists(st.sampled_from("ijkmxyto"), max_size=5, unique=True))
        extents = {name: draw(st.sampled_from([1, 2, 2, 3, 4])) for name in names}
        operation = OPERATIONS[draw(st.sampled_from(list(operations)))](draft, extents)
        draft.inside += through_temporary(draft, operation) if draw(st.integers(0, 3)) == 0 else [operation]
    shift = [yir.Argument(SHIFT, ElementType.I64)]
    loop = yir.For(LOOP, ElementType.I32, 0, LOOP_STOP, tuple(draft.inside))
    return yir.Function("f", tuple(draft.arguments + shift), (*draft.outside, loop), facts(draft))


def facts(draft: Draft) -> tuple[yir.Fact, ...]:
    """Facts that the verifier accepts; what the arguments of a test hold has nothing to do with them."""
    found: list[yir.Fact] = []
    for argument in draft.arguments:
        if isinstance(argument.type, yir.MemrefType) and draft.draw(st.integers(0, 3)) == 0:
            found += facts_about(draft, argument.name.name, argument.type)
    return tuple(found)


def facts_about(draft: Draft, name: str, memref: yir.MemrefType) -> list[yir.Fact]:
    number = st.floats(allow_nan=False, allow_infinity=False, width=32)
    positions = st.integers(0, prod(static_shape(memref.shape)) - 1)
    entries = tuple(sorted(draft.draw(st.dictionaries(positions, number, max_size=8)).items()))
    runs = tuple((position, position + 1) for position, _ in entries)
    modes = permutation(draft, range(memref.order))
    candidates = (Modes(name, modes), Nonzeros(name, runs), Values(name, entries))
    return [fact for fact in candidates if draft.draw(st.booleans())]


def through_temporary(draft: Draft, operation: yir.Instruction) -> list[yir.Instruction]:
    """The same operation on temporary memory, which holds the target before and is copied to it afterwards."""
    name = "b" if isinstance(operation, yir.Axpby | yir.Sum | yir.Broadcast | yir.Fill) else "c"
    target: yir.Operand = getattr(operation, name)
    temporary = yir.Operand(draft.local(), draft.memref(static_shape(target.type.shape), range(1, target.type.order)))
    indices = tuple("abcdefgh"[: target.type.order])
    identity = yir.UnaryMap(indices, indices)
    one, zero = yir.Constant(1.0), yir.Constant(0.0)
    return [
        yir.Alloca(temporary.value, temporary.type),
        yir.Axpby(identity, one, target, zero, temporary),
        type(operation)(**{slot: getattr(operation, slot) for slot in operation.__slots__} | {name: temporary}),
        yir.Barrier(),
        yir.Axpby(identity, one, temporary, zero, target),
        yir.LifetimeStop(temporary.value),
    ]


@st.composite
def programs(draw: st.DrawFn) -> yir.Program:
    """A program of one function."""
    return yir.Program((draw(functions()),))


# -- arguments ---------------------------------------------------------------------------------------------------------


def make_arguments(function: yir.Function, batch: int, seed: int) -> dict[str, object]:
    """Small whole numbers: sums are exact in any order. Groups that are taken with an offset are flat memory."""
    rng = np.random.default_rng(seed)
    moved = moved_groups(function)
    return {
        argument.name.name: _argument(argument.type, argument.name.name in moved, batch, rng)
        for argument in function.arguments
    }


def _argument(type_: yir.Type, is_moved: bool, batch: int, rng: np.random.Generator) -> object:
    match type_:
        case ElementType() if not type_.is_integer:
            return float(rng.integers(-2, 3))
        case ElementType():
            return int(rng.integers(0, 3))
        case yir.MemrefType(element=element, shape=shape):
            return _numbers(element, static_shape(shape), rng)
        case yir.GroupType(memref=memref, layout=yir.Distance(elements=distance)):
            if is_moved:
                return _numbers(memref.element, (batch * static(distance) + 2 + prod(static_shape(memref.shape)),), rng)
            return _numbers(memref.element, (batch, *static_shape(memref.shape)), rng)
        case yir.GroupType(memref=memref):
            shape = (2 + prod(static_shape(memref.shape)),) if is_moved else static_shape(memref.shape)
            return [_numbers(memref.element, shape, rng) for _ in range(batch)]


def _numbers(element: ElementType, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    dtype = np.float32 if element is ElementType.F32 else np.float64
    return rng.integers(-2, 3, shape).astype(dtype)
