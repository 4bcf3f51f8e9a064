"""Temporaries in global memory: each work-group that runs has a part of one buffer, and runs one element after another.

void f(…, long elements, global uchar *scratch)
    global uchar *own = scratch + 65536 * get_group_id(2);
    long element = get_group_id(2);
    do {
        the function
        element += get_num_groups(2);
        barrier(…);
    } while (element < elements);

So there are as many parts as work-groups run at a time, and what was written last is still in a cache. A launch has at
least one element for each work-group; a loop that may not run at all must not hold barriers on some devices.
"""

from collections.abc import Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.placement import Placement, place_buffers
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import work_group, work_groups
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.items import Items

BYTES = Pointer(Scalar.U8, AddressSpace.GLOBAL)


@dataclass(frozen=True, slots=True)
class Scratch:
    """The places of the temporaries in the part of a work-group, and the C names that the loop needs."""

    placement: Placement
    elements: tree.Name
    element: tree.Name
    memory: tree.Name
    own: tree.Name

    @property
    def together(self) -> int:
        """Elements that each work-group has at least; how many it runs is for the launch to say."""
        return 1

    @property
    def parameters(self) -> tuple[tree.Parameter, ...]:
        """The last ones of the kernel: how many elements there are, and the memory."""
        return tree.Parameter(Scalar.I64, self.elements.text), tree.Parameter(BYTES, self.memory.text)

    @property
    def places(self) -> Mapping[str, range]:
        """The bytes of each temporary in the part of the work-group."""
        return self.placement.places

    def loop(self, body: tree.Statements, items: Items) -> tree.Statements:
        """The body, which runs one element, for every element of the work-group."""
        offset = index.multiply(index.constant(self.placement.size), work_group())
        advance = tree.Assign(self.element, work_groups(), tree.BinaryOperator.ADD)
        wait = () if items.count == 1 else (wait_for_all(),)
        more = tree.Binary(tree.BinaryOperator.LESS, self.element, self.elements)
        return (
            tree.Declare(BYTES, self.own.text, index.add(self.memory, offset)),
            tree.Declare(Scalar.I64, self.element.text, work_group()),
            tree.DoWhile((*body, advance, *wait), more),
        )


def make_scratch(function: Function, names: Names) -> Scratch | None:
    """The part of a work-group, None if no temporary is in global memory."""
    placement = place_buffers(function, is_global=True)
    if not placement.places:
        return None
    return Scratch(
        placement, *(tree.Name(names.fresh(word)) for word in ("elements", "element", "scratch", "own_scratch"))
    )


def wait_for_all(*, is_local: bool = False) -> tree.Statement:
    """All work-items of the group have come here, and see what the others have written.

    With `is_local`, what they have written to local memory: a GPU need not wait for what is on its way to the other.
    """
    return tree.Barrier((AddressSpace.LOCAL,) if is_local else (AddressSpace.LOCAL, AddressSpace.GLOBAL))
