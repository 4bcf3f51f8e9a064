"""Parts that all schedules share when they build kernel trees.

kernel                  a file of functions, the shape of its launch, comments, and the transposes that schedules call
target, requirements    what a device can do, and what a function needs
parameters              views, and the calling convention
scalar, index           values of a kernel and their arithmetic
elementary              functions of entries without calls
names                   names of the tree
"""
