"""Parts that all schedules share when they build kernel trees.

kernel                                  a file of functions, and the geometry of its launch
target, requirements                    what a device can do, and what a function needs
parameters, geometry                    the calling convention, and the shape of a launch
view, scalar, index                     values of a kernel and their arithmetic
transpose                               what several schedules call
branch                                  `if`, which all schedules with instructions have
names, comment                          names and comments of the tree
"""
