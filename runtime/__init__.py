"""Devices, arguments and launches: the only package that touches OpenCL."""

from einsum_front.runtime.folders import avoid_caches

avoid_caches()
