"""Tensor processing primitives: operations on whole small matrices, a dialect that stands in functions of MLIR."""
