"""OpenCL C as a tree, one printer, and what all schedules share when they build it.

kernel                                  a file of functions, and the geometry of its launch
target, requirements                    what a device can do, and what a function needs
parameters, geometry                    the calling convention, and the shape of a launch
view, scalar, index                     values in C and their arithmetic
atomics, transpose, prefetch            functions that kernels call
branch                                  `if`, which all schedules with instructions have
tree, unparse, names, reserved, comment C itself
"""
