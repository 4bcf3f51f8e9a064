"""Index strings in, batched OpenCL kernels out.

import einsum_front as ef

D = ef.einsum("bik,kj->bij", A, B)

compiled = ef.compile(ef.parse("volume.ein"))
compiled["volume"](Q=Q, I=I, **matrices)
"""

from diagnostics import CompileError
from einsum_front.compiled import CompiledKernel, CompiledProgram
from einsum_front.dsl import Kernel, Scalar, Size, Tensor, kernel, ones, program
from einsum_front.einsum import einsum
from einsum_front.einsum_path import einsum_path
from einsum_front.interface import Program, compile, parse  # noqa: A004 - the interface has the words of the field
from einsum_front.layouts import CopyWarning
from runtime.transfers import to_host

__all__ = [
    "CompileError",
    "CompiledKernel",
    "CompiledProgram",
    "CopyWarning",
    "Kernel",
    "Program",
    "Scalar",
    "Size",
    "Tensor",
    "compile",
    "einsum",
    "einsum_path",
    "kernel",
    "ones",
    "parse",
    "program",
    "to_host",
]
