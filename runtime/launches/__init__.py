"""Kernels that are built, bound to arguments and launched, by OpenCL and as functions of C."""
