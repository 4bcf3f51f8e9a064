"""Values that a payload reads once are computed where its result goes.

    tmp[i,j] := X[i,k] * W[k,j]                 Y[i,j] := X[i,k] * W[k,j]
    Y[i,j]   := relu(tmp[i,j] + b[j])           Y[i,j] := relu(Y[i,j] + b[j])

So a product with an activation takes no memory of its own. Left: temporaries that anything else reads, or of which the
payload reads a part or a diagonal, results that are added to what is there, and targets that a step in between reads or
writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.core.coefficient import is_zero
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.plan.plan import Step, StepKind, View
from einsum_front.ir.tensor import Tensor


def in_place(
    steps: Sequence[Step], temporaries: Sequence[Tensor], arguments: Sequence[Tensor]
) -> tuple[tuple[Step, ...], tuple[Tensor, ...]]:
    """The steps with fewer temporaries, and those that are left."""
    known = {tensor.name: tensor for tensor in (*arguments, *temporaries)}
    made = list(steps)
    for number, step in enumerate(made):
        if step.kind is StepKind.ELEMENTWISE and step.combiner is None and is_zero(step.beta):
            for view in step.operands:
                _replace(made, number, view, known)
    used = {buffer for step in made for buffer in step.buffers}
    return tuple(made), tuple(tensor for tensor in temporaries if tensor.name in used)


def _replace(steps: list[Step], number: int, view: View, known: Mapping[str, Tensor]) -> None:
    """Put the target of a step in the place of a temporary that it reads, if that changes nothing else."""
    step, source = steps[number], known[view.buffer]
    if source.storage is not Storage.TEMPORARY or not _is_whole(step, view, source) or not _is_free(step.target, known):
        return
    if set(view.indices) != set(step.target.indices):
        return
    touching = [n for n, each in enumerate(steps) if view.buffer in _buffers(each)]
    writing = touching[:-1]
    is_read_once = step.operands.count(view) == sum(each.buffer == view.buffer for each in step.operands)
    if not writing or touching[-1] != number or not is_read_once:
        return
    if any(view.buffer in (each.buffer for each in steps[n].operands) for n in writing):
        return
    if any(step.target.buffer in _buffers(steps[n]) for n in range(writing[0], number)):
        return
    if any(each.buffer == step.target.buffer for each in step.operands):
        return
    for n in writing:
        steps[n] = replace(steps[n], target=_moved(steps[n].target, view, step.target))
    operands = tuple(step.target if each == view else each for each in step.operands)
    steps[number] = replace(step, operands=operands)


def _buffers(step: Step) -> set[str]:
    return set(step.buffers)


def _is_whole(step: Step, view: View, tensor: Tensor) -> bool:
    """True if a view has all entries of a tensor, each once."""
    extents = step.space.extents
    whole = (
        isinstance(part, cg.Along) and part.offset == 0 and extents[part.index] == size
        for part, size in zip(view.parts, tensor.shape, strict=True)
    )
    return all(whole) and not view.has_diagonal


def _is_free(target: View, known: Mapping[str, Tensor]) -> bool:
    """True if all entries of a target may be written, and more than once."""
    return known[target.buffer].nonzeros is None and not target.has_diagonal


def _moved(written: View, read: View, target: View) -> View:
    """The part of the target that has the place of a part of the temporary; `read` is all of that."""
    mode_of = {part.index: mode for mode, part in enumerate(read.parts) if isinstance(part, cg.Along)}
    parts: list[cg.Part] = []
    for part in target.parts:
        match part:
            case cg.At():
                parts.append(part)
            case cg.Along(index=index, offset=offset):
                parts.append(_shifted(written.parts[mode_of[index]], offset))
    return View(target.buffer, tuple(parts))


def _shifted(part: cg.Part, offset: int) -> cg.Part:
    match part:
        case cg.At(position=position):
            return cg.At(position + offset)
        case cg.Along(index=index, offset=start):
            return cg.Along(index, start + offset)
