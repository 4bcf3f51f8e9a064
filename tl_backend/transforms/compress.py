"""`compress AXES of TENSOR`: a loop runs over the points only at which a factor may differ from zero, by a table."""

from dataclasses import replace

from einsum_front.tl_backend.loops.nodes import Binding, Loops, updates
from einsum_front.tl_backend.transforms.step import (
    Arguments,
    Step,
    axes_like,
    fixed,
    loop_of,
    need,
    tensors_like,
    with_loop,
)


def _apply(loops: Loops, arguments: Arguments) -> Loops:
    (name,) = tensors_like(loops, arguments["TENSOR"])
    need(loops.by_name[name].nonzeros is not None, f"which entries of `{name}` are zero is not known")
    for axis in axes_like(loops, arguments["AXES"]):
        loop, _ = loop_of(loops, axis)
        fixed(loop)
        need(
            loop.binding is Binding.SEQUENTIAL,
            f"`{axis}` is no sequential loop: unrolled ones leave out zeros by themselves",
        )
        need(
            all(each.adds for each in updates(loop.body)),
            f"inside of `{axis}` something is set, which zeros do not leave out",
        )
        for update in updates(loop.body):
            factors = [each for each in update.accesses[1:] if each.tensor == name and each.uses(axis)]
            need(len(factors) == 1, f"`{name}` is not a factor of everything inside of `{axis}`")
        loops = with_loop(loops, axis, lambda loop: (replace(loop, where=name),))
    return loops


COMPRESS = Step(
    "compress", "AXES of TENSOR", "a loop leaves out the points at which the tensor is zero, by a table", _apply
)
