"""The schedule `tiled`: a contraction on a GPU, whose target is cut into tiles, each computed by a work-group.

The work-items of a group copy the rows and columns of a few depths into local memory together, and each multiplies them
with the sums of its own block of the target, which stay in registers. While they multiply, the entries of the next
depths are on their way from global memory into registers. Any number of indices is one row, column or depth, as in
`packed`: the copies follow the strides of the tensors, and nothing is transposed in memory.

    sizes   in which order indices follow each other, how large the block of a work-item is, and how many tiles
    panels  the copies
    lower   the kernel: the loop over the depths, the sums, and the update of the target
"""
