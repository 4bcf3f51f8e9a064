"""The work-items that share a group of the language, and the elements that a work-group runs.

Several elements of a batch for a work-group: one after the other, where one alone is less than it takes to start it.

long first = get_group_id(2) * 16;
long stop = min(first + 16, elements);
for (long element = first; element < stop; ++element) {
    the function
}

Several elements of a batch side by side in a work-group, where starting a group for each would cost more.

int item_column = get_local_id(1) % 4;
long wanted = get_group_id(2) * 8 + get_local_id(1) / 4;
bool is_element = wanted < elements;                       the last group can have more places than there are elements
long element = min(wanted, elements - 1);
int place = element - get_group_id(2) * 8;
if (is_element) { an instruction }                         each for itself: barriers are for all

Work-items without an element of their own go along with those of the last one, and read what these have written.

Temporaries in global memory: each work-group that runs has a part of one buffer, and runs one element after another.

void f(…, long elements, global uchar *scratch)
    global uchar *own = scratch + 65536 * get_group_id(2);
    long element = get_group_id(2);
    do {
        the function
        element += get_num_groups(2);
        barrier(…);
    } while (element < elements);

Temporaries whose sizes only the launch knows lie behind all of these parts, one after the other, each with a part for
every work-group:

    const long t_bytes = (72 * n + 63) / 64 * 64;
    global double *t = scratch + 65536 * get_num_groups(2) + t_bytes * get_group_id(2);
    …
    const long u_bytes = …;
    global double *u = scratch + (65536 + t_bytes) * get_num_groups(2) + u_bytes * get_group_id(2);

So there are as many parts as work-groups run at a time, and what was written last is still in a cache. A launch has at
least one element for each work-group; a loop that may not run at all must not hold barriers on some devices.
"""

from collections.abc import Mapping
from dataclasses import field
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.effects import operations
from einsum_front.tl_backend.analysis.open_temporaries import open_bytes, open_temporaries
from einsum_front.tl_backend.analysis.placement import Placement, place_buffers
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import group_id, work_group, work_groups
from einsum_front.tl_backend.opencl.requirements import conditional_barriers
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import is_batched


@dataclass(frozen=True, slots=True)
class Items:
    """The work-items that share a collective instruction: `rows` times `columns`, and the place of this one in them."""

    rows: int = 1
    columns: int = 1
    row: tree.Expression = index.ZERO
    column: tree.Expression = index.ZERO

    @property
    def count(self) -> int:
        """How many there are."""
        return self.rows * self.columns

    @property
    def number(self) -> tree.Expression:
        """The number of this one, rows first."""
        return index.add(self.row, index.multiply(index.constant(self.rows), self.column))


ALONE = Items()
"""One work-item does everything: the whole kernel in a work-group of one, and every spmd region."""


def make_items(function: Function, names: Names) -> Items:
    """The work-items of a group; the place of this one is a variable where it is not the only one."""
    rows, columns = function.work_items
    row = tree.Name(names.fresh("item_row")) if rows > 1 else ALONE.row
    column = tree.Name(names.fresh("item_column")) if columns > 1 else ALONE.column
    return Items(rows, columns, row, column)


def declare_items(items: Items, together: int = 1) -> tree.Statements:
    """The variables of `make_items`, each from the first dimension that is free.

    The second dimension has the columns of one element behind those of the other if there are several `together`.
    """
    places = [place for place in (items.row, items.column) if isinstance(place, tree.Name)]
    ids: list[tree.Expression] = [tree.ItemId(0), tree.ItemId(1)]
    if together > 1:
        ids[1] = index.remainder(ids[1], index.constant(items.columns))
    return tuple(tree.Declare(Scalar.I32, place.text, number) for place, number in zip(places, ids, strict=False))


# -- batch -------------------------------------------------------------------------------------------------------------


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


# -- side by side ------------------------------------------------------------------------------------------------------


MOST_SIDE_BY_SIDE = 32
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
    room = target.local_memory // local_memory if local_memory else MOST_SIDE_BY_SIDE
    return max(1, min(MOST_SIDE_BY_SIDE, shared.together // items, target.max_work_group_size // items, room))


# -- scratch -----------------------------------------------------------------------------------------------------------


BYTES = Pointer(Scalar.U8, AddressSpace.GLOBAL)


@dataclass(frozen=True, slots=True)
class Scratch:
    """The places of the temporaries in the part of a work-group, and the C names that the loop needs.

    `open_bytes` are those of temporaries whose sizes only the launch knows. `before` has the bytes of one work-group in
    front of the next of these, and grows while lowering.
    """

    placement: Placement
    open_bytes: Extent
    elements: tree.Name
    element: tree.Name
    memory: tree.Name
    own: tree.Name
    before: list[tree.Expression] = field(default_factory=list)

    @property
    def bytes(self) -> Extent:
        """Memory of a work-group."""
        return self.placement.size + self.open_bytes

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

    def open_part(self, bytes_: tree.Expression) -> tree.Expression:
        """The part of this work-group in the next temporary, of so many bytes, whose size only the launch knows."""
        in_front = index.multiply(index.total((index.constant(self.placement.size), *self.before)), work_groups())
        self.before.append(bytes_)
        return index.add(index.add(self.memory, in_front), index.multiply(bytes_, work_group()))

    def loop(self, body: tree.Statements, items: Items) -> tree.Statements:
        """The body, which runs one element, for every element of the work-group."""
        advance = tree.Assign(self.element, work_groups(), tree.BinaryOperator.ADD)
        wait = () if items.count == 1 else (wait_for_all(),)
        more = tree.Binary(tree.BinaryOperator.LESS, self.element, self.elements)
        return (
            *self._declared(),
            tree.Declare(Scalar.I64, self.element.text, work_group()),
            tree.DoWhile((*body, advance, *wait), more),
        )

    def _declared(self) -> tree.Statements:
        if not self.placement.size:
            return ()
        offset = index.multiply(index.constant(self.placement.size), work_group())
        return (tree.Declare(BYTES, self.own.text, index.add(self.memory, offset)),)


def make_scratch(function: Function, names: Names) -> Scratch | None:
    """The part of a work-group, None if no temporary is in global memory."""
    placement = place_buffers(function, is_global=True)
    if not placement.places and not open_temporaries(function):
        return None
    elements, element, memory, own = (
        tree.Name(names.fresh(word)) for word in ("elements", "element", "scratch", "own_scratch")
    )
    return Scratch(placement, open_bytes(function), elements, element, memory, own)


def wait_for_all(*, is_local: bool = False) -> tree.Statement:
    """All work-items of the group have come here, and see what the others have written.

    With `is_local`, what they have written to local memory: a GPU need not wait for what is on its way to the other.
    """
    return tree.Barrier((AddressSpace.LOCAL,) if is_local else (AddressSpace.LOCAL, AddressSpace.GLOBAL))
