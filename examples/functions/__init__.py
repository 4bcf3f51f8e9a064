"""Kernels that end in more than a contraction: layers of a network, a limiter, a friction law."""
