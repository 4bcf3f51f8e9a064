"""OpenCL C from the tensor language: a tree, one printer, and the artifact for the launch.

emit                                          the door: a function as an artifact
forms, candidates, tuning, work_group         which form a function gets, and its parameters
group, lanes, tiles                           the forms, each a package whose `lower` makes a `kernel`
known_zeros                                   what `group` learns of zeros from `lanes`
target, requirements                          what a device can do, and what a function needs
parameters, geometry                          the calling convention, and the shape of a launch
view, scalar, index                           values in C and their arithmetic
atomics, transpose, prefetch                  functions that kernels call
branch                                        `if`, which all forms with instructions have
tree, unparse, names, reserved, comment       C itself
"""
