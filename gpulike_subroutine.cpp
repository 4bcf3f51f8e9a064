// There are no kernels for GPUs.
