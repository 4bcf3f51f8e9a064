"""`vectorize AXIS by N`: neighbours along an axis become the lanes of vectors."""

from einsum_front.tl_backend.loops.nodes import Binding, Loop, Loops, Node, Nodes, Update, rewrite
from einsum_front.tl_backend.loops.verify import WIDTHS
from einsum_front.tl_backend.transforms.reorder import check_order
from einsum_front.tl_backend.transforms.split import halved
from einsum_front.tl_backend.transforms.step import Arguments, Step, axes_like, loop_of, need, with_loop


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    size = int(arguments["N"])
    need(size in WIDTHS, "a vector has 2, 4, 8 or 16 lanes")
    for axis in axes_like(loops, arguments["AXES"]):
        check_order(loops, loop_of(loops, axis)[0].body, [axis])
        loops, inner = halved(loops, axis, size)
        loops = sunk(loops, inner, size)
    return loops


def sunk(loops: Loops, axis: str, size: int) -> Loops:
    """The loop of the lanes around each product or function alone: what stands between does not mix lanes."""

    def wrapped(node: Node) -> Nodes | None:
        if isinstance(node, Update):
            return (Loop(axis, size, (node,), Binding.VECTOR),) if node.uses(axis) else (node,)
        return None

    return with_loop(loops, axis, lambda loop: rewrite(loop.body, wrapped))


VECTORIZE = Step("vectorize", "AXES by N", "N neighbours along the axis are the lanes of vectors", _apply)
