"""Kernels of the ADER discontinuous Galerkin method for elastic waves, and the matrices that they need."""
