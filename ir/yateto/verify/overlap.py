"""Overlap: the target of an operation is not what the operation reads."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import TensorOperation, accesses
from einsum_front.ir.yateto.verify.scope import Scope


def check_overlap(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An operand shares no entry with the target, unless every entry of the target depends on itself alone.

    The latter is the same value with the same indices in the same order; never in `log`, which sums.
    """
    if not isinstance(instruction, TensorOperation):
        return
    *sources, (target, target_indices) = accesses(instruction)
    for source, indices in sources:
        is_entrywise = source.value == target.value and indices == target_indices and not _reduces(instruction)
        if not is_entrywise and _surely_overlap(source, target, scope):
            is_permuted = source.value == target.value and not _reduces(instruction)
            yield _overlap(source, target, is_permuted=is_permuted)
            return


def _reduces(instruction: TensorOperation) -> bool:
    """True if entries of operands are read for several entries of the target, or in several steps."""
    return isinstance(instruction, yir.Log) or (
        isinstance(instruction, yir.Elementwise) and instruction.combiner is not None
    )


def _surely_overlap(source: yir.Operand, target: yir.Operand, scope: Scope) -> bool:
    read, written = (scope.visible[operand.value.name].memory for operand in (source, target))
    return read is not None and written is not None and read.surely_overlaps(written)


def _overlap(source: yir.Operand, target: yir.Operand, *, is_permuted: bool) -> Diagnostic:
    message = f"`%{target.value.name}` is read and written"
    if source.value != target.value:
        message = f"`%{source.value.name}` is read and shares memory with `%{target.value.name}`, which is written"
    note = "entries would be read after they have been written"
    if is_permuted:
        note = "an operand may be the target if both have the same indices in the same order"
    also = [(source.value.origin, "read here")]
    return mistake("E0491", message, target.value.origin, "written here", also=also, notes=(note,))
