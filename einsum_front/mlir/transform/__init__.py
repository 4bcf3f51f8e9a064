"""Transformations of structured operations on memrefs: tile, promote, fuse, loops, library calls.

    module = transformed(module, parse_steps(source))

Each takes a function and one of its operations and gives the function with other operations in its place.
`footprint` and `iterations_touching` answer what all of them ask.
"""

from einsum_front.mlir.transform.footprint import Box, footprint, iterations_touching, space_of
from einsum_front.mlir.transform.steps import Step, parse_steps, transformed

__all__ = ["Box", "Step", "footprint", "iterations_touching", "parse_steps", "space_of", "transformed"]
