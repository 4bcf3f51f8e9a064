"""Instructions that change nothing that the caller sees are removed."""

from collections.abc import Mapping
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_body, with_regions
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import operands, regions, results, walk


def remove_dead_code(function: Function) -> Function:
    """Keep what writes an argument, and what that needs: values, memory that is read, loops and conditions around it.

        %t = alloca -> memref<f32x4>
        axpby.n 1.0, %A, 0.0, %t : …
        %n = arith.add %i, 1 : index
        store %a, %A[%i] : memref<f32x4>         store %a, %A[%i] : memref<f32x4>

    Barriers stay if anything around them does, and an `if` that stays keeps all its results.
    """
    needed = _Needed(buffers(function), {argument.name.name for argument in function.arguments})
    while needed.grow(function.body):
        pass
    return with_body(function, needed.sweep(function.body))


@dataclass(slots=True)
class _Needed:
    """The names of the values, and the arguments and allocas by whose contents the caller sees a difference."""

    base: Mapping[str, str]
    memory: set[str]
    names: set[str] = field(default_factory=set)

    def grow(self, region: tl.Region) -> bool:
        """Add what the needed instructions need, which mostly stands before them; whether that was anything new."""
        before = len(self.names) + len(self.memory)
        for instruction in reversed(tuple(walk(region))):
            if self.has(instruction):
                self.names |= {operand.name for operand in _used(instruction) if isinstance(operand, tl.Local)}
                self.memory |= {self.base[memref.name] for memref in reads(instruction)}
        return len(self.names) + len(self.memory) > before

    def has(self, instruction: tl.Instruction) -> bool:
        """True if the caller would miss the instruction, or something in its regions."""
        made, written = results(instruction), writes(instruction)
        return (
            any(result.name in self.names for result in made)
            or any(self.base[memref.name] in self.memory for memref in written)
            or any(self.has(inner) for region in regions(instruction) for inner in region)
        )

    def sweep(self, region: tl.Region) -> tl.Region:
        """The region without what is not needed; a `yield` goes with its `if`, `lifetime_stop` with its `alloca`."""
        return tuple(with_regions(instruction, self.sweep) for instruction in region if self._stays(instruction))

    def _stays(self, instruction: tl.Instruction) -> bool:
        if isinstance(instruction, tl.LifetimeStop):
            return instruction.operand.name in self.names
        return isinstance(instruction, tl.Barrier | tl.Yield) or self.has(instruction)


def _used(instruction: tl.Instruction) -> tuple[tl.Operand, ...]:
    """The operands of the instruction, and what an `if` yields."""
    if not isinstance(instruction, tl.If):
        return operands(instruction)
    yielded = [last for region in regions(instruction) for last in region[-1:] if isinstance(last, tl.Yield)]
    return *operands(instruction), *(value for last in yielded for value in last.values)
