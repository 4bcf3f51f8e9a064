"""The schedule `packed`: a large contraction, whose target is cut into tiles, each computed by a work-group of its own.

A work-group of one work-item, the thread of a CPU core, copies what a tile needs of both factors block by block into
panels that stay in its caches, and multiplies panels with the sums of a small block of the target in vector registers
(Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008). Any number of indices is one row,
column or depth of the panels (Matthews, High-Performance Tensor Contraction without Transposition, 2018): the copies
follow the strides of the tensors, and nothing is transposed in memory.

    sizes      in which order indices follow each other, and how large registers, panels and tiles are
    panels     the copies; memory that runs across the order of a panel is transposed in registers
    registers  the innermost loop, and the update of the target
    lower      the kernel, and the loop over the panels of its tile
"""
