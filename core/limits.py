"""The limits of all languages: what is beyond is an error that names the limit, and no exhausted stack or memory.

Each is far from what kernels need. docs/notation.md, docs/yateto_language.md and docs/tensor_language.md list them.
"""

# -- texts -------------------------------------------------------------------------------------------------------------

LARGEST_TEXT = 2**26
"""Bytes of a file of any language."""

DEEPEST_NESTING = 32
"""Of the notation: expressions inside of each other, loops inside of loops. What walks them calls itself for each."""

DEEPEST_LOOPS = 50
"""Of the YATeTo language: regions inside of regions. Operations add some in the tensor language."""

DEEPEST_REGIONS = 64
"""Of the tensor language."""

DEEPEST_SCALAR = 128
"""Operations on scalar arguments of which each needs the result of the one before."""

LEAST_WHOLE, MOST_WHOLE = -(2**63), 2**64 - 1
"""The integers of `i64` and of `u64`, which constants may be."""

LARGEST_INTEGER = 2**63 - 1
LONGEST_NUMBER = 100
"""Characters of a number."""

# -- numbers known when compiling --------------------------------------------------------------------------------------

LARGEST_NUMBER_BITS = 8192
"""Of the numerator and the denominator of what is computed exactly: several times the range of f64."""

LARGEST_COMPLEX_EXPONENT = 16
"""Powers of complex scalars are products of their parts."""

LARGEST_EXPONENT = 1024
"""Of a scalar argument."""

LARGEST_DEGREE = 16
"""Of an extent as a polynomial of sizes; each of its factors is an instruction when a kernel starts."""

MOST_TERMS_OF_SIZES = 256
"""Of such a polynomial."""

# -- what is unrolled --------------------------------------------------------------------------------------------------

LARGEST_RANGE = 2**12
"""Kernels of a family, statements of a loop, terms of a sum."""

LARGEST_FAMILY = 2**12
"""Tensors or scalars."""

# -- tensors -----------------------------------------------------------------------------------------------------------

LARGEST_TENSOR = 2**31 - 1
"""Entries."""

MOST_INDICES = 52
"""NumPy's einsum, which says what a kernel means, has no letters for more indices in one product."""

LARGEST_PATTERN = 2**20
"""Entries of a tensor with `values` or with a file of `nonzeros`: each of them is looked at, zero or not."""

MOST_KNOWN_ENTRIES = 2**23
"""Entries of all such tensors of a text."""

LARGEST_FOLLOWED = 2**26
"""Cells of a zero pattern (`core.zero_pattern`), and entries of temporaries."""
