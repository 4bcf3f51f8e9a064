"""Several elements of a batch for a work-group: one after the other, where one alone is less than it takes to start it.

long first = get_group_id(2) * 16;
long stop = min(first + 16, elements);
for (long element = first; element < stop; ++element) {
    the function
}
"""

from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.operations import operations
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import group_id
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import is_batched

MOST_ELEMENTS = 32
"""Elements of a work-group at most, so that all cores end at about the same time."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The loop of a work-group over so many elements; `first`, `stop` and `element` are its C names."""

    together: int
    elements: tree.Name
    element: tree.Name
    first: tree.Name
    stop: tree.Name

    @property
    def parameters(self) -> tuple[tree.Parameter, ...]:
        """The last one of the kernel: how many elements there are."""
        return (tree.Parameter(Scalar.I64, self.elements.text),)

    def loop(self, body: tree.Statements) -> tree.Statements:
        """The body, which runs one element, for all elements of the work-group."""
        together = index.constant(self.together)
        stop = index.minimum(index.add(self.first, together), self.elements)
        return (
            tree.Declare(Scalar.I64, self.first.text, index.multiply(together, group_id())),
            tree.Declare(Scalar.I64, self.stop.text, stop),
            tree.For(Scalar.I64, self.element.text, self.first, self.stop, index.ONE, body),
        )


def make_batch(function: Function, target: Target, names: Names) -> Batch | None:
    """The loop over elements that are small; None if there is one element a work-group.

    On devices other than CPUs the elements of a batch are what keeps all cores busy.
    """
    together = _together(function, target)
    is_shared = prod(function.work_items) > 1
    if together == 1 or is_shared or not target.is_cpu or not is_batched(function):
        return None
    words = ("elements", "element", "first", "stop")
    return Batch(together, *(tree.Name(names.fresh(word)) for word in words))


def _together(function: Function, target: Target) -> int:
    return min(MOST_ELEMENTS, -(-target.machine.launch.group // max(1, operations(function))))
