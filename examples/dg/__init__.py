"""Discontinuous Galerkin methods on tetrahedra, as far as `examples/advection_mpi.py` needs them."""
