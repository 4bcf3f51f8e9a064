"""Batch vectorization: a work-item runs W elements of the batch at once, one in each SIMD lane (structure of arrays).

Each number of the language is a vector with a lane for every element; what is batch-invariant stays a scalar.
Arguments that are one for each element are transposed on the way in and out, temporaries are private arrays of vectors,
and what is known to be zero is neither read nor written nor multiplied.

What is known of a function before anything is decided is in `positions`; `schedule` says how long an
element takes.

The plan, worked out once for arrays and code:

    steps           products and what else a region does; products into the same target become one
    planned         the steps that run, those hoisted out of the batch loop, and fused transposing loads and stores
    flow            what is loaded before the steps and stored behind them
    sparsity        which summands of a product may differ from zero, and the loops in which they are unrolled
    collective      the loops of a product, of two kinds:
        unrolled            terms that are unrolled
        tabulate, table     tables of rows

The code (`lower`), with `context` for what is in sight besides:

    block           what is done for the elements in the lanes: loads, steps, stores
    memory          where the entries of each base are in C
    region, rows    steps, and tables of rows
    transfer        entries transposed on the way in and out, all at once or inside of a loop
    prefetch        the memory of the next elements, prefetched in long loops

`explain` says the plan in words.
"""
