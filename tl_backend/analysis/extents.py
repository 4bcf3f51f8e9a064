"""Which modes of the operands of a collective instruction are the same index: M, N and K of a `gemm`."""

from dataclasses import dataclass

from einsum_front.tl_backend.instructions import (
    Axpby,
    CollectiveInstruction,
    Gemm,
    Gemv,
    Ger,
    HadamardProduct,
    Sum,
    Transpose,
    TypedMemref,
)
from einsum_front.tl_backend.types import Extent


@dataclass(frozen=True, slots=True)
class ModeUse:
    """The mode of one operand that an index runs over."""

    operand: TypedMemref
    mode: int

    @property
    def size(self) -> Extent:
        """The size of the mode."""
        return self.operand.type.shape[self.mode]


Extents = dict[str, tuple[ModeUse, ...]]
"""For every index of an instruction the modes that run over it, one operand each; all have the same size."""


def extents(instruction: CollectiveInstruction) -> Extents:
    """The indices of the instruction: m and n of the target, k summed over. The operands have their proper orders.

    gemm: `C[m,n] := A[m,k] B[k,n]`, gemv: `c[m] := A[m,k] b[k]`, ger: `C[m,n] := a[m] b[n]`, hadamard_product and
    axpby: `c[m] := …`, axpby also `B[m,n] := A[m,n]`, sum: `B[m] := A[m,k]`, `B[] := a[k]`.
    """
    match instruction:
        case Axpby(transpose=transpose, a=a, b=b):
            indices = "mn"[: a.type.order]
            return _extents((a, _transposed(indices, transpose)), (b, indices))
        case Gemm(transpose_a=transpose_a, transpose_b=transpose_b, a=a, b=b, c=c):
            return _extents((a, _transposed("mk", transpose_a)), (b, _transposed("kn", transpose_b)), (c, "mn"))
        case Gemv(transpose=transpose, a=a, b=b, c=c):
            return _extents((a, _transposed("mk", transpose)), (b, "k"), (c, "m"))
        case Ger(a=a, b=b, c=c):
            return _extents((a, "m"), (b, "n"), (c, "mn"))
        case HadamardProduct(a=a, b=b, c=c):
            return _extents((a, "m"), (b, "m"), (c, "m"))
        case Sum(transpose=transpose, a=a, b=b):
            indices = "mk" if a.type.order == 2 else "k"
            return _extents((a, _transposed(indices, transpose)), (b, indices[:-1]))


def sizes(instruction: CollectiveInstruction) -> dict[str, Extent]:
    """The size of every index, if one of the modes that run over it tells; None if only the launch knows."""
    return {
        index: next((use.size for use in uses if use.size is not None), None)
        for index, uses in extents(instruction).items()
    }


def known_sizes(instruction: CollectiveInstruction) -> dict[str, int]:
    """The same for estimates: sizes that only the launch knows count as 1."""
    return {index: size or 1 for index, size in sizes(instruction).items()}


def _transposed(indices: str, transpose: Transpose) -> str:
    return indices[::-1] if transpose is Transpose.T else indices


def _extents(*operands: tuple[TypedMemref, str]) -> Extents:
    uses: Extents = {}
    for operand, indices in operands:
        for mode, index in enumerate(indices):
            uses[index] = (*uses.get(index, ()), ModeUse(operand, mode))
    return dict(sorted(uses.items()))
