"""Batch vectorization: a work-item runs W elements of the batch at once, one in each SIMD lane (structure of arrays).

Each number of the language is a vector with a lane for every element; what is batch-invariant stays a scalar.
Arguments that are one for each element are transposed on the way in and out, temporaries are private arrays of vectors,
and what is known to be zero is neither read nor written nor multiplied.

What is known of a function before anything is decided is in `positions`; `cost` says how long an element takes.

The plan (`planned`), worked out once for arrays and code:

    steps, merge    products and what else a region does; products into the same target become one
    hoist           steps that are batch-invariant, and are run once
    flow            what is loaded before the steps and stored behind them
    sparsity        which summands of a product may differ from zero, and which rows and columns are alike
    collective      the loops of a product, of two kinds:
        unroll_plan, unrolled              terms that are unrolled
        tabulate, groups, table, packing   tables of rows
    fusion          arguments that a loop loads or stores itself, with a fused transpose

The code (`lower`), with `context` for what is in sight:

    block           what is done for the elements in the lanes: loads, steps, stores
    memory          where the entries of each base are in C
    region, rows, numbers                  steps, tables of rows, numbers that count loops
    transfer, fused_transfer               entries transposed on the way in and out, all at once or inside of a loop
    prefetch, loop_prefetch                the memory of the next elements, prefetched in long loops
    outlined, kept_loops                   hints for compilers: functions with target attributes, loops that stay loops
"""
