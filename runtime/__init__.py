"""Devices, arguments and launches: the only package that touches OpenCL."""

from runtime.folders import avoid_caches

avoid_caches()
