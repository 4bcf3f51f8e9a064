"""Lanes are elements: a work-item runs W elements of the batch at once, one in each lane of its vectors.

Each number of the language is a vector with a lane for every element; what is one for the whole batch stays a scalar.
Arguments that are one for each element are transposed on the way in and out, temporaries are private arrays of vectors,
and what is known to be zero is neither read nor written nor multiplied.

    places.py     which entries of which memory each memref is, and how indices are computed from loop variables
    suitable.py   what this form cannot run, and why
    storage.py    the memories: arguments and temporaries, uniform or one for each lane
    zeros.py      which entries of each memory may differ from zero
    product.py    the one form of all collective instructions
    merge.py      products into the same target become one
    sparsity.py   which summands of a product may differ from zero, and which rows and columns are alike
    collective.py the loops of a product: summands that are written out (outline.py, unrolled.py) or tables of rows
                  (table.py, rows.py, packing.py)
    planned.py    the steps of a block of elements with their loops, worked out once for arrays and code
"""
