"""Devices: which there are, what they can, their drivers, and compilers of C."""
