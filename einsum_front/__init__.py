"""Index strings in, batched OpenCL kernels out.

import einsum_front as ef

D = ef.einsum("bik,kj->bij", A, B)

compiled = ef.compile(ef.parse("volume.ein"))
compiled["volume"](Q=Q, I=I, **matrices)
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.cell_magic import load_ipython_extension as load_ipython_extension
    from einsum_front.chunked.pipeline import DeviceWarning as DeviceWarning
    from einsum_front.compiled import CompiledKernel as CompiledKernel
    from einsum_front.compiled_program import CompiledProgram as CompiledProgram
    from einsum_front.core.diagnostics import CompileError as CompileError
    from einsum_front.dsl import Kernel as Kernel
    from einsum_front.dsl import Scalar as Scalar
    from einsum_front.dsl import Size as Size
    from einsum_front.dsl import Tensor as Tensor
    from einsum_front.dsl import kernel as kernel
    from einsum_front.dsl import ones as ones
    from einsum_front.dsl import program as program
    from einsum_front.index_string.backend import tensordot as tensordot
    from einsum_front.index_string.backend import transpose as transpose
    from einsum_front.index_string.expression import EinsumExpression as EinsumExpression
    from einsum_front.index_string.expression import einsum_expression as einsum_expression
    from einsum_front.index_string.front import einsum as einsum
    from einsum_front.index_string.path import einsum_path as einsum_path
    from einsum_front.interface import compile as compile  # noqa: A004 - the word of the field
    from einsum_front.interface import parse as parse
    from einsum_front.layouts import CopyWarning as CopyWarning
    from einsum_front.parsed import Program as Program
    from einsum_front.runtime.arrays.page_locked import empty_pinned as empty_pinned
    from einsum_front.runtime.arrays.transfers import to_host as to_host
    from einsum_front.steps import Schedule as Schedule
    from einsum_front.torch_modules import TorchModule as TorchModule
    from einsum_front.torch_modules import from_torch as from_torch

__version__ = "1.0.0"

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".chunked.pipeline": ("DeviceWarning",),
        ".compiled": ("CompiledKernel",),
        ".compiled_program": ("CompiledProgram",),
        ".core.diagnostics": ("CompileError",),
        ".dsl": ("Kernel", "Scalar", "Size", "Tensor", "kernel", "ones", "program"),
        ".index_string.backend": ("tensordot", "transpose"),
        ".index_string.expression": ("EinsumExpression", "einsum_expression"),
        ".index_string.front": ("einsum",),
        ".index_string.path": ("einsum_path",),
        ".interface": ("compile", "parse"),
        ".layouts": ("CopyWarning",),
        ".cell_magic": ("load_ipython_extension",),
        ".parsed": ("Program",),
        ".steps": ("Schedule",),
        ".torch_modules": ("TorchModule", "from_torch"),
        ".runtime.arrays.page_locked": ("empty_pinned",),
        ".runtime.arrays.transfers": ("to_host",),
    },
)
