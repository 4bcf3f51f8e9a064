"""The target of a collective instruction and the memory that it reads."""

from collections.abc import Iterator

from einsum_front.diagnostics import Diagnostic
from einsum_front.tl_backend.analysis.area import must_overlap
from einsum_front.tl_backend.instructions import (
    Axpby,
    CollectiveInstruction,
    HadamardProduct,
    Instruction,
    Transpose,
    TypedMemref,
)
from einsum_front.tl_backend.traverse import target, typed_operands
from einsum_front.tl_backend.verify.report import mistake, mnemonic
from einsum_front.tl_backend.verify.scope import Scope


def check_overlap(instruction: Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The target shares no memory with an operand for certain, unless each element depends on itself alone.

    What depends on the values of indices, or on the caller's arguments, cannot be seen here: it is undefined.
    """
    if not isinstance(instruction, CollectiveInstruction):
        return
    written = target(instruction)
    for operand in typed_operands(instruction)[:-1]:
        if isinstance(operand, TypedMemref) and _is_shared(operand, written, instruction, scope):
            yield _mistake(operand, written, instruction)
            return


def _is_shared(operand: TypedMemref, written: TypedMemref, by: CollectiveInstruction, scope: Scope) -> bool:
    read_area, written_area = scope.area_of(operand.value), scope.area_of(written.value)
    if operand.value == written.value:
        return not _is_element_wise(by)
    if read_area is None or written_area is None or (_is_element_wise(by) and read_area == written_area):
        return False
    return must_overlap(read_area, written_area)


def _is_element_wise(instruction: CollectiveInstruction) -> bool:
    """Whether an element of the target depends on the elements at the same position alone."""
    if isinstance(instruction, Axpby):
        return instruction.transpose is Transpose.N or instruction.a.type.order == 1
    return isinstance(instruction, HadamardProduct)


def _mistake(operand: TypedMemref, written: TypedMemref, by: CollectiveInstruction) -> Diagnostic:
    word, target_name, operand_name = mnemonic(by), written.value.name, operand.value.name
    if operand.value == written.value:
        message = f"`{word}` reads `%{target_name}` and writes it"
    else:
        message = f"`{word}` writes `%{target_name}`, which shares memory with its operand `%{operand_name}`"
    also = [(operand.value.origin, "read here")]
    note = "work-items would read elements that others have written already"
    return mistake("E0444", message, written.value.origin, "written here", also=also, notes=(note,))
