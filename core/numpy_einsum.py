"""NumPy's own `einsum`, also in programs that have put `einsum_front.einsum` into its place.

`numpy.einsum` is looked up where it is defined: modules of ours are loaded late, when a program may have replaced the
name, and would call themselves without end.
"""

try:
    from numpy._core.einsumfunc import einsum as numpy_einsum
except ImportError:  # NumPy 1.26
    from numpy.core.einsumfunc import einsum as numpy_einsum  # type: ignore[import-not-found, no-redef, unused-ignore]

__all__ = ["numpy_einsum"]
