"""Memory: when each buffer is used first and last."""

from collections.abc import Sequence

from ir.plan.plan import Buffer, Step
from ir.tensor import Tensor


def with_lifetimes(tensors: Sequence[Tensor], steps: Sequence[Step]) -> tuple[Buffer, ...]:
    """The tensors as buffers, with the numbers of the first and the last step that use them."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, step in enumerate(steps):
        for view in (*step.operands, step.target):
            first.setdefault(view.buffer, number)
            last[view.buffer] = number
    return tuple(Buffer(tensor, first.get(tensor.name), last.get(tensor.name)) for tensor in tensors)


def peak_bytes(buffers: Sequence[Buffer]) -> int:
    """The most memory that temporaries take at one time, in bytes."""
    temporaries = [buffer for buffer in buffers if buffer.is_temporary and buffer.first is not None]
    return max((sum(b.bytes for b in temporaries if _lives(b, a.first)) for a in temporaries), default=0)


def _lives(buffer: Buffer, step: int | None) -> bool:
    if step is None or buffer.first is None or buffer.last is None:
        return False
    return buffer.first <= step <= buffer.last
