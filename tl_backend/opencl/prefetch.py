"""Asking for memory before it is needed."""

LINE = 64
"""Bytes of a cache line, which a `Prefetch` asks for."""
