"""NumPy's own `einsum` and `matmul`, also in programs that have put `einsum_front.einsum` into the place of the first.

They are looked up where they are defined: modules of ours are loaded late, when a program may have replaced the names,
and would call themselves without end. `c_einsum` is `einsum` without its search for an order.
"""

try:
    from numpy._core.einsumfunc import einsum as numpy_einsum
    from numpy._core.multiarray import c_einsum
    from numpy._core.umath import matmul
except ImportError:  # NumPy 1.26
    from numpy.core.einsumfunc import einsum as numpy_einsum  # type: ignore[import-not-found, no-redef, unused-ignore]
    from numpy.core.multiarray import c_einsum  # type: ignore[import-not-found, no-redef, unused-ignore]
    from numpy.core.umath import matmul  # type: ignore[import-not-found, no-redef, unused-ignore]

__all__ = ["c_einsum", "matmul", "numpy_einsum"]
