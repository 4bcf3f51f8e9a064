"""The contraction graph of an index string with complex operands: products of real numbers over parts.

    ij,jk->ik      t[j,k,0] = -B[j,k,1]    t[j,k,1] = B[j,k,0]      C[i,k,z] = A[i,j,0] * B[j,k,z] + A[i,j,1] * t[j,k,z]

Complex arrays are real ones with a last mode more, of extent 2. A single complex operand keeps it as it is: there are
two real products for each. Of two, one is multiplied by the imaginary unit once for all.
"""

from collections.abc import Sequence
from math import prod

from einsum_front import ir
from einsum_front.core.coefficient import MINUS_ONE
from einsum_front.index_string.element_types import MOST_COMPLEX
from einsum_front.index_string.program import KERNEL, Argument, StringKernel, check_extents, running

TURNED = "turned"
"""The temporary: an operand times the imaginary unit. Operands have capital letters."""


def complex_graph(kernel: StringKernel, real: str, are_complex: Sequence[bool]) -> ir.Graph:
    """The graph for parts of type `real`, of which `are_complex` says which operands have them; the result has."""
    builder = ir.GraphBuilder(KERNEL, ir.ElementType(real))
    names = {name for term in kernel.subscripts.operands for name in term.names}
    part = next(name for name in (f"part{number}" for number in range(len(names) + 1)) if name not in names)
    for argument, is_complex in zip((*kernel.operands, kernel.output), (*are_complex, True), strict=True):
        _declare(builder, argument, is_complex=is_complex)
    reals = [each for each, is_complex in zip(kernel.operands, are_complex, strict=True) if not is_complex]
    others = [each for each in kernel.operands if each not in reals]
    whole = max(others, key=lambda each: _is_whole(each, kernel))
    walked = _walked(whole)
    if len(others) == MOST_COMPLEX:
        builder.tensor(TURNED, [2, *walked.values()], ir.Storage.TEMPORARY)
    factors = [builder.read(each.name, _positions(each), each.origin) for each in reals]
    read = builder.read(whole.name, (*_positions(whole), part), whole.origin)
    over = [name for each in kernel.operands for name in _walked(each) if name not in running(kernel.output.modes)]
    summed = tuple(dict.fromkeys(over))
    if len(others) < MOST_COMPLEX:
        result = builder.product([*factors, read], summed, kernel.origin)
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
                summed,
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


def _declare(builder: ir.GraphBuilder, argument: Argument, *, is_complex: bool) -> None:
    check_extents(argument)
    shape = [*(mode.extent for mode in argument.modes), *([2] if is_complex else [])]
    strides = [prod(shape[mode + 1 :]) for mode in range(len(shape))]
    storage = ir.Storage.BATCHED if argument.is_batched else ir.Storage.CONSTANT
    builder.tensor(argument.name, shape, storage, strides)


def _positions(argument: Argument) -> tuple[ir.Position, ...]:
    return tuple(0 if mode.is_stretched else mode.letter.name for mode in argument.modes)


def _walked(argument: Argument) -> dict[str, int]:
    """The indices that an operand runs through, each once, and their extents."""
    return {mode.letter.name: mode.extent for mode in argument.modes if not mode.is_stretched}
