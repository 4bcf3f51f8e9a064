"""The contraction graph of an index string. It loads the planner, which calls that were compiled before do without."""

from collections import Counter
from collections.abc import Sequence
from math import prod

from einsum_front import ir
from einsum_front.core.coefficient import MINUS_ONE
from einsum_front.index_string.element_types import MOST_COMPLEX
from einsum_front.index_string.program import KERNEL, Argument, StringKernel, check_extents, running

TURNED = "turned"
"""The temporary of complex products: an operand times the imaginary unit. Operands have capital letters."""


def graph_of(kernel: StringKernel, real: str) -> ir.Graph:
    """The contraction graph of a string, whose tensors are in C order; `real` is their type (`kernel_type`).

    Raises `CompileError` if an extent is 0 or too large.
    """
    if ":" in real:
        parts, _, letters = real.partition(":")
        return _complex_graph(kernel, parts, [letter == "c" for letter in letters])
    builder = ir.GraphBuilder(KERNEL, ir.ElementType(real))
    for argument in (*kernel.operands, kernel.output):
        _declare(builder, argument)
    factors = [builder.read(each.name, _positions(each), each.origin) for each in kernel.operands]
    origin = kernel.origin if len(factors) > 1 else kernel.operands[0].origin
    product = builder.product(factors, _summed(kernel), origin)
    builder.assign(kernel.output.name, _positions(kernel.output), product, kernel.origin)
    return builder.graph()


def _complex_graph(kernel: StringKernel, real: str, are_complex: Sequence[bool]) -> ir.Graph:
    """The graph for parts of type `real`: `are_complex` says which operands have them, and the result has.

    ij,jk->ik    t[j,k,0] = -B[j,k,1]    t[j,k,1] = B[j,k,0]    C[i,k,z] = A[i,j,0] * B[j,k,z] + A[i,j,1] * t[j,k,z]

    Complex arrays are real ones with a last mode more, of extent 2. A single complex operand keeps it as it is: there
    are two real products for each. Of two, one is multiplied by the imaginary unit once for all.
    """
    builder = ir.GraphBuilder(KERNEL, ir.ElementType(real))
    names = {name for term in kernel.subscripts.operands for name in term.names}
    part = next(name for name in (f"part{number}" for number in range(len(names) + 1)) if name not in names)
    for argument, is_complex in zip((*kernel.operands, kernel.output), (*are_complex, True), strict=True):
        _declare(builder, argument, *([2] if is_complex else []))
    reals = [each for each, is_complex in zip(kernel.operands, are_complex, strict=True) if not is_complex]
    others = [each for each in kernel.operands if each not in reals]
    whole = max(others, key=lambda each: _is_whole(each, kernel))
    walked = _walked(whole)
    if len(others) == MOST_COMPLEX:
        builder.tensor(TURNED, [2, *walked.values()], ir.Storage.TEMPORARY)
    factors = [builder.read(each.name, _positions(each), each.origin) for each in reals]
    read = builder.read(whole.name, (*_positions(whole), part), whole.origin)
    over = _summed(kernel)
    if len(others) < MOST_COMPLEX:
        result = builder.product([*factors, read], over, kernel.origin)
    else:
        for made, coefficient in ((0, MINUS_ONE), (1, None)):
            given = builder.read(whole.name, (*_positions(whole), 1 - made), whole.origin)
            given = given if coefficient is None else builder.scaled(coefficient, given)
            builder.assign(TURNED, (made, *walked), given, whole.origin)
        turned = builder.read(TURNED, (part, *walked), whole.origin)
        split = next(each for each in others if each is not whole)
        products = [
            builder.product(
                [*factors, builder.read(split.name, (*_positions(split), place), split.origin), each],
                over,
                kernel.origin,
            )
            for place, each in enumerate((read, turned))
        ]
        result = builder.sum(products, kernel.origin)
    builder.assign(kernel.output.name, (*_positions(kernel.output), part), result, kernel.origin)
    return builder.graph()


def _is_whole(argument: Argument, kernel: StringKernel) -> tuple[bool, bool, int]:
    """Greatest for the operand whose parts stay side by side: it has the fastest index of the result, and is small."""
    fastest = next((mode.letter.name for mode in reversed(kernel.output.modes)), "")
    walked = _walked(argument)
    return fastest in walked, argument.is_batched, -prod(walked.values())


def _walked(argument: Argument) -> dict[str, int]:
    """The indices that an operand runs through, each once, and their extents."""
    return {mode.letter.name: mode.extent for mode in argument.modes if not mode.is_stretched}


def _declare(builder: ir.GraphBuilder, argument: Argument, *last: int) -> None:
    """A tensor in C order; `last` are extents of modes after those of the string.

    Raises `CompileError` if an extent is 0 or too large.
    """
    check_extents(argument)
    shape = [*(mode.extent for mode in argument.modes), *last]
    strides = [prod(shape[mode + 1 :]) for mode in range(len(shape))]
    storage = ir.Storage.BATCHED if argument.is_batched else ir.Storage.CONSTANT
    builder.tensor(argument.name, shape, storage, strides)


def _positions(argument: Argument) -> tuple[ir.Position, ...]:
    """The index of each mode, and 0 for modes that repeat along theirs."""
    return tuple(0 if mode.is_stretched else mode.letter.name for mode in argument.modes)


def _summed(kernel: StringKernel) -> tuple[str, ...]:
    """The indices that the result lacks: those that several operands have before those of a single one."""
    present = [dict.fromkeys(running(operand.modes)) for operand in kernel.operands]
    counts = Counter(name for names in present for name in names)
    lacking = [name for name in counts if name not in running(kernel.output.modes)]
    return tuple(sorted(lacking, key=lambda name: counts[name] == 1))
