"""Positions that a loop counts: where its bounds are known, its first and last iteration show whether they stay inside.

Only what runs for certain is looked at. Behind an `if`, or in a loop whose bounds are known at run time only, the
program may know better.
"""

from collections.abc import Iterable, Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import GroupType
from einsum_front.tl_backend.verify.scope import Scope

Loop = tl.For | tl.Foreach


def check_iterations(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """No iteration of the loops around the instruction takes it out of a mode, as far as that is known."""
    if not isinstance(instruction, tl.Load | tl.Store | tl.Subview) or isinstance(instruction.type, GroupType):
        return
    loops = _running(scope.around)
    picks: Iterable[tl.Position | tl.Slice] = (
        instruction.slices if isinstance(instruction, tl.Subview) else map(tl.Position, instruction.indices)
    )
    for mode, (pick, size) in enumerate(zip(picks, instruction.type.shape, strict=False)):
        index, width = (pick.index, 1) if isinstance(pick, tl.Position) else (pick.offset, _known(pick.size) or 1)
        if size is not None and isinstance(index, tl.Local) and index.name in loops:
            for found in _check(index, width, mode, size, *loops[index.name]):
                scope.forgiven.add(index.name)  # one loop, one error
                yield found


def _check(index: tl.Local, width: int, mode: int, size: int, loop: Loop, positions: range) -> Iterator[Diagnostic]:
    first, last = positions[0], positions[-1]
    if first >= 0 and last + width <= size:
        return
    runs = f"`%{index.name}` runs from {first} to {last}"
    what = runs if width == 1 else f"{runs}, where a slice has {width} positions"
    message = f"{what}: outside of mode {mode}, which has size {size}"
    label = "positions count from 0" if first < 0 else f"the last position is {size - 1}"
    yield mistake("E0437", message, index.origin, label, also=[(loop.stop.origin, "the end of the loop, excluded")])


def _running(around: tuple[tl.RegionInstruction, ...]) -> dict[str, tuple[Loop, range]]:
    """The loops around a place that is met for certain, with what they count; none if an `if` or a loop may pass it."""
    loops: dict[str, tuple[Loop, range]] = {}
    for each in around:
        if not isinstance(each, tl.For | tl.Foreach):
            return {}
        bounds = (each.start, each.stop, each.step if isinstance(each, tl.For) else tl.IntegerConstant(1))
        known = [_known(bound) for bound in bounds]
        numbers = [number for number in known if number is not None]
        if len(numbers) < len(bounds) or numbers[2] < 1 or not range(*numbers):
            return {}
        loops[each.variable.name] = each, range(*numbers)
    return loops


def _known(operand: tl.IndexOperand | None) -> int | None:
    return operand.value if isinstance(operand, tl.IntegerConstant) else None
