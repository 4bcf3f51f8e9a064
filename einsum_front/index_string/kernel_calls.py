"""Calls that a kernel computes, on operands as they lie or on copies of them."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.index_string.element_types import Kind, kernel_type, stored_as
from einsum_front.index_string.numpy_sums import Unary, in_order


@dataclass(frozen=True, slots=True)
class Job:
    """A kernel for calls: their string, shapes and types of operands, the type to compute in, and that of the result.

    `is_ready` says of each operand whether it lies in C order and has the type; others are copied. `turn` has the modes
    of the result from the slowest to the fastest in memory, None for C order. `device` is that of the caller.
    """

    subscripts: str
    shapes: tuple[tuple[int, ...], ...]
    kinds: tuple[Kind, ...]
    kind: Kind
    result: Kind
    is_ready: tuple[bool, ...]
    turn: tuple[int, ...] | None
    device: str = "auto"

    @property
    def real(self) -> str:
        """The type of the kernel."""
        return cast("str", kernel_type(self.kinds, self.kind))

    @property
    def key(self) -> str:
        """What this kernel is found by in other processes."""
        return f"{self.subscripts} {self.shapes} {self.real}"


Run = Callable[[Sequence[Any]], bool]
"""Computes the last of the arrays from the others, which look the same in each call; False if that is not possible."""


class KernelCall:
    """A kernel on operands that look the same, and what makes an array for the result, of type `made`.

    `conversions` make of an operand what the kernel takes, None where that is the operand itself. `turn` has the modes
    of the result from the slowest to the fastest in memory, None for C order. `kind` is the type of the result, None
    for that of the kernel. `holds` says of an array of a device whether the kernel can write to it. `is_on_thread`: the
    kernel runs on the thread of its caller, perhaps with others, and so in children of the process, too.
    """

    __slots__ = ("_conversions", "_empty", "_holds", "_kind", "_made", "_run", "_turn", "is_on_thread", "used")

    def __init__(
        self,
        run: Run,
        empty: Callable[[], Any],
        made: Kind,
        conversions: Sequence[Unary | None] = (),
        turn: tuple[int, ...] | None = None,
        kind: Kind | None = None,
        *,
        holds: Callable[[Any, Sequence[Any]], bool] | None = None,
        is_on_thread: bool = False,
    ) -> None:
        self._run = run
        self._empty = empty
        self._made = made
        self._conversions = tuple(conversions) if any(conversions) else ()
        self._turn = turn
        self._kind = kind
        self._holds = holds
        self.is_on_thread = is_on_thread
        self.used = 0

    def run(self, operands: Sequence[Any], out: Any) -> Any:
        """One launch."""
        if self._conversions:
            operands = [
                array if convert is None else convert(array)
                for array, convert in zip(operands, self._conversions, strict=True)
            ]
        is_direct = out is not None and (self._can_hold if self._holds is None else self._holds)(out, operands)
        if out is not None and not is_direct and self._holds is not None:
            return NotImplemented
        result = out if is_direct else self._empty()
        if not self._run([*operands, result]):
            return NotImplemented
        if out is not None:
            if not is_direct:
                out[...] = result
            return out
        if self._kind is not None:
            result = stored_as(result, self._kind)
        if self._turn is not None:
            return in_layout(result, self._turn)
        return result[()] if isinstance(result, np.ndarray) else result  # a number if there are no indices

    def _can_hold(self, out: Any, operands: Sequence[Any]) -> bool:
        """True if the kernel may write to an array of the caller."""
        is_ready = out.flags.c_contiguous and out.flags.aligned and out.dtype == self._made and operands[0].ndim > 0
        return bool(is_ready) and not any(np.may_share_memory(out, operand) for operand in operands)


def copied(kind: Kind) -> Unary:
    """What makes of any array one in C order and of this type."""
    return lambda array: array.astype(kind, "C")


def in_layout(array: Any, turn: tuple[int, ...]) -> Any:
    """A copy of an array whose modes lie in this order, from the slowest to the fastest."""
    back = sorted(range(len(turn)), key=turn.__getitem__)
    return in_order(array, turn).transpose(back)
