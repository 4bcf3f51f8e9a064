"""Loops as a kernel tree: the blocks of elements of a work-group, then the elements that fill no block.

for (long e_o = first; e_o < rest; e_o += 8) { a block }
for (long e_o = rest; e_o < rest1; e_o += 2) { the same with two lanes, where elements are neighbours }
for (long e_o = rest1; e_o < stop; ++e_o) { the same with one lane }
"""

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.loops.block import Block
from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.loops.shared import Shared
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import group_id
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.program import Function

ELEMENTS_OF_A_GROUP = 64
"""Elements that a work-item runs one after the other."""


def lower(loops: Loops, function: Function, target: Target, taken: frozenset[str] = frozenset()) -> Kernel:
    """The kernel of loops that keep the rules, with the parameters of the function and none of the names in `taken`.

    Raises `CompileError`: E06xx for what the target cannot do, E0913 for loops that have no code.
    """
    check_target(function, target)
    shared = Shared(loops, function, target, free_names(target, taken))
    words = "elements", "first", "stop", "element"
    elements, first, stop, element = (tree.Name(shared.names.fresh(word)) for word in words)
    together = max(ELEMENTS_OF_A_GROUP, shared.width)
    start = index.multiply(group_id(), index.constant(together))
    body: list[tree.Statement] = [
        tree.Declare(Scalar.I64, first.text, start),
        tree.Declare(Scalar.I64, stop.text, index.minimum(index.add(first, index.constant(together)), elements)),
    ]
    functions: tuple[tree.Function, ...] = ()
    begin = first
    for width in _widths(loops, shared.width):
        end = tree.Name(shared.names.fresh("rest"))
        left = index.remainder(index.subtract(stop, begin), index.constant(width))
        body.append(tree.Declare(Scalar.I64, end.text, index.subtract(stop, left)))
        body.append(_over(shared, element, (begin, end), width))
        begin = end
    if shared.width > 1:
        functions = (transpose_function(shared.transpose, Vector(shared.scalar, shared.width), target),)
    body.append(_over(shared, element, (begin, stop), 1))
    parameters = (*shared.parameters.list, tree.Parameter(Scalar.I64, elements.text))
    kernel = tree.Function(shared.entry, parameters, tuple(body), (1, 1, 1))
    return Kernel(tree.File((*functions, kernel), tables=tuple(shared.tables)), elements_per_group=together)


def _widths(loops: Loops, width: int) -> tuple[int, ...]:
    """The lanes of blocks; a quarter of them for what remains, if nothing is turned around for it."""
    if width == 1:
        return ()
    is_turned = any(each.batch is not None and not each.is_fastest for each in loops.tensors)
    return (width,) if width < 8 or is_turned else (width, width // 4)


def _over(shared: Shared, element: tree.Name, bounds: tuple[tree.Name, tree.Name], width: int) -> tree.For:
    """The loop over blocks of so many elements."""
    block = Block(shared, width, element, shared.names.inner())
    body = block.statements_of_all()
    return tree.For(Scalar.I64, element.text, *bounds, index.constant(width), body, over=shared.batch.axis)
