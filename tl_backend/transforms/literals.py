"""`literals TENSORS`: known numbers are written into the code where loops are unrolled."""

from dataclasses import replace

from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.transforms.step import Arguments, Step, need, tensors_like


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    names = tensors_like(loops, arguments["TENSORS"])
    for name in names:
        need(loops.by_name[name].values is not None, f"the numbers of `{name}` are not known")
    return replace(
        loops, tensors=tuple(replace(each, is_literal=True) if each.name in names else each for each in loops.tensors)
    )


LITERALS = Step("literals", "TENSORS", "known numbers are written into unrolled code", _apply)
