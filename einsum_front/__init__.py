"""Index strings in, batched OpenCL kernels out."""
