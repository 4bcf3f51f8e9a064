"""The part of MLIR that describes tensor contractions (`docs/linalg.md`)."""
