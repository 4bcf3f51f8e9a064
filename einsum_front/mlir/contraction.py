"""The roles of iterators in a contraction, as MLIR's `infer_contraction_dimensions` says them."""

from einsum_front.core.dataclass import dataclass
from einsum_front.mlir import nodes as mlir


@dataclass(frozen=True, slots=True)
class Roles:
    """Iterators in order: of both inputs and the output, of the left or right input and the output, of both inputs."""

    batch: tuple[int, ...]
    m: tuple[int, ...]
    n: tuple[int, ...]
    k: tuple[int, ...]


def roles(operation: mlir.Structured) -> Roles | None:
    """The roles of the iterators; None if this is no product of two operands whose maps take iterators only.

    Without a reduction it is an elementwise or an outer product, which MLIR does not count as a contraction.
    """
    if len(operation.inputs) != 2 or len(operation.outputs) != 1:
        return None
    found = [map_.positions for map_ in operation.maps]
    if any(each is None or len(set(each)) < len(each) for each in found):
        return None
    left, right, output = (set(each or ()) for each in found)
    reduced = {n for n, each in enumerate(operation.iterators) if each is mlir.IteratorType.REDUCTION}

    def ordered(chosen: set[int]) -> tuple[int, ...]:
        return tuple(sorted(chosen))

    if not reduced:
        return None
    m, n, k = left & output - right, right & output - left, left & right & reduced
    return Roles(ordered(left & right & output), ordered(m), ordered(n), ordered(k))
