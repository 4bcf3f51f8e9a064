"""`unroll AXES`: code for each point."""

from dataclasses import replace

from einsum_front.tl_backend.loops.nodes import Binding, Loops
from einsum_front.tl_backend.transforms.step import Arguments, Step, axes_like, fixed, loop_of, need, with_loop


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    for axis in axes_like(loops, arguments["AXES"]):
        loop, _ = loop_of(loops, axis)
        fixed(loop)
        need(loop.binding is not Binding.VECTOR, f"`{axis}` is the lanes of a vector")
        loops = with_loop(loops, axis, lambda loop: (replace(loop, binding=Binding.UNROLLED, where=None),))
    return loops


UNROLL = Step(
    "unroll", "AXES", "there is code for each point; points at which a factor is known to be zero have none", _apply
)
