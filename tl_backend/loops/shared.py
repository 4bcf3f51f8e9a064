"""What is one for the file of a kernel: names, parameters, tables, the width of its vectors."""

from functools import cached_property

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.loops.lanes import lanes_of
from einsum_front.tl_backend.loops.nodes import Elements, Loops, updates
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.scalar import REGISTER, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function


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
