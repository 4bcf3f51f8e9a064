"""Temporaries that are read before anything in the text has written them.

In the order of the text; what a loop writes anywhere may have been written by an earlier iteration, and an `if` may
have taken either branch. A write of one entry counts for all of them: which entries are written, the interpreter sees.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import viewed
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import regions, walk, walked


def check_unwritten(function: Function) -> Iterator[Diagnostic]:
    """Memory of an `alloca` is written before it is read; once for each that is not."""
    if any(isinstance(each, tl.Alloca) for each in function.get(walked)):
        yield from _Check().region(function.body)


class _Check:
    """The memory behind each name so far, and which of it nothing has written yet, or was reported."""

    def __init__(self) -> None:
        self._memory: dict[str, tl.Alloca] = {}
        self._unwritten: set[int] = set()

    def region(self, region: tl.Region) -> Iterator[Diagnostic]:
        for instruction in region:
            yield from self._read(instruction)
            self._write(instruction)
            if isinstance(instruction, tl.For | tl.Foreach):
                self._write_ahead(instruction.body)
            yield from self._inner(instruction)

    def _inner(self, instruction: tl.Instruction) -> Iterator[Diagnostic]:
        before, after = set(self._unwritten), set(self._unwritten)
        for inner in regions(instruction):
            self._unwritten = set(before)
            yield from self.region(inner)
            after &= self._unwritten
        self._unwritten = after

    def _read(self, instruction: tl.Instruction) -> Iterator[Diagnostic]:
        found = reads(instruction)
        if isinstance(instruction, tl.Collective) and isinstance(instruction.beta.value, tl.Local):
            found = tuple(each.value for each in instruction.inputs)  # the target is read unless beta is 0
        for memref in found:
            alloca = self._memory.get(memref.name)
            if alloca is not None and id(alloca) in self._unwritten:
                self._unwritten.discard(id(alloca))
                message = f"`%{alloca.result.name}` is read before anything has written it"
                also = [(alloca.origin, "this memory holds nothing of use")]
                yield mistake("E0451", message, memref.origin or instruction.origin, "read here", also=also)

    def _write(self, instruction: tl.Instruction) -> None:
        if isinstance(instruction, tl.Alloca):
            self._memory[instruction.result.name] = instruction
            if instruction.nonzeros is None:
                self._unwritten.add(id(instruction))
        elif isinstance(instruction, tl.ValueInstruction):
            source = viewed(instruction)
            alloca = None if source is None else self._memory.get(source.name)
            self._memory.pop(instruction.result.name, None)
            if alloca is not None:
                self._memory[instruction.result.name] = alloca
        for memref in writes(instruction):
            if memref.name in self._memory:
                self._unwritten.discard(id(self._memory[memref.name]))

    def _write_ahead(self, body: tl.Region) -> None:
        """What an earlier iteration may have written of the memory outside of the loop."""
        outside, memory = set(self._unwritten), dict(self._memory)
        for each in walk(body):
            self._write(each)
        self._unwritten &= outside
        self._memory = memory
