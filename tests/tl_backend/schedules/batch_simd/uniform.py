"""Matrices that are batch-invariant, large enough for tables of rows."""

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

LANES = Tuning(ScheduleKind.BATCH_SIMD)
N = 9
"""Rows, columns and depths: more summands than are unrolled."""

MATRIX, MATRICES = f"memref<f64x{N}x{N}>", f"memref<f64x{N}x{N}x3>"
COLUMNS = f"memref<f64x{N}x?>"


def check_uniform(statements: str) -> None:
    """The statements make a matrix `%c` of `%first` and the three matrices `%k`, and each element is multiplied by it.

    That takes tables, and means what the interpreter says.
    """
    function = function_of(f"""
;! batched %X
;! batched %Y
func @f(%k: {MATRICES}, %X: {COLUMNS}, %Y: {COLUMNS}) {{
  %g = group_id
  %x = subview %X[:, %g] : {COLUMNS}
  %y = subview %Y[:, %g] : {COLUMNS}
  %c = alloca -> {MATRIX}
  %first = subview %k[:, :, 2] : {MATRICES}
  axpby.n 1.0, %first, 0.0, %c : f64, {MATRIX}, f64, {MATRIX}{statements}
  gemv.n 1.0, %c, %x, 0.0, %y : f64, {MATRIX}, memref<f64x{N}>, f64, memref<f64x{N}>
}}""")
    assert "_values[" in emit(function, DEFAULT, LANES).source
    arguments = {
        "k": integers(ScalarType.F64, N, N, 3, limit=3),
        "X": integers(ScalarType.F64, N, 5),
        "Y": integers(ScalarType.F64, N, 5),
    }
    compare(function, arguments, 5, tuning=LANES)
