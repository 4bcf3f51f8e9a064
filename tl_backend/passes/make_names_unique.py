"""Every value has a name of its own, so that whoever looks for a value by its name finds it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tl_backend.instructions import For, Foreach, If, Instruction, Local, Operand, Region, ValueInstruction
from tl_backend.program import Function
from tl_backend.rewrite import Names, substitute, with_regions


def make_names_unique(function: Function) -> Function:
    """Give a name to one value only: later values of that name, in other regions, get new names.

        for %i = 0, 4 {                                   for %i = 0, 4 {
          %a = subview %A[:, %i] : memref<f32x8x4>          %a = subview %A[:, %i] : memref<f32x8x4>
        }                                                 }
        for %i = 0, 4 {                                   for %i_1 = 0, 4 {
          %a = subview %B[:, %i] : memref<f32x8x4>          %a_1 = subview %B[:, %i_1] : memref<f32x8x4>
        }                                                 }

    Nothing else changes. The other passes and the analyses by name ask for this one to be run first.
    """
    renamer = _Renamer(Names(function), {argument.name.name for argument in function.arguments})
    return replace(function, body=renamer.region(function.body))


@dataclass(frozen=True, slots=True)
class _Renamer:
    """The names that are given away, and for those that were wanted again the last value that got another name.

    No name hides one in sight, so the last value of a name before a place in the text is the one that is meant there.
    """

    names: Names
    given: set[str]
    meant: dict[str, Operand] = field(default_factory=dict)

    def region(self, region: Region) -> Region:
        """The region with names of its own."""
        return tuple(map(self._instruction, region))

    def _instruction(self, instruction: Instruction) -> Instruction:
        known = substitute(instruction, self.meant)
        if isinstance(known, For | Foreach):
            known = replace(known, variable=self._define(known.variable))
        known = with_regions(known, self.region)
        if isinstance(known, If):
            return replace(known, results=self._define_all(known.results))
        return replace(known, result=self._define(known.result)) if isinstance(known, ValueInstruction) else known

    def _define_all(self, locals_: Iterable[Local]) -> tuple[Local, ...]:
        return tuple(map(self._define, locals_))

    def _define(self, local: Local) -> Local:
        if local.name not in self.given:
            self.given.add(local.name)
            return local
        other = replace(self.names.fresh(local.name), origin=local.origin)
        self.meant[local.name] = other
        return other
