"""OpenCL C from the tensor language: a tree, one printer, and the artifact for the launch."""
