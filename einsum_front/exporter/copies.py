"""Copies of arguments to where a kernel takes them."""

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Copy:
    """Memory of a call with `size` entries, zero at first; entry `n` of the argument is at `places[n]`, or nowhere."""

    size: int
    places: tuple[int | None, ...]
