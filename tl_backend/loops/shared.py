"""What is one for the file of a kernel: names, parameters, tables, the width of its vectors."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.loops.lanes import lanes_of
from einsum_front.tl_backend.loops.nodes import Elements, Loops, updates
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.scalar import REGISTER, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function

OFTEN = 4
"""Uses of a number from which on it has a register."""


class Shared:
    """What the blocks of a kernel share; `tables` and `statements` grow while they are lowered."""

    def __init__(self, loops: Loops, function: Function, target: Target, names: Names) -> None:
        batch = loops.batch
        if batch is None or not isinstance(batch.extent, Elements):
            raise CompilerBug("loops without one over the elements")
        self.loops, self.target, self.names = loops, target, names
        self.width = batch.extent.block
        self.entry = names.fresh(local_name(function.name))
        self.transpose = names.fresh("transpose")
        self.parameters = Parameters(function, names)
        self.batch_modes = function.batch_modes
        self.lanes = lanes_of(function)
        self.group = names.fresh("group")
        self.scalar = REGISTER[loops.tensors[0].element]
        self.tables: list[tree.Table] = []
        self.statements = 0
        self.streams = tree.Name(names.fresh("streams"))

    @cached_property
    def lane_axes(self) -> frozenset[str]:
        """Axes whose points are elements of a block."""
        accesses = (access for update in updates(self.loops.body) for access in update.accesses)
        names = (name for access in accesses if access.element is not None for name in access.element.names)
        return frozenset(names) - {each.axis for each in self.loops.batches}

    @cached_property
    def held(self) -> dict[float, tree.Name]:
        """Variables with numbers that are written into the code, by magnitude: as many as there are registers for.

        Products load the others beside what they multiply. What is used a few times only is not worth a register.
        """
        literals = (each.values or () for each in self.loops.tensors if each.is_literal)
        uses = Counter(abs(number(value, self.scalar).value) for known in literals for _, value in known)
        often = [value for value, times in uses.most_common() if times >= OFTEN and value not in (0.0, 1.0)]
        registers = self.target.vector_registers
        most = registers * 3 // 4 if len(often) <= registers * 3 // 4 else registers // 2
        return {value: tree.Name(self.names.fresh("number")) for value in often[:most] if self.width > 1}

    def held_numbers(self) -> Iterator[tree.Statement]:
        """Their declarations."""
        vector = Vector(self.scalar, self.width)
        for value, name in self.held.items():
            yield tree.Declare(vector, name.text, tree.Pack(vector, (number(value, self.scalar),)), is_held=True)

    def table(self, hint: str, numbers: tuple[int, ...]) -> tree.Name:
        """The table of these numbers."""
        return self._table(hint, Scalar.I32, numbers)

    def values(self, hint: str, numbers: tuple[float, ...]) -> tree.Name:
        """The table of these numbers, rounded to the element type."""
        return self._table(hint, self.scalar, tuple(float(number(each, self.scalar).value) for each in numbers))

    def _table(self, hint: str, element: Scalar, numbers: tuple[int, ...] | tuple[float, ...]) -> tree.Name:
        """The table that is there already, or a new one."""
        for each in self.tables:
            if each.element is element and repr(each.values) == repr(numbers):  # 0.0 and -0.0 are two numbers
                return tree.Name(each.name)
        self.tables.append(tree.Table(element, self.names.fresh(hint), numbers))
        return tree.Name(self.tables[-1].name)
