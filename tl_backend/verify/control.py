"""Regions: what may stand in an spmd region, and where `yield` stands.

A region inside an spmd region is spmd too, whatever holds it: `for` and `if` may stand in a `foreach`, and hold
replicated instructions only.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.words import counted
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse import unparse_type
from einsum_front.tl_backend.unparse.instructions import mnemonic
from einsum_front.tl_backend.verify.scope import Scope


def check_spmd(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An spmd region holds replicated instructions, and no spmd region."""
    around = scope.foreach
    if around is None:
        return
    also = [(around.origin, "this `foreach` spreads its iterations over the work-items")]
    word = f"`{mnemonic(instruction)}`"
    if isinstance(instruction, tl.Foreach):
        yield mistake("E0416", "`foreach` stands inside a `foreach`", instruction.origin, "the inner one", also=also)
    elif isinstance(instruction, tl.Collective | tl.Alloca | tl.Barrier | tl.LifetimeStop):
        yield mistake(
            "E0415",
            f"{word} stands inside a `foreach`",
            instruction.origin,
            "needs all work-items together",
            also=also,
        )


def check_yields(region: tl.Region, owner: tl.RegionInstruction | None) -> Iterator[Diagnostic]:
    """A `yield` is the last instruction of a region of an `if`; `owner` is what holds the region."""
    for position, instruction in enumerate(region):
        if not isinstance(instruction, tl.Yield):
            continue
        if not isinstance(owner, tl.If):
            yield mistake(
                "E0417", "`yield` stands outside of an `if`", instruction.origin, "there is nothing to return from"
            )
        elif position != len(region) - 1:
            also = [(region[position + 1].origin, "never reached")]
            yield mistake(
                "E0417", "`yield` is not the last instruction of its region", instruction.origin, "", also=also
            )


def check_results(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """An `if` names as many values as it has types, and both its regions yield them."""
    if not isinstance(instruction, tl.If):
        return
    named, typed = len(instruction.results), len(instruction.types)
    if named != typed:
        message = f"`if` returns {counted(typed, 'value')}, but {counted(named, 'name')} stand before it"
        yield mistake("E0419", message, instruction.origin)
    elif instruction.types and instruction.otherwise is None:
        yield mistake(
            "E0418", "`if` returns values but has no `else`", instruction.origin, "what if the condition is false?"
        )
    else:
        yield from _check_yielded(instruction, instruction.then, "then")
        yield from _check_yielded(instruction, instruction.otherwise or (), "else")


def _check_yielded(owner: tl.If, region: tl.Region, name: str) -> Iterator[Diagnostic]:
    last = region[-1] if region else None
    if not isinstance(last, tl.Yield):
        if owner.types and not any(isinstance(instruction, tl.Yield) for instruction in region):
            message = f"the `{name}` region of this `if` does not end with a `yield`"
            yield mistake("E0418", message, owner.origin, f"returns {_listed(owner.types)}")
    elif last.types != owner.types:
        message = f"`yield` returns {_listed(last.types)}, but its `if` returns {_listed(owner.types)}"
        yield mistake("E0419", message, last.origin, "", also=[(owner.origin, "the `if`")])
    elif len(last.values) != len(last.types):
        message = f"`yield` has {counted(len(last.values), 'value')} but {counted(len(last.types), 'type')}"
        yield mistake("E0419", message, last.origin)


def _listed(types: tuple[ScalarType, ...]) -> str:
    return f"({', '.join(map(unparse_type, types))})"
