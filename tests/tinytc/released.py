"""Runs a function as a released compiler of the tensor language translates it: text, OpenCL C, device, arrays.

A compiler is the program that the environment variable TINYTC_0_2 or TINYTC_0_3 names, else `tinytc-0.2` or
`tinytc-0.3` on PATH. It reads a text from its standard input and prints OpenCL C with sub-groups.
"""

import os
import shutil
import subprocess
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl

from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.pipeline import passes_of_edition, run
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from einsum_front.tl_backend.unparse import unparse_function
from tests.tl_backend.opencl.harness import DEVICE, GUARD, Array, Memory, expect, place

OFFSET = 3
"""Elements in front of the members of a group, where only the launch knows how many."""
SUBGROUP_SIZES = {16, 32}
"""What the compilers choose from for the device that they translate for unless told otherwise."""


class RefusedError(Exception):
    """The edition, the compiler or the driver does not take the function; the text says which, and why."""


@dataclass(frozen=True)
class Compiler:
    """A released compiler, and the edition of the language that it reads."""

    edition: Edition
    program: str

    @staticmethod
    def find(edition: Edition) -> "Compiler | None":
        """The compiler of the edition, if this machine has it."""
        name = os.environ.get(variable(edition)) or shutil.which(edition.value)
        return None if name is None else Compiler(edition, name)

    @property
    def index(self) -> "type[np.int64 | np.uint32]":
        """What `index` is in its OpenCL C."""
        return np.uint32 if self.edition is Edition.TINYTC_0_2 else np.int64

    def text(self, function: Function) -> str:
        """What is printed for it."""
        try:
            return unparse_function(run(function, passes_of_edition(self.edition)), self.edition)
        except CompileError as error:
            raise RefusedError(f"edition: {error.diagnostics[0].message}") from None

    def translate(self, text: str) -> str:
        """Its OpenCL C."""
        done = subprocess.run([self.program], input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RefusedError(f"compiler: {done.stderr.strip()}")
        return done.stdout

    def build(self, function: Function, source: str) -> cl.Kernel:
        """The kernel of the function."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cl.CompilerWarning)
            try:
                return cl.Kernel(cl.Program(DEVICE.context, source).build(options="-cl-std=CL3.0"), function.name)
            except cl.RuntimeError as error:
                raise RefusedError(f"driver: {error}") from None

    def results(self, function: Function, arguments: dict[str, Any], groups: int) -> dict[str, list[Array]]:
        """What the kernel makes of its tensors; fails if it writes anything else."""
        kernel = self.build(function, self.translate(self.text(function)))
        values, memories = self._marshalled(function, arguments)
        m, n, _ = kernel.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, DEVICE.handle)
        kernel.set_args(*values)
        try:
            cl.enqueue_nd_range_kernel(DEVICE.queue, kernel, (m, n, groups), (m, n, 1)).wait()
        except cl.RuntimeError as error:
            raise RefusedError(f"driver: {error}") from None
        for name, parts in memories.items():
            assert all(memory.is_intact() for memory in parts), f"%{name}: written outside of its entries"
        return {name: [memory.entries for memory in parts] for name, parts in memories.items()}

    def _marshalled(self, function: Function, arguments: dict[str, Any]) -> tuple[list[Any], dict[str, list[Memory]]]:
        """The arguments in the order of its calling convention, and the memory behind them."""
        values: list[Any] = []
        memories: dict[str, list[Memory]] = {}
        for argument in function.arguments:
            given, name = arguments[argument.name.name], argument.name.name
            match argument.type:
                case ScalarType() as scalar:
                    values.append(self.index(given) if scalar is ScalarType.INDEX else DTYPES[scalar].type(given))
                case MemrefType() as memref:
                    memories[name] = [place(given, memref, gap=2)]
                    (memory,) = memories[name]
                    values += [_buffer(memory.bytes[GUARD:]), *map(self.index, _dynamic(memory, memref))]
                case GroupType(memref=memref, offset=offset):
                    memories[name] = [place(member, memref, gap=2) for member in given]
                    distance = (OFFSET if offset is None else offset) * DTYPES[memref.element].itemsize
                    addresses = [memory.address - distance for memory in memories[name]]
                    columns = np.array([_dynamic(memory, memref) for memory in memories[name]], self.index).T
                    values += [_buffer(np.array(addresses, np.uint64)), *(_buffer(each.copy()) for each in columns)]
                    values += [self.index(OFFSET)] if offset is None else []
        return values, memories


def variable(edition: Edition) -> str:
    """The environment variable that names the compiler of the edition."""
    return edition.value.upper().replace("-", "_").replace(".", "_")


def _dynamic(memory: Memory, memref: MemrefType) -> list[int]:
    """The dynamic size and the dynamic stride of each mode."""
    found: list[int] = []
    for mode, (size, stride) in enumerate(zip(memref.shape, memref.strides, strict=True)):
        found += [memory.entries.shape[mode]] if size is None else []
        found += [memory.steps(mode)] if stride is None else []
    return found


def _buffer(host: Array) -> cl.Buffer:
    return cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=host)


def agree(compiler: Compiler, function: Function, arguments: dict[str, Any], groups: int, tolerance: float) -> None:
    """Fails unless its results are those of the interpreter, NaN where that has NaN; `tolerance` times the largest."""
    wanted = expect(function, arguments, groups)
    for name, arrays in compiler.results(function, arguments, groups).items():
        for array, right in zip(arrays, wanted[name], strict=True):
            finite = np.abs(right[np.isfinite(right)])
            atol = tolerance * float(finite.max(initial=0))
            np.testing.assert_allclose(array, right, rtol=0, atol=atol, err_msg=f"%{name}")
