"""The contraction graph of an index string. It loads the planner, which calls that were compiled before do without."""

from collections import Counter
from math import prod

from einsum_front import ir
from einsum_front.index_string.program import KERNEL, Argument, StringKernel, check_extents, running


def graph_of(kernel: StringKernel, real: str) -> ir.Graph:
    """The contraction graph of a string, whose tensors are in C order; `real` is their type (`kernel_type`).

    Raises `CompileError` if an extent is 0 or too large.
    """
    if ":" in real:
        from einsum_front.index_string.complex_graph import complex_graph  # noqa: PLC0415 - few strings

        parts, _, letters = real.partition(":")
        return complex_graph(kernel, parts, [letter == "c" for letter in letters])
    builder = ir.GraphBuilder(KERNEL, ir.ElementType(real))
    for argument in (*kernel.operands, kernel.output):
        _declare(builder, argument)
    factors = [builder.read(each.name, _positions(each), each.origin) for each in kernel.operands]
    origin = kernel.origin if len(factors) > 1 else kernel.operands[0].origin
    product = builder.product(factors, _summed(kernel), origin)
    builder.assign(kernel.output.name, _positions(kernel.output), product, kernel.origin)
    return builder.graph()


def _declare(builder: ir.GraphBuilder, argument: Argument) -> None:
    check_extents(argument)
    shape = [mode.extent for mode in argument.modes]
    strides = [prod(shape[mode + 1 :]) for mode in range(len(shape))]
    storage = ir.Storage.BATCHED if argument.is_batched else ir.Storage.CONSTANT
    builder.tensor(argument.name, shape, storage, strides)


def _positions(argument: Argument) -> tuple[ir.Position, ...]:
    return tuple(0 if mode.is_stretched else mode.letter.name for mode in argument.modes)


def _summed(kernel: StringKernel) -> tuple[str, ...]:
    """The indices that the result lacks: those that several operands have before those of a single one."""
    present = [dict.fromkeys(running(operand.modes)) for operand in kernel.operands]
    counts = Counter(name for names in present for name in names)
    lacking = [name for name in counts if name not in running(kernel.output.modes)]
    return tuple(sorted(lacking, key=lambda name: counts[name] == 1))
