"""Temporaries in global memory: each work-group that runs has a part of one buffer, and runs one element after another.

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

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.open_temporaries import open_bytes, open_temporaries
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
