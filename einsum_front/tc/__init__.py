"""The tc language: named structured operations, as `mlir-linalg-ods-gen` reads them."""
