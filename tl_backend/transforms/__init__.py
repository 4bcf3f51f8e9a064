"""Steps of recipes, a file for each: what they are called, what they need, what they make of loops.

A step never changes what loops mean, but for the order of sums. Each checks its own legality and says why not; after
it the loops are verified again.
"""

from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.loops.verify import check
from einsum_front.tl_backend.transforms.compress import COMPRESS
from einsum_front.tl_backend.transforms.cut import CUT
from einsum_front.tl_backend.transforms.fuse import FUSE
from einsum_front.tl_backend.transforms.interleave import INTERLEAVE
from einsum_front.tl_backend.transforms.literals import LITERALS
from einsum_front.tl_backend.transforms.prefetch import PREFETCH
from einsum_front.tl_backend.transforms.reorder import REORDER
from einsum_front.tl_backend.transforms.sink import SINK
from einsum_front.tl_backend.transforms.split import SPLIT
from einsum_front.tl_backend.transforms.stage import STAGE
from einsum_front.tl_backend.transforms.step import Arguments, IllegalStepError, Step
from einsum_front.tl_backend.transforms.stream import STREAM
from einsum_front.tl_backend.transforms.unroll import UNROLL
from einsum_front.tl_backend.transforms.vectorize import VECTORIZE

__all__ = ["STEPS", "IllegalStepError", "Step", "applied"]

STEPS: dict[str, Step] = {
    each.name: each
    for each in (
        INTERLEAVE, SINK, SPLIT, CUT, REORDER, FUSE, VECTORIZE, UNROLL, STAGE, COMPRESS, LITERALS, PREFETCH,
        STREAM,
    )
}  # fmt: skip
"""All of them by name."""


def applied(loops: Loops, step: Step, arguments: Arguments) -> Loops:
    """The loops after a step; raises `IllegalStepError` if it is not legal, or leaves loops that break a rule."""
    after = step.apply(loops, arguments)
    try:
        check(after)
    except CompileError as error:
        first = error.diagnostics[0]
        raise IllegalStepError(f"{first.message} ({first.code})") from None
    return after
