"""Programs that can be written down, whether they make sense or not: every instruction, every type, every operand."""

from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.core.zero_pattern import Runs
from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Axpby,
    Barrier,
    BinaryOperator,
    Cast,
    Compare,
    Condition,
    Expand,
    FloatConstant,
    For,
    Foreach,
    Fuse,
    Gemm,
    Gemv,
    Ger,
    GroupId,
    GroupSize,
    HadamardProduct,
    If,
    Instruction,
    IntegerConstant,
    LifetimeStop,
    Load,
    Local,
    Position,
    Region,
    Size,
    Slice,
    Store,
    Subview,
    Sum,
    Transpose,
    TypedMemref,
    TypedScalar,
    UnaryOperator,
    Yield,
)
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.program import Argument, Batched, Edition, Fact, Function, Program
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

LARGEST = 2**63 - 1
UNSIGNED = {ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.U64}
BIT_OPERATORS = {BinaryOperator.SHL, BinaryOperator.SHR, BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR}
FIRST_EDITIONS = (Edition.E2023, Edition.TINYTC_0_2)
RELEASED = (Edition.TINYTC_0_2, Edition.TINYTC_0_3)

names = st.sampled_from(["0", "42", "a", "x", "x8", "Q_1", "memref", "T0_"])
locals_ = st.builds(Local, names)
integers = st.builds(IntegerConstant, st.integers(-LARGEST, LARGEST) | st.integers(-9, 9))
floats = st.builds(FloatConstant, st.floats(allow_nan=False, allow_infinity=False))
index_operands = locals_ | integers
operands = locals_ | integers | floats
extents: st.SearchStrategy[Extent] = st.none() | st.integers(0, 99)
modes = st.integers(0, 5)
transposes = st.sampled_from(Transpose)
indices = st.lists(index_operands, max_size=3).map(tuple)


def memrefs(scalars: st.SearchStrategy[ScalarType]) -> st.SearchStrategy[MemrefType]:
    """Packed ones, and others with any strides."""
    shapes = st.lists(extents, max_size=4).map(tuple)
    strided = shapes.flatmap(lambda shape: st.tuples(st.just(shape), st.tuples(*[extents] * len(shape))))
    return st.builds(MemrefType.packed, scalars, shapes) | st.builds(
        lambda element, layout: MemrefType(element, *layout), scalars, strided
    )


def programs(edition: Edition) -> st.SearchStrategy[Program]:
    """Whatever the edition has words for."""
    return st.builds(Program, st.lists(functions(edition), min_size=1, max_size=2).map(tuple))


@st.composite
def functions(draw: st.DrawFn, edition: Edition) -> Function:
    """Functions with facts and attributes."""
    scalars, offsets = _scalars(edition), _offsets(edition)
    types = scalars | memrefs(scalars) | st.builds(GroupType, memrefs(scalars), offsets)
    positive = st.integers(1, 1024)
    return Function(
        draw(names),
        tuple(draw(st.lists(st.builds(Argument, locals_, types), max_size=6))),
        draw(regions(edition)),
        draw(st.none() | st.tuples(positive, positive)),
        draw(st.none() | positive),
        _without_neighbours(draw(st.lists(facts(), max_size=4))),
    )


def facts() -> st.SearchStrategy[Fact]:
    """Facts about any name; runs of nonzeros and positions of values ascend."""
    permutations = st.integers(0, 5).flatmap(lambda order: st.permutations(range(order))).map(tuple)
    entries = st.dictionaries(st.integers(0, 100), _numbers(), max_size=50).map(_ascending)
    return (
        st.builds(Batched, names)
        | st.builds(Modes, names, permutations)
        | st.builds(Nonzeros, names, runs())
        | st.builds(Values, names, entries)
    )


def runs() -> st.SearchStrategy[Runs]:
    """Half-open runs that ascend."""
    cuts = st.sets(st.integers(0, 5000), max_size=20).map(sorted)
    return cuts.map(lambda ends: tuple(zip(ends[::2], ends[1::2], strict=False)))


def _ascending(entries: dict[int, float]) -> tuple[tuple[int, float], ...]:
    return tuple(sorted(entries.items()))


def _numbers() -> st.SearchStrategy[float]:
    return st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


def _without_neighbours(facts: list[Fact]) -> tuple[Fact, ...]:
    """Without a list of nonzeros or values that the next one would continue."""
    return tuple(
        fact
        for fact, after in zip(facts, [*facts[1:], None], strict=False)
        if not (isinstance(fact, Nonzeros | Values) and type(fact) is type(after))
    )


@st.composite
def regions(draw: st.DrawFn, edition: Edition, depth: int = 2) -> Region:
    """Regions with regions inside."""
    kinds = [_values, _collectives, _others, *([_branches] if depth else [])]
    chosen = draw(st.lists(st.sampled_from(kinds), max_size=4))
    return tuple(draw(kind(edition, depth)) for kind in chosen)


def _offsets(edition: Edition) -> st.SearchStrategy[Extent]:
    return st.just(0) if edition in FIRST_EDITIONS else extents


def _scalars(edition: Edition) -> st.SearchStrategy[ScalarType]:
    return st.sampled_from([type_ for type_ in ScalarType if edition in FIRST_EDITIONS or type_ not in UNSIGNED])


Node = TypeVar("Node")


def _as_read(node: Node) -> Node:
    """The node as a text gives it: an integer literal of a floating-point type is the double that is nearest."""
    match node:
        case ArithBinary(left=left, right=right, type=type_) | Compare(left=left, right=right, type=type_):
            return replace(node, left=number_of(left, type_), right=number_of(right, type_))
        case ArithUnary(operand=operand, type=type_) | Cast(operand=operand, from_type=type_):
            return replace(node, operand=number_of(operand, type_))
        case TypedScalar(value=value, type=type_):
            return replace(node, value=number_of(value, type_))
        case Yield(values=values, types=types):
            return replace(node, values=(*map(number_of, values, types), *values[len(types) :]))
        case _:
            return node


@st.composite
def _values(draw: st.DrawFn, edition: Edition, _depth: int) -> Instruction:
    scalars, offsets = _scalars(edition), _offsets(edition)
    tensors = memrefs(scalars)
    expanded = tensors.filter(lambda memref: edition not in RELEASED or None not in memref.strides)
    allocated = tensors.filter(lambda memref: edition not in RELEASED or memref.order > 0)
    first = edition in FIRST_EDITIONS
    binary = st.sampled_from([operator for operator in BinaryOperator if not first or operator not in BIT_OPERATORS])
    unary = st.just(UnaryOperator.NEG) if first else st.sampled_from(UnaryOperator)
    slices = st.builds(Position, index_operands) | st.builds(Slice, index_operands, st.none() | index_operands)
    shapes = st.lists(st.none() | index_operands, min_size=2, max_size=4).map(tuple)
    return draw(
        st.builds(Alloca, locals_, allocated, nonzeros=st.none() | runs())
        | st.builds(ArithBinary, locals_, binary, operands, operands, scalars).map(_as_read)
        | st.builds(ArithUnary, locals_, unary, operands, scalars).map(_as_read)
        | st.builds(Cast, locals_, operands, scalars, scalars).map(_as_read)
        | st.builds(Compare, locals_, st.sampled_from(Condition), operands, operands, scalars).map(_as_read)
        | st.builds(Expand, locals_, locals_, modes, shapes, expanded)
        | st.builds(Fuse, locals_, locals_, modes, modes, tensors)
        | st.builds(GroupId, locals_)
        | st.builds(GroupSize, locals_)
        | st.builds(Load, locals_, locals_, indices, tensors | st.builds(GroupType, tensors, offsets))
        | st.builds(Size, locals_, locals_, modes, tensors)
        | st.builds(Subview, locals_, locals_, st.lists(slices, max_size=4).map(tuple), tensors)
    )


@st.composite
def _collectives(draw: st.DrawFn, edition: Edition, _depth: int) -> Instruction:
    factors = operands if edition in RELEASED else locals_ | floats
    scalar = st.builds(TypedScalar, factors, _scalars(edition)).map(_as_read)
    tensor = st.builds(TypedMemref, locals_, memrefs(_scalars(edition)))
    update = (scalar, st.tuples(tensor), scalar, tensor)
    product = (scalar, st.tuples(tensor, tensor), scalar, tensor)
    none, one, two = st.just(()), st.tuples(transposes), st.tuples(transposes, transposes)
    flags = st.just(False) if edition in RELEASED else st.booleans()
    return draw(
        st.builds(Axpby, one, flags, *update)
        | st.builds(Gemm, two, flags, *product)
        | st.builds(Gemv, one, flags, *product)
        | st.builds(Ger, none, flags, *product)
        | st.builds(HadamardProduct, none, flags, *product)
        | st.builds(Sum, one, flags, *update)
    )


@st.composite
def _others(draw: st.DrawFn, edition: Edition, _depth: int) -> Instruction:
    stores = st.builds(Store, locals_, locals_, indices, memrefs(_scalars(edition)))
    yields = st.builds(
        Yield, st.lists(operands, max_size=3).map(tuple), st.lists(_scalars(edition), max_size=3).map(tuple)
    ).map(_as_read)
    barriers = st.builds(Barrier) | st.builds(LifetimeStop, locals_)
    return draw(stores | yields if edition in RELEASED else stores | yields | barriers)


@st.composite
def _branches(draw: st.DrawFn, edition: Edition, depth: int) -> Instruction:
    scalars = _scalars(edition)
    some_types = st.lists(scalars, max_size=3).map(tuple)
    some_locals = st.lists(locals_, max_size=3).map(tuple)
    bounds = (index_operands, index_operands)
    inner = regions(edition, depth - 1)
    return draw(
        st.builds(If, some_locals, index_operands, some_types, inner, st.none() | inner)
        | st.builds(For, locals_, *bounds, index_operands, scalars, inner)
        | st.builds(Foreach, locals_, *bounds, scalars, inner)
    )
