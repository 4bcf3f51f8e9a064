"""An index string in the notation: what `--emit ein` prints, and what the other levels are compared with."""

from einsum_front.index_string.program import KERNEL, Argument, IndexString, check_extents
from einsum_front.notation import syntax


def notation_of(string: IndexString, real: str) -> syntax.Program:
    """The program with the kernel `einsum`; `real` is the element type, `f32` or `f64`.

    Raises `CompileError` if a tensor has no entries.
    """
    kernel = string.kernel
    first, *rest = map(_reference, kernel.operands)
    times = tuple((syntax.FactorOperator.MUL, factor) for factor in rest)
    value: syntax.Expression = syntax.Product(first, times, kernel.origin) if times else first
    target = _reference(kernel.output)
    statement = syntax.Assignment(target, syntax.AssignmentOperator.SET, value, kernel.origin)
    tensors = map(_tensor, (*kernel.operands, kernel.output))
    return syntax.Program((syntax.Computed("real", real), *tensors, syntax.Kernel(KERNEL, (), (statement,))))


def _tensor(argument: Argument) -> syntax.Tensor:
    check_extents(argument)
    words = (("constant",) if not argument.is_batched else ()) + (("row_major",) if len(argument.modes) > 1 else ())
    shape = tuple(syntax.Literal(str(mode.extent)) for mode in argument.modes)
    return syntax.Tensor(argument.name, (), shape, tuple(map(syntax.Attribute, words)))


def _reference(argument: Argument) -> syntax.Reference:
    positions: list[syntax.Position] = []
    for mode in argument.modes:
        origin = (mode.letter.span,)
        if mode.is_stretched:
            positions.append(syntax.FixedIndex(syntax.Literal("0", origin), origin))
        else:
            positions.append(syntax.RunningIndex(mode.letter.name, None, origin))
    return syntax.Reference(argument.name, (), tuple(positions), argument.origin)
