"""Index strings in, batched OpenCL kernels out.

import einsum_front as ef

D = ef.einsum("bik,kj->bij", A, B)

compiled = ef.compile(ef.parse("volume.ein"))
compiled["volume"](Q=Q, I=I, **matrices)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from einsum_front.compiled import CompiledKernel, CompiledProgram
    from einsum_front.diagnostics import CompileError
    from einsum_front.dsl import Kernel, Scalar, Size, Tensor, kernel, ones, program
    from einsum_front.index_string.call import einsum
    from einsum_front.index_string.path import einsum_path
    from einsum_front.interface import compile, parse  # noqa: A004 - the interface has the words of the field
    from einsum_front.layouts import CopyWarning
    from einsum_front.parsed import Program
    from einsum_front.runtime.transfers import to_host

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

_MODULES = {
    "compiled": ("CompiledKernel", "CompiledProgram"),
    "diagnostics": ("CompileError",),
    "dsl": ("Kernel", "Scalar", "Size", "Tensor", "kernel", "ones", "program"),
    "index_string.call": ("einsum",),
    "index_string.path": ("einsum_path",),
    "interface": ("compile", "parse"),
    "layouts": ("CopyWarning",),
    "parsed": ("Program",),
    "runtime.transfers": ("to_host",),
}
"""Where each public name is defined. A module is imported when one of its names is first used: importing the package
costs nothing that is not needed, and the parts of the package can be imported without the whole."""


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
