"""Several elements of a batch side by side in a work-group, where starting a group for each would cost more.

int item_column = get_local_id(1) % 4;
long wanted = get_group_id(2) * 8 + get_local_id(1) / 4;
bool is_element = wanted < elements;                       the last group can have more places than there are elements
long element = min(wanted, elements - 1);
int place = element - get_group_id(2) * 8;
if (is_element) { an instruction }                         each for itself: barriers are for all

Work-items without an element of their own go along with those of the last one, and read what these have written.
"""

from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import work_group
from einsum_front.tl_backend.opencl.requirements import conditional_barriers
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.items import Items
from einsum_front.tl_backend.traverse import is_batched

MOST_ELEMENTS = 32
"""Elements of a work-group at most: their place is a part of the number of a work-item."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """So many elements in a work-group, and the C names of a work-item's element and its place among them."""

    together: int
    elements: tree.Name
    element: tree.Name
    wanted: tree.Name
    place: tree.Name
    is_element: tree.Name

    @property
    def parameters(self) -> tuple[tree.Parameter, ...]:
        """The last one of the kernel: how many elements there are."""
        return (tree.Parameter(Scalar.I64, self.elements.text),)

    def declarations(self, items: Items) -> tree.Statements:
        """Declarations of each work-item for its element."""
        in_both = items.rows > 1 and items.columns > 1
        wanted = index.add(self._first, index.divide(tree.ItemId(1), index.constant(items.columns if in_both else 1)))
        last = index.subtract(self.elements, index.ONE)
        return (
            tree.Declare(Scalar.I64, self.wanted.text, wanted),
            tree.Declare(
                Scalar.BOOL, self.is_element.text, tree.Binary(tree.BinaryOperator.LESS, self.wanted, self.elements)
            ),
            tree.Declare(Scalar.I64, self.element.text, index.minimum(self.wanted, last)),
        )

    def own_memory(self, array: str, size: int, name: str) -> tree.Statements:
        """The part of an array of bytes in local memory that an element has, which is of that size."""
        part = index.add(tree.Name(array), index.multiply(index.constant(size), self.place))
        return (
            tree.Declare(Scalar.I32, self.place.text, index.subtract(self.element, self._first)),
            tree.Declare(Pointer(Scalar.U8, AddressSpace.LOCAL), name, part),
        )

    @property
    def _first(self) -> tree.Expression:
        return index.multiply(index.constant(self.together), work_group())


def make_side_by_side(together: int, names: Names) -> SideBySide | None:
    """The names for so many elements; None for one."""
    words = ("elements", "element", "wanted", "place", "is_element")
    return SideBySide(together, *(tree.Name(names.fresh(word)) for word in words)) if together > 1 else None


def elements_together(function: Function, target: Target, local_memory: int) -> int:
    """How many elements of the function a work-group has, each with so many bytes of local memory.

    Those with barriers under conditions, which need not hold for all elements, stay alone.
    """
    items, shared = prod(function.work_items), target.machine.shared
    if target.is_cpu or not 1 < items <= shared.alone or not is_batched(function) or function.subgroup_size is not None:
        return 1
    if next(conditional_barriers(function.body), None) is not None:
        return 1
    room = target.local_memory // local_memory if local_memory else MOST_ELEMENTS
    return max(1, min(MOST_ELEMENTS, shared.together // items, target.max_work_group_size // items, room))
