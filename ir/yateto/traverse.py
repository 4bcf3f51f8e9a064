"""Questions about a function that need all of its instructions."""

from collections.abc import Iterator

from ir.yateto.nodes import Alloca, Arith, For, Function, GetWorkItem, Instruction, Local, Region, Subview


def instructions(region: Region) -> Iterator[Instruction]:
    """All instructions, those in loops after their loop, in the order of the text."""
    for instruction in region:
        yield instruction
        if isinstance(instruction, For):
            yield from instructions(instruction.body)


def defined(instruction: Instruction) -> Local | None:
    """The local that an instruction gives a value, the variable of a loop included."""
    if isinstance(instruction, Alloca | GetWorkItem | Subview | Arith):
        return instruction.result
    if isinstance(instruction, For):
        return instruction.variable
    return None


def moved_groups(function: Function) -> frozenset[str]:
    """The groups that some `get_work_item` takes with an offset: their arguments are flat memory."""
    return frozenset(
        instruction.group.name
        for instruction in instructions(function.body)
        if isinstance(instruction, GetWorkItem) and instruction.offset is not None
    )
