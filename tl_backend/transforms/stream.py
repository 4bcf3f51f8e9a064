"""`stream TENSORS [above N]`: results go past the caches where those of a launch are more than N MiB.

Nothing reads them soon then, and lines that are replaced as a whole need not be read first.
"""

from dataclasses import replace

from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.transforms.step import Arguments, Step, need, tensors_like, written


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    names, least = tensors_like(loops, arguments["TENSORS"]), int(arguments.get("N", "0"))
    for name in names:
        need(name in written(loops.body), f"`{name}` is not written")
    return replace(
        loops, tensors=tuple(replace(each, streamed=least) if each.name in names else each for each in loops.tensors)
    )


STREAM = Step(
    "stream", "TENSORS [ above N ]", "results go past the caches where those of a launch are more than N MiB", _apply
)
