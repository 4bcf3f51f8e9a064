"""What is one for the file of a kernel: names, parameters, tables, the width of its vectors."""

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.loops.nodes import Elements, Loops
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
        self.loops, self.target, self.names, self.batch = loops, target, names, batch
        self.width = batch.extent.block
        self.entry = names.fresh(local_name(function.name))
        self.transpose = names.fresh("transpose")
        self.parameters = Parameters(function, names)
        self.scalar = REGISTER[loops.tensors[0].element]
        self.tables: list[tree.Table] = []
        self.statements = 0

    def table(self, hint: str, numbers: tuple[int, ...]) -> tree.Name:
        """The table of these numbers."""
        for each in self.tables:
            if each.values == numbers and each.element is Scalar.I32:
                return tree.Name(each.name)
        self.tables.append(tree.Table(Scalar.I32, self.names.fresh(hint), numbers))
        return tree.Name(self.tables[-1].name)

    def values(self, hint: str, numbers: tuple[float, ...]) -> tree.Name:
        """The table of these numbers of the element type."""
        numbers = tuple(float(number(each, self.scalar).value) for each in numbers)
        for each in self.tables:
            if repr(each.values) == repr(numbers) and each.element is self.scalar:
                return tree.Name(each.name)
        self.tables.append(tree.Table(self.scalar, self.names.fresh(hint), numbers))
        return tree.Name(self.tables[-1].name)
