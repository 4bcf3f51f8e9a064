"""The steps of a generated program: each adds an instruction or a few, or nothing where it finds no operands."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import ALL, Index
from einsum_front.tl_backend.builder import Number as Factor
from einsum_front.tl_backend.types import MemrefType, ScalarType, canonical_strides
from tests.tl_backend.scribe import LARGEST, Memory, Number, Scribe, Tensor

LARGEST_SCALAR = 1000
N, T = tl.Transpose.N, tl.Transpose.T
Step = Callable[[Scribe], None]


def write(scribe: Scribe, count: int) -> None:
    """That many steps."""
    for _ in range(count):
        scribe.choose(REPLICATED if scribe.is_spmd else REPLICATED + COLLECTIVE)(scribe)


# -- scalars -----------------------------------------------------------------------------------------------------------


def arithmetic(scribe: Scribe) -> None:
    """An operation on numbers, small enough not to overflow."""
    if not scribe.numbers:
        return
    left = scribe.choose(scribe.numbers)
    type_ = left.value.scalar
    if scribe.integer(0, 4) == 0:
        unary = scribe.choose(
            [tl.UnaryOperator.NEG] if type_.is_floating else [tl.UnaryOperator.NEG, tl.UnaryOperator.NOT]
        )
        bound = left.bound + (unary is tl.UnaryOperator.NOT)
        scribe.number(scribe.builder.unary(unary, left.value), -bound, bound)
        return
    operator = scribe.choose(_operators(left))
    right, bound = _right_operand(scribe, left, operator)
    if bound <= LARGEST_SCALAR:
        scribe.number(scribe.builder.arith(operator, left.value, right), -bound, bound)


def _operators(left: Number) -> list[tl.BinaryOperator]:
    """The operators that keep numbers whole, and leave nothing undefined."""
    sums = [tl.BinaryOperator.ADD, tl.BinaryOperator.SUB, tl.BinaryOperator.MUL]
    if left.value.scalar.is_floating:
        return sums
    whole = [
        *sums,
        tl.BinaryOperator.DIV,
        tl.BinaryOperator.REM,
        tl.BinaryOperator.AND,
        tl.BinaryOperator.OR,
        tl.BinaryOperator.XOR,
    ]
    return [*whole, tl.BinaryOperator.SHL, tl.BinaryOperator.SHR] if left.low >= 0 else whole


def _right_operand(scribe: Scribe, left: Number, operator: tl.BinaryOperator) -> tuple[Factor, int]:
    """The second operand, and the bound of the result."""
    if operator in (tl.BinaryOperator.DIV, tl.BinaryOperator.REM, tl.BinaryOperator.SHL, tl.BinaryOperator.SHR):
        constant = scribe.integer(1, 4)
        return constant, left.bound << constant if operator is tl.BinaryOperator.SHL else left.bound
    right, bound = factor(scribe, left.value.scalar)
    match operator:
        case tl.BinaryOperator.MUL:
            return right, left.bound * bound
        case tl.BinaryOperator.ADD | tl.BinaryOperator.SUB:
            return right, left.bound + bound
        case _:
            return right, 1 << max(left.bound, bound).bit_length()


def factor(scribe: Scribe, type_: ScalarType) -> tuple[Factor, int]:
    """A constant or a value of the type, with its bound."""
    same = [number for number in scribe.numbers if number.value.type is type_]
    if same and scribe.integer(0, 1):
        number = scribe.choose(same)
        return number.value, number.bound
    constant = scribe.integer(-2, 2)
    return float(constant) if type_.is_floating else constant, abs(constant)


def conversion(scribe: Scribe) -> None:
    """A cast; all numbers here fit all types."""
    if scribe.numbers:
        number = scribe.choose(scribe.numbers)
        types = [*scribe.elements, ScalarType.I32, ScalarType.I64, ScalarType.INDEX]
        scribe.number(scribe.builder.cast(number.value, scribe.choose(types)), number.low, number.high)


def comparison(scribe: Scribe) -> None:
    """A truth value."""
    if scribe.numbers:
        left = scribe.choose(scribe.numbers)
        right, _ = factor(scribe, left.value.scalar)
        scribe.conditions.append(scribe.builder.compare(scribe.choose(list(tl.Condition)), left.value, right))


def sizes(scribe: Scribe) -> None:
    """The number of groups is unknown here; the size of a mode is known."""
    tensors = [tensor for tensor in scribe.tensors if tensor.shape]
    if not tensors or scribe.integer(0, 3) == 0:
        scribe.builder.group_size()
        return
    tensor = scribe.choose(tensors)
    mode = scribe.integer(0, len(tensor.shape) - 1)
    size = tensor.shape[mode]
    scribe.number(scribe.builder.size(tensor.value, mode), size, size)


# -- entries -----------------------------------------------------------------------------------------------------------


def entry(scribe: Scribe) -> None:
    """Loads an entry."""
    tensors = [tensor for tensor in scribe.tensors if scribe.may_read(tensor.memory)]
    if tensors:
        tensor = scribe.choose(tensors)
        scribe.note_read(tensor.memory)
        bound = tensor.memory.bound
        if bound <= LARGEST_SCALAR:
            scribe.number(scribe.builder.load(tensor.value, *positions(scribe, tensor.shape)), -bound, bound)


def positions(scribe: Scribe, shape: tuple[int, ...]) -> tuple[Index, ...]:
    """An entry of a tensor of the shape, by constants and by values that lie inside."""
    return tuple(scribe.choose(_inside(scribe, size)) for size in shape)


def _inside(scribe: Scribe, size: int) -> list[Index]:
    values = [number.value for number in scribe.numbers if number.low >= 0 and number.high < size]
    return [scribe.integer(0, size - 1), *(value for value in values if value.type is ScalarType.INDEX)]


def scatter(scribe: Scribe) -> None:
    """Writes entries in a foreach, each in its own iteration."""
    tensors = [tensor for tensor in scribe.tensors if scribe.may_write(tensor.memory) and tensor.memory.is_written]
    if tensors:
        fill(scribe, scribe.choose(tensors), whole=False)


def fill(scribe: Scribe, tensor: Tensor, *, whole: bool) -> None:
    """Writes all entries of a tensor, or one for each position of its first mode."""
    size = tensor.shape[0] if tensor.shape else 1
    type_ = scribe.choose([ScalarType.INDEX, ScalarType.INDEX, ScalarType.I32])
    stop = scribe.index_of(size) if type_ is ScalarType.INDEX else size
    with scribe.builder.foreach_loop(0, stop, type_) as counter, scribe.spread(tensor.memory):
        variable = counter if type_ is ScalarType.INDEX else scribe.builder.cast(counter, ScalarType.INDEX)
        scribe.number(variable, 0, size - 1)
        write(scribe, scribe.integer(0, 2))
        if whole:
            with ExitStack() as loops:
                inner = [loops.enter_context(scribe.builder.for_loop(0, size)) for size in tensor.shape[1:]]
                bound = put(scribe, tensor, (variable, *inner) if tensor.shape else ())
        else:
            rest = positions(scribe, tensor.shape[1:])
            bound = put(scribe, tensor, (variable, *rest) if tensor.shape else ())
    scribe.note_written(tensor.memory, bound)


def put(scribe: Scribe, tensor: Tensor, place: tuple[Index, ...]) -> int:
    """Stores some number, and gives its bound."""
    number = scribe.choose(scribe.numbers)
    value = scribe.builder.cast(number.value, tensor.element)
    if tensor.memory.is_written and scribe.repetitions(tensor.memory) == 1 and tensor.memory.bound < LARGEST // 2:
        old = scribe.builder.load(tensor.value, *place)
        scribe.builder.store(scribe.builder.arith(tl.BinaryOperator.SUB, old, value), tensor.value, *place)
        return tensor.memory.bound + number.bound
    scribe.builder.store(value, tensor.value, *place)
    return number.bound


# -- memory and views --------------------------------------------------------------------------------------------------


def temporary(scribe: Scribe) -> None:
    """New memory, with entries or still without."""
    tensor = allocate(scribe, tuple(scribe.integer(1, 5) for _ in range(scribe.choose([2, 1, 0, 3]))))
    if scribe.integer(0, 1):
        fill(scribe, tensor, whole=True)


def allocate(scribe: Scribe, shape: tuple[int, ...]) -> Tensor:
    """New memory without entries."""
    memory = Memory(is_writable=True, bound=0, region=scribe.region, is_written=False)
    gap = scribe.choose([0, 0, 1, 3])
    strides = canonical_strides(tuple(size + gap for size in shape))
    value = scribe.builder.alloca(MemrefType(scribe.choose(scribe.elements), shape, strides))
    return scribe.tensor(value, shape, memory, is_whole=True)


def operand(scribe: Scribe, shape: tuple[int, ...], target: Memory) -> Tensor:
    """A tensor of the shape that can be read while the target is written: a part of another one, or a new one."""
    fitting = scribe.fitting(shape, target)
    if not fitting:
        tensor = allocate(scribe, shape)
        fill(scribe, tensor, whole=True)
        return tensor
    tensor = scribe.choose(fitting)
    scribe.note_read(tensor.memory)
    return tensor if tensor.shape == shape else scribe.part(tensor, shape)


def end_of_life(scribe: Scribe) -> None:
    """Ends the life of memory of this region."""
    own = [tensor for tensor in scribe.tensors if tensor.is_whole and tensor.memory.region == scribe.region]
    if own:
        tensor = scribe.choose(own)
        scribe.builder.lifetime_stop(tensor.value)
        scribe.forget(tensor.memory)


def barrier(scribe: Scribe) -> None:
    """Work-items wait."""
    scribe.builder.barrier()


def part(scribe: Scribe) -> None:
    """A view on a part."""
    if scribe.tensors:
        tensor = scribe.choose(scribe.tensors)
        order = scribe.integer(0, len(tensor.shape))
        scribe.part(tensor, tuple(scribe.integer(1, size) for size in tensor.shape[:order]))


def fusion(scribe: Scribe) -> None:
    """Neighbouring modes that lie close, seen as one."""
    pairs = [
        (tensor, mode) for tensor in scribe.tensors for mode in range(len(tensor.shape) - 1) if _lie_close(tensor, mode)
    ]
    if pairs:
        tensor, mode = scribe.choose(pairs)
        shape = (*tensor.shape[:mode], tensor.shape[mode] * tensor.shape[mode + 1], *tensor.shape[mode + 2 :])
        scribe.tensor(scribe.builder.fuse(tensor.value, mode, mode + 1), shape, tensor.memory)


def _lie_close(tensor: Tensor, mode: int) -> bool:
    stride, next_stride = tensor.value.memref.strides[mode : mode + 2]
    return stride is not None and stride * tensor.shape[mode] == next_stride


def expansion(scribe: Scribe) -> None:
    """A mode, seen as two."""
    tensors = [tensor for tensor in scribe.tensors if tensor.shape]
    if tensors:
        tensor = scribe.choose(tensors)
        mode = scribe.integer(0, len(tensor.shape) - 1)
        size = tensor.shape[mode]
        first = scribe.choose([divisor for divisor in range(1, size + 1) if size % divisor == 0])
        sizes = (first, size // first)
        unknown = scribe.choose([None, 0, 1])
        entries = tuple(None if i == unknown else scribe.index_of(each) for i, each in enumerate(sizes))
        shape = (*tensor.shape[:mode], *sizes, *tensor.shape[mode + 1 :])
        scribe.tensor(scribe.builder.expand(tensor.value, mode, entries), shape, tensor.memory)


# -- regions -----------------------------------------------------------------------------------------------------------


def loop(scribe: Scribe) -> None:
    """A loop in order, of a few iterations."""
    start, count, step = scribe.integer(0, 2), scribe.integer(1, 3), scribe.integer(1, 2)
    stop = start + (count - 1) * step + 1
    type_ = scribe.choose([ScalarType.INDEX, ScalarType.INDEX, ScalarType.I32])
    limit = scribe.index_of(stop) if type_ is ScalarType.INDEX else stop
    with scribe.builder.for_loop(start, limit, step, type_) as variable, scribe.repeated(count):
        scribe.number(variable, start, stop - 1)
        write(scribe, scribe.integer(1, 3))


def branch(scribe: Scribe) -> None:
    """Instructions under a condition."""
    comparison(scribe)
    if scribe.conditions:
        with scribe.builder.if_then(scribe.choose(scribe.conditions)), scribe.inside():
            write(scribe, scribe.integer(1, 2))


def choice(scribe: Scribe) -> None:
    """One of two numbers, or one of two pairs, after a few instructions."""
    comparison(scribe)
    if not scribe.conditions:
        return
    known = [*scribe.elements, ScalarType.I32, ScalarType.INDEX]
    types = tuple(scribe.choose(known) for _ in range(scribe.choose([1, 1, 2])))
    bounds: list[list[int]] = []

    def side() -> tuple[Factor, ...]:
        with scribe.inside():
            write(scribe, scribe.integer(0, 1))
            given = [factor(scribe, type_) for type_ in types]
        bounds.append([bound for _, bound in given])
        return tuple(value for value, _ in given)

    values = scribe.builder.if_else(scribe.choose(scribe.conditions), types, side, side)
    for value, *each in zip(values, *bounds, strict=True):
        scribe.number(value, -max(each), max(each))


# -- collective instructions -------------------------------------------------------------------------------------------


def collective(scribe: Scribe) -> None:
    """`C := alpha … + beta C` for some C, whose entries stay small."""
    targets = [tensor for tensor in scribe.tensors if len(tensor.shape) <= 2 and _may_update(scribe, tensor)]
    if not targets:
        return
    target = scribe.choose(targets)
    kind = scribe.choose(
        [(update, total), (update, matrix_vector, elementwise, total), (update, matrices, outer)][len(target.shape)]
    )
    types = scribe.elements if target.element.is_floating else (target.element,)
    alpha, alpha_bound = factor(scribe, scribe.choose(types))
    beta, beta_bound = _beta(scribe, target, scribe.choose(types))
    atomic = target.memory.is_shared_sum or scribe.integer(0, 3) == 0
    write_instruction, bound = kind(scribe, target, Factors(alpha, beta, atomic))
    repetitions = scribe.repetitions(target.memory) * target.memory.groups
    grown = alpha_bound * bound * repetitions + beta_bound * target.memory.bound
    if grown <= LARGEST:
        write_instruction()
        scribe.note_written(target.memory, grown)


def _may_update(scribe: Scribe, tensor: Tensor) -> bool:
    """Whether the target can be read, or is written as a whole for the first time where it was made."""
    memory = tensor.memory
    if memory.is_shared_sum:
        return True
    is_new = tensor.is_whole and memory.region == scribe.region
    return scribe.may_write(memory) and (memory.is_written or is_new)


def _beta(scribe: Scribe, target: Tensor, type_: ScalarType) -> tuple[Factor, int]:
    """A factor that is 0 if nothing is there yet, and that lets nothing grow in a loop."""
    constant = scribe.integer(-1, 1)
    if not target.memory.is_written:
        constant = 0
    elif target.memory.is_shared_sum:
        constant = 1
    elif scribe.repetitions(target.memory) == 1:
        return factor(scribe, type_)
    return float(constant) if type_.is_floating else constant, abs(constant)


def _may_be_operand(scribe: Scribe, target: Tensor, by: "Factors") -> bool:
    """Whether the target is read as well, where each entry depends on itself alone; nothing may grow in a loop."""
    memory = target.memory
    return not by.atomic and scribe.integer(0, 1) == 0 and memory.is_written and scribe.repetitions(memory) == 1


@dataclass(frozen=True)
class Factors:
    """What a collective instruction multiplies with, and whether it updates atomically."""

    alpha: Factor
    beta: Factor
    atomic: bool


Made = tuple[Callable[[], None], int]
"""What writes the instruction, and the bound of what it adds for alpha = 1."""


def update(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """axpby"""
    op = scribe.choose([N, T])
    shape = target.shape[::-1] if op is T else target.shape
    a = target if op is N and _may_be_operand(scribe, target, by) else operand(scribe, shape, target.memory)
    write_it = partial(scribe.builder.axpby, by.alpha, a.value, by.beta, target.value, op, atomic=by.atomic)
    return write_it, a.memory.bound


def matrices(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """gemm"""
    (m, n), k = target.shape, scribe.integer(1, 4)
    op_a, op_b = scribe.choose([N, T]), scribe.choose([N, T])
    a = operand(scribe, (k, m) if op_a is T else (m, k), target.memory)
    b = operand(scribe, (n, k) if op_b is T else (k, n), target.memory)
    bound = k * a.memory.bound * b.memory.bound
    write_it = partial(
        scribe.builder.gemm, by.alpha, a.value, b.value, by.beta, target.value, (op_a, op_b), atomic=by.atomic
    )
    return write_it, bound


def matrix_vector(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """gemv"""
    (m,), k, op = target.shape, scribe.integer(1, 4), scribe.choose([N, T])
    a = operand(scribe, (k, m) if op is T else (m, k), target.memory)
    b = operand(scribe, (k,), target.memory)
    bound = k * a.memory.bound * b.memory.bound
    write_it = partial(scribe.builder.gemv, by.alpha, a.value, b.value, by.beta, target.value, op, atomic=by.atomic)
    return write_it, bound


def outer(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """ger"""
    m, n = target.shape
    a, b = operand(scribe, (m,), target.memory), operand(scribe, (n,), target.memory)
    write_it = partial(scribe.builder.ger, by.alpha, a.value, b.value, by.beta, target.value, atomic=by.atomic)
    return write_it, a.memory.bound * b.memory.bound


def elementwise(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """hadamard_product"""
    a, b = (
        target if _may_be_operand(scribe, target, by) else operand(scribe, target.shape, target.memory)
        for _ in range(2)
    )
    bound = a.memory.bound * b.memory.bound
    write_it = partial(
        scribe.builder.hadamard_product, by.alpha, a.value, b.value, by.beta, target.value, atomic=by.atomic
    )
    return write_it, bound


def total(scribe: Scribe, target: Tensor, by: Factors) -> Made:
    """sum"""
    k = scribe.integer(1, 4)
    op = scribe.choose([N, T]) if target.shape else N
    a = operand(scribe, (k, *target.shape) if op is T else (*target.shape, k), target.memory)
    write_it = partial(scribe.builder.sum, by.alpha, a.value, by.beta, target.value, op, atomic=by.atomic)
    return write_it, k * a.memory.bound


def beside(scribe: Scribe) -> None:
    """`C := alpha K A + C` for parts A and C of one tensor that lie beside each other."""
    tensor = scribe.choose([None, *(tensor for tensor in scribe.tensors if _can_be_cut(scribe, tensor))])
    if tensor is None:
        return
    memory, size, columns = tensor.memory, tensor.shape[0], (ALL,) * (len(tensor.shape) - 1)
    rows = scribe.integer(1, size - 1)
    k = operand(scribe, (rows, size - rows), memory)
    alpha, alpha_bound = factor(scribe, tensor.element)
    bound = alpha_bound * (size - rows) * k.memory.bound * memory.bound + memory.bound
    if k.element is tensor.element and bound <= LARGEST:
        is_above = scribe.integer(0, 1) == 1
        c = scribe.builder.subview(tensor.value, (0 if is_above else size - rows, rows), *columns)
        a = scribe.builder.subview(tensor.value, (rows if is_above else 0, size - rows), *columns)
        multiply = scribe.builder.gemm if columns else scribe.builder.gemv
        multiply(alpha, k.value, a, 1.0 if tensor.element.is_floating else 1, c)
        scribe.note_written(memory, bound)


def _can_be_cut(scribe: Scribe, tensor: Tensor) -> bool:
    """Whether the tensor has several rows, all of which can be read and written."""
    memory = tensor.memory
    is_open = memory.is_written and scribe.may_write(memory) and scribe.repetitions(memory) == 1
    return is_open and len(tensor.shape) in (1, 2) and tensor.shape[0] > 1


REPLICATED: list[Step] = [arithmetic, conversion, comparison, sizes, entry, part, fusion, expansion, branch, choice]
COLLECTIVE: list[Step] = [temporary, scatter, barrier, end_of_life, loop, beside, beside, *[collective] * 12]
