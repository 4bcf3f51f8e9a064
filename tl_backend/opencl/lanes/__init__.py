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
"""
