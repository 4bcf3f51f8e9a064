"""Programs that can be written down, whether they make sense or not: every instruction, every type, every operand."""

from dataclasses import replace
from typing import TypeVar

from hypothesis import strategies as st

from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.core.runs import Runs
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.program import Argument, Batched, Edition, Fact, Function, Prefetched, Program
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

LARGEST = 2**63 - 1
UNSIGNED = {ScalarType.U8, ScalarType.U16, ScalarType.U32, ScalarType.U64}
BIT_OPERATORS = {
    tl.BinaryOperator.SHL,
    tl.BinaryOperator.SHR,
    tl.BinaryOperator.AND,
    tl.BinaryOperator.OR,
    tl.BinaryOperator.XOR,
}
FIRST_EDITIONS = (Edition.E2023, Edition.TINYTC_0_2)
RELEASED = (Edition.TINYTC_0_2, Edition.TINYTC_0_3)

names = st.sampled_from(["0", "42", "a", "x", "x8", "Q_1", "memref", "T0_"])
locals_ = st.builds(tl.Local, names)
integers = st.builds(tl.IntegerConstant, st.integers(-LARGEST, LARGEST) | st.integers(-9, 9))
floats = st.builds(tl.FloatConstant, st.floats(allow_nan=False, allow_infinity=False))
index_operands = locals_ | integers
complexes = st.builds(tl.ComplexConstant, st.complex_numbers(allow_nan=False, allow_infinity=False))
operands = locals_ | integers | floats | complexes
extents: st.SearchStrategy[Extent] = st.none() | st.integers(0, 99)
modes = st.integers(0, 5)
transposes = st.sampled_from(tl.Transpose)
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
        | st.builds(Prefetched, names)
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
def regions(draw: st.DrawFn, edition: Edition, depth: int = 2) -> tl.Region:
    """Regions with regions inside."""
    kinds = [_values, _collectives, _others, *([_branches] if depth else [])]
    chosen = draw(st.lists(st.sampled_from(kinds), max_size=4))
    return tuple(draw(kind(edition, depth)) for kind in chosen)


def _offsets(edition: Edition) -> st.SearchStrategy[Extent]:
    return st.just(0) if edition in FIRST_EDITIONS else extents


def _scalars(edition: Edition) -> st.SearchStrategy[ScalarType]:
    return st.sampled_from(
        [each for each in ScalarType if each.is_computed and (edition in FIRST_EDITIONS or each not in UNSIGNED)]
    )


Node = TypeVar("Node")


def _as_read(node: Node) -> Node:
    """The node as a text gives it: an integer literal of a floating-point type is the double that is nearest."""
    match node:
        case tl.ArithBinary(left=left, right=right, type=type_) | tl.Compare(left=left, right=right, type=type_):
            return replace(node, left=number_of(left, type_), right=number_of(right, type_))
        case tl.ArithUnary(operand=operand, type=type_) | tl.Cast(operand=operand, from_type=type_):
            return replace(node, operand=number_of(operand, type_))
        case tl.TypedScalar(value=value, type=type_):
            return replace(node, value=number_of(value, type_))
        case tl.Yield(values=values, types=types):
            return replace(node, values=(*map(number_of, values, types), *values[len(types) :]))
        case _:
            return node


@st.composite
def _values(draw: st.DrawFn, edition: Edition, _depth: int) -> tl.Instruction:
    scalars, offsets = _scalars(edition), _offsets(edition)
    tensors = memrefs(scalars)
    expanded = tensors.filter(lambda memref: edition not in RELEASED or None not in memref.strides)
    allocated = tensors.filter(lambda memref: edition not in RELEASED or memref.order > 0)
    first = edition in FIRST_EDITIONS
    binary = st.sampled_from([operator for operator in tl.BinaryOperator if not first or operator not in BIT_OPERATORS])
    unary = st.just(tl.UnaryOperator.NEG) if first else st.sampled_from(tl.UnaryOperator)
    slices = st.builds(tl.Position, index_operands) | st.builds(tl.Slice, index_operands, st.none() | index_operands)
    shapes = st.lists(st.none() | index_operands, min_size=2, max_size=4).map(tuple)
    return draw(
        st.builds(tl.Alloca, locals_, allocated, nonzeros=st.none() | runs())
        | st.builds(tl.ArithBinary, locals_, binary, operands, operands, scalars).map(_as_read)
        | st.builds(tl.ArithUnary, locals_, unary, operands, scalars).map(_as_read)
        | st.builds(tl.Cast, locals_, operands, scalars, scalars).map(_as_read)
        | st.builds(tl.Compare, locals_, st.sampled_from(tl.Condition), operands, operands, scalars).map(_as_read)
        | st.builds(tl.Expand, locals_, locals_, modes, shapes, expanded)
        | st.builds(tl.Fuse, locals_, locals_, modes, modes, tensors)
        | st.builds(tl.GroupId, locals_)
        | st.builds(tl.GroupSize, locals_)
        | st.builds(tl.Load, locals_, locals_, indices, tensors | st.builds(GroupType, tensors, offsets))
        | st.builds(tl.Size, locals_, locals_, modes, tensors)
        | st.builds(tl.Subview, locals_, locals_, st.lists(slices, max_size=4).map(tuple), tensors)
    )


@st.composite
def _collectives(draw: st.DrawFn, edition: Edition, _depth: int) -> tl.Instruction:
    factors = operands if edition in RELEASED else locals_ | floats
    scalar = st.builds(tl.TypedScalar, factors, _scalars(edition)).map(_as_read)
    tensor = st.builds(tl.TypedMemref, locals_, memrefs(_scalars(edition)))
    update = (scalar, st.tuples(tensor), scalar, tensor)
    product = (scalar, st.tuples(tensor, tensor), scalar, tensor)
    none, one, two = st.just(()), st.tuples(transposes), st.tuples(transposes, transposes)
    flags = st.just(False) if edition in RELEASED else st.booleans()
    return draw(
        st.builds(tl.Axpby, one, flags, *update)
        | st.builds(tl.Gemm, two, flags, *product)
        | st.builds(tl.Gemv, one, flags, *product)
        | st.builds(tl.Ger, none, flags, *product)
        | st.builds(tl.HadamardProduct, none, flags, *product)
        | st.builds(tl.Sum, one, flags, *update)
    )


@st.composite
def _others(draw: st.DrawFn, edition: Edition, _depth: int) -> tl.Instruction:
    stores = st.builds(tl.Store, locals_, locals_, indices, memrefs(_scalars(edition)))
    yields = st.builds(
        tl.Yield, st.lists(operands, max_size=3).map(tuple), st.lists(_scalars(edition), max_size=3).map(tuple)
    ).map(_as_read)
    barriers = st.builds(tl.Barrier) | st.builds(tl.LifetimeStop, locals_)
    return draw(stores | yields if edition in RELEASED else stores | yields | barriers)


@st.composite
def _branches(draw: st.DrawFn, edition: Edition, depth: int) -> tl.Instruction:
    scalars = _scalars(edition)
    some_types = st.lists(scalars, max_size=3).map(tuple)
    some_locals = st.lists(locals_, max_size=3).map(tuple)
    bounds = (index_operands, index_operands)
    inner = regions(edition, depth - 1)
    return draw(
        st.builds(tl.If, some_locals, index_operands, some_types, inner, st.none() | inner)
        | st.builds(tl.For, locals_, *bounds, index_operands, scalars, inner)
        | st.builds(tl.Foreach, locals_, *bounds, scalars, inner)
    )
