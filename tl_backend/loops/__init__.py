"""Loops: how a kernel runs, as a program that can be read, edited and checked.

`of_function` makes them of a function of the tensor language, steps (`einsum_front.tl_backend.transforms`) change them,
`lower` makes the kernel tree of them. `docs/loops.md` is their manual.
"""
