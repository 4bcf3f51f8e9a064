"""The contraction graph of an index string. It loads the planner, which calls that were compiled before do without."""

from collections import Counter
from math import prod

from einsum_front import ir
from einsum_front.core.extent import Extent
from einsum_front.elaborate import elaborate
from einsum_front.index_string.program import KERNEL, Argument, StringKernel, check_extents, running
from einsum_front.notation import checked


def graph_of(kernel: StringKernel, real: str) -> ir.Graph:
    """The contraction graph of a string, whose tensors are in C order; `real` is their type (`kernel_type`).

    Raises `CompileError` if an extent is 0 or too large.
    """
    parts, _, letters = real.partition(":")
    element_type = ir.ElementType(parts)
    are_complex = [letter == "c" for letter in letters or "r" * len(kernel.operands)]
    tensors = [
        _tensor(argument, element_type, is_complex=is_complex)
        for argument, is_complex in zip((*kernel.operands, kernel.output), (*are_complex, bool(letters)), strict=True)
    ]
    factors = tuple(map(_access, kernel.operands))
    origin = kernel.origin if len(factors) > 1 else kernel.operands[0].origin
    value: checked.Expression = checked.Product(factors, origin) if len(factors) > 1 else factors[0]
    if over := _summed(kernel):
        value = checked.Reduction(over, value, origin)
    statement = checked.Assignment(_access(kernel.output), checked.AssignmentOperator.SET, value, kernel.origin)
    made = checked.Kernel(KERNEL, (statement,))
    return elaborate(made, checked.CheckedProgram(tuple(tensors), (), (made,)))


def _tensor(argument: Argument, element_type: ir.ElementType, *, is_complex: bool) -> checked.Tensor:
    """A tensor in C order. Raises `CompileError` if an extent is 0 or too large."""
    check_extents(argument)
    shape = tuple(mode.extent for mode in argument.modes)
    strides: tuple[Extent, ...] = tuple(prod(shape[mode + 1 :]) for mode in range(len(shape)))
    storage = ir.Storage.BATCHED if argument.is_batched else ir.Storage.CONSTANT
    name = argument.name
    return checked.Tensor(name, name, element_type, storage, shape, strides, has_layout=True, is_complex=is_complex)


def _access(argument: Argument) -> checked.Access:
    """The entries that the indices run through: modes that repeat along theirs are held at 0."""
    positions = tuple(
        checked.FixedPosition(0)
        if mode.is_stretched
        else checked.IndexPosition(checked.Index(mode.letter.name, mode.extent))
        for mode in argument.modes
    )
    return checked.Access(argument.name, positions, argument.origin)


def _summed(kernel: StringKernel) -> tuple[checked.Index, ...]:
    """The indices that the result lacks: those that several operands have before those of a single one."""
    present = [dict.fromkeys(running(operand.modes)) for operand in kernel.operands]
    modes = [mode for operand in kernel.operands for mode in operand.modes if not mode.is_stretched]
    extents = {mode.letter.name: mode.extent for mode in modes}
    counts = Counter(name for names in present for name in names)
    lacking = [name for name in counts if name not in running(kernel.output.modes)]
    return tuple(checked.Index(name, extents[name]) for name in sorted(lacking, key=lambda name: counts[name] == 1))
