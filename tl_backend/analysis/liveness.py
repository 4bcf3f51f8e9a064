"""How long the memory of an `alloca` is needed: from there to its `lifetime_stop`, or to the end of its region."""

from collections.abc import Mapping

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import operands, regions, walk


def lifetimes(function: Function) -> Mapping[str, range]:
    """For every `alloca` the numbers of the instructions during which its memory is alive.

    Instructions are numbered in the order of the text. Nothing outlives an iteration of its loop, so that memories
    whose ranges do not meet are never alive together.
    """
    lives, _ = _lives(function.body, 0)
    return lives


def _lives(region: tl.Region, first: int) -> tuple[dict[str, range], int]:
    """The lives that begin in the region, whose instructions are numbered from `first` on, and the next number."""
    lives: dict[str, range] = {}
    begun: dict[str, int] = {}
    number = first
    for instruction in region:
        if isinstance(instruction, tl.Alloca):
            begun[instruction.result.name] = number
        elif isinstance(instruction, tl.LifetimeStop):
            name = instruction.operand.name
            lives[name] = range(begun.pop(name), number)
        number += 1
        for inner in regions(instruction):
            inside, number = _lives(inner, number)
            lives |= inside
    return lives | {name: range(start, number) for name, start in begun.items()}, number


def needed_lifetimes(function: Function) -> Mapping[str, range]:
    """The same as far as memory is needed: to the last instruction that uses it, through any view.

    A use inside a loop or an `if` counts for the whole of it.
    """
    lives: dict[str, range] = {}
    _needed(function.body, 0, buffers(function), lives)
    return lives


def _needed(region: tl.Region, first: int, base: Mapping[str, str], lives: dict[str, range]) -> int:
    """Adds the lives that begin in the region, whose instructions are numbered from `first` on; the next number."""
    own: set[str] = set()
    number = first
    for instruction in region:
        start, number = number, number + 1
        for inner in regions(instruction):
            number = _needed(inner, number, base, lives)
        if isinstance(instruction, tl.Alloca):
            own.add(instruction.result.name)
            lives[instruction.result.name] = range(start, number)
        locals_ = (local for inner in walk((instruction,)) for local in operands(inner) if isinstance(local, tl.Local))
        for name in own & {base[local.name] for local in locals_ if local.name in base}:
            lives[name] = range(lives[name].start, number)
    return number
