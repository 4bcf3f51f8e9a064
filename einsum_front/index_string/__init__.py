"""`ef.einsum` and `ef.einsum_path`: index strings by NumPy's rules, on an OpenCL device."""
