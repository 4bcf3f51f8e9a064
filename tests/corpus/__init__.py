"""The OpenCL C of many kernels, kept as hashes: a change that should leave kernels alone shows that it does."""
