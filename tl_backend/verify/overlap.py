"""The target of a collective instruction and the memory that it reads."""

from collections.abc import Iterator

from einsum_front.diagnostics import Diagnostic
from einsum_front.tl_backend.instructions import Collective, Instruction, TypedMemref
from einsum_front.tl_backend.semantics import is_elementwise
from einsum_front.tl_backend.unparse.words import mnemonic
from einsum_front.tl_backend.verify.report import mistake
from einsum_front.tl_backend.verify.scope import Scope


def check_overlap(instruction: Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The target shares no memory with an operand for certain, unless each element depends on itself alone.

    Where the update is atomic it may not, either: reading the operand is no part of the update. What depends on the
    values of indices, or on the caller's arguments, cannot be seen here: it is undefined.
    """
    if not isinstance(instruction, Collective):
        return
    for operand in instruction.inputs:
        if _is_shared(operand, instruction, scope):
            yield _mistake(operand, instruction.target, instruction)
            return


def _is_shared(operand: TypedMemref, by: Collective, scope: Scope) -> bool:
    read, written = scope.access_of(operand.value), scope.access_of(by.target.value)
    may_be_target = is_elementwise(by) and not by.atomic
    if operand.value == by.target.value:
        return not may_be_target
    if read is None or written is None or (may_be_target and read == written):
        return False
    return read.area.must_overlap(written.area)


def _mistake(operand: TypedMemref, written: TypedMemref, by: Collective) -> Diagnostic:
    word, target_name, operand_name = mnemonic(by), written.value.name, operand.value.name
    if operand.value == written.value:
        message = f"`{word}` reads `%{target_name}` and writes it"
    else:
        message = f"`{word}` writes `%{target_name}`, which shares memory with its operand `%{operand_name}`"
    also = [(operand.value.origin, "read here")]
    others = "work-groups" if by.atomic else "work-items"
    note = f"{others} would read elements that others have written already"
    return mistake("E0444", message, written.value.origin, "written here", also=also, notes=(note,))
