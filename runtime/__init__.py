"""Devices, arguments and launches: the only package that touches OpenCL."""
