"""The contraction graph: what is computed, as values that depend on values."""
