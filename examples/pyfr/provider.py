"""A provider of matrix products for PyFR's OpenMP backend: constant operators on blocks of columns.

PyFR asks each provider for a kernel `out = alpha a b + beta out`, and takes a later one if it takes less than 0.95 of
the time. Its OpenMP backend has one provider, LIBXSMM's `fsspmdm`, whose kernels say no time. `Backend` has ours behind
it, and times for both.
"""

import re
from collections.abc import Iterator
from ctypes import c_void_p, cast
from itertools import pairwise
from typing import Any

import numpy as np
from pyfr.backends.base import NotSuitableError
from pyfr.backends.openmp.base import OpenMPBackend
from pyfr.backends.openmp.provider import OpenMPKernel, OpenMPKernelProvider

import einsum_front as ef
from einsum_front.runtime.artifact import TensorParameter
from examples.pyfr.symmetry import factors
from examples.pyfr.timing import Times

KERNEL = """#include <stdint.h>

struct arguments {
    const REAL *b; INDEX b_size; REAL *out; INDEX out_size;
    void (*parts[COUNT])(const REAL *, REAL *);
};

void einsum_front_mul(INDEX block, const struct arguments *arguments, int is_local)
{
    const REAL *b = arguments->b + (is_local & 1 ? 0 : block * arguments->b_size);
    REAL *out = arguments->out + (is_local & 4 ? 0 : block * arguments->out_size);
    ARRAYS
    CALLS
}
"""
"""What PyFR calls for each block. `is_local` has a bit for each argument that is memory of the thread."""

PART = """
MATRICES

void einsum_front_part(const REAL *b, REAL *out)
{
    ENTRY(0, 1, ARGUMENTS);
}
"""
"""A kernel of ours for one block."""

Parts = tuple[tuple[str, int], ...]
"""Functions in C, one after the other, and the entries that each makes."""

MOST_REFLECTIONS, LONG = 2, 1000
"""Sums and differences one after the other; multiplications between them that fit into caches of code."""

Choice = tuple[str, int, float, float, bool]
"""Shape of a matrix, its non-zeros, seconds of LIBXSMM and of ours (not a number: none), and whether ours was taken."""


class EinsumFrontKernels(OpenMPKernelProvider):  # type: ignore[misc] # PyFR has no types
    """Products with constant matrices, each a function in C for a block of columns."""

    def __init__(self, backend: Any, times: Times) -> None:
        super().__init__(backend)
        self._times = times
        self._found: dict[tuple[Any, ...], list[Parts]] = {}

    def mul(self, a: Any, b: Any, out: Any, alpha: float = 1.0, beta: float = 0.0) -> Any:
        """The kernel `out = alpha a b + beta out`; raises `NotSuitableError` where it is none of ours."""
        if "const" not in a.tags or beta not in (0, 1) or b.leaddim != out.leaddim:
            raise NotSuitableError("only constant matrices, added to `out` or in its place")
        key = a.mid, alpha, beta, b.leaddim
        if key not in self._found:
            self._found[key] = list(_ways(alpha * a.get(), b.leaddim, adds=beta == 1, backend=self.backend))
        if not self._found[key]:
            raise NotSuitableError("the kernel needs memory of its own")
        made = [self._kernel(parts, a, b, out, (*key, b.nblocks)) for parts in self._found[key]]
        return min(made, key=lambda each: each.dt)

    def _kernel(self, parts: Parts, a: Any, b: Any, out: Any, key: tuple[Any, ...]) -> Any:
        functions = [self._build_library(source).function("einsum_front_part") for source, _ in parts]
        arrays = ["b", *(f"t{place}" for place in range(len(parts) - 1)), "out"]
        words = {
            "COUNT": str(len(parts)),
            "ARRAYS": " ".join(
                f"REAL {name}[{size}] __attribute__((aligned(64)));"
                for name, (_, size) in zip(arrays[1:-1], parts[:-1], strict=True)
            ),
            "CALLS": " ".join(
                f"arguments->parts[{place}]({one}, {other});" for place, (one, other) in enumerate(pairwise(arrays))
            ),
            **_types(self.backend),
        }
        names = "b", "bsz", "out", "outsz", *(f"part{place}" for place in range(len(parts)))
        argument_types = [*[np.uintp, self.backend.ixdtype] * 2, *[np.uintp] * len(parts)]
        function = self._build_kernel("einsum_front_mul", _filled(KERNEL, words), argument_types, names)
        addresses = [cast(each, c_void_p).value for each in functions]
        function.set_args(b, b.blocksz, out, out.blocksz, *addresses)
        function.set_nblocks(b.nblocks)
        made = OpenMPKernel(mats=[a, b, out], misc=[self, functions], kernel=function)
        made.dt = self._times.of(made, ("ours", *key, parts))
        return made


class Measured:
    """PyFR's own provider of products, whose kernels say how long they take."""

    def __init__(self, provider: Any, times: Times) -> None:
        self._provider, self._times = provider, times

    def mul(self, a: Any, b: Any, out: Any, alpha: float = 1.0, beta: float = 0.0) -> Any:
        """As it was, with a time."""
        made = self._provider.mul(a, b, out, alpha, beta)
        made.dt = self._times.of(made, ("theirs", a.mid, alpha, beta, b.leaddim, b.nblocks))
        return made


class Backend(OpenMPBackend):  # type: ignore[misc] # PyFR has no types
    """PyFR's OpenMP backend with one provider more. PyFR finds it by its name."""

    name = "openmp-einsum-front"

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        self.name = OpenMPBackend.name  # templates of pointwise kernels are found by it
        times = Times(self)
        *others, theirs = self._providers
        self._providers: list[Any] = [*others, Measured(theirs, times), EinsumFrontKernels(self, times)]
        self.choices: list[Choice] = []

    def kernel(self, name: str, *arguments: Any, **named: Any) -> Any:
        """PyFR's choice, which is noted."""
        taken = super().kernel(name, *arguments, **named)
        if name == "mul":
            seconds = []
            for provider in self._providers[-2:]:
                try:
                    seconds.append(float(provider.mul(*arguments, **named).dt))
                except NotSuitableError:
                    seconds.append(float("nan"))
            matrix = arguments[0].get()
            shape = f"{matrix.shape[0]} x {matrix.shape[1]}"
            is_ours = any(isinstance(each, EinsumFrontKernels) for each in taken.misc)
            self.choices.append((shape, int(np.count_nonzero(matrix)), seconds[0], seconds[1], is_ours))
        return taken


def _ways(matrix: np.ndarray, columns: int, *, adds: bool, backend: Any) -> Iterator[Parts]:
    """The product as it is, and with the sums and differences of one and two reflections.

    All of it is done for a few columns, then for the next. Code that is too long for that is in three parts, each of
    which runs for all columns.
    """
    matrix = np.where(abs(matrix) < 16 * np.finfo(np.float64).eps * abs(matrix).max(), 0, matrix)
    known = set()
    for depth in range(MOST_REFLECTIONS + 1):
        found = factors(matrix, depth) if depth else [matrix]
        sizes = tuple(map(np.count_nonzero, found))
        if sizes in known:
            continue
        known.add(sizes)
        middle = int(np.argmax(sizes))
        is_long = sizes[middle] > LONG and 0 < middle < len(found) - 1
        way = [found[middle + 1 :], [found[middle]], found[:middle]] if is_long else [found]
        sources = [_part(each, columns, adds=adds and each is way[-1], backend=backend) for each in way]
        if None not in sources:
            yield tuple((text, len(each[0]) * columns) for text, each in zip(sources, way, strict=True) if text)


def _part(matrices: list[np.ndarray], columns: int, *, adds: bool, backend: Any) -> str | None:
    """C for the product of matrices and so many columns, which lie in rows of memory; none if it needs more memory."""
    value: Any = ef.Tensor("B", (matrices[-1].shape[1], columns), layout="row_major")
    out = ef.Tensor("C", (len(matrices[0]), columns), layout="row_major")
    statements = []
    for place, matrix in reversed([*enumerate(matrices)]):
        product = ef.Tensor(f"A{place}", matrix.shape, values=matrix)["ij"] * value["jc"]
        value = ef.Tensor(f"T{place}", (len(matrix), columns), storage="temp") if place else out
        statements.append(out["ic"].add(product) if adds and not place else value["ic"] <= product)
    real = "f32" if backend.fpdtype == np.float32 else "f64"
    artifact = ef.compile(ef.program(ef.Kernel("mul", tuple(statements)), real=real), "c")["mul"].artifact
    if artifact.prologue is not None or artifact.scratch:
        return None
    names = {"B": "b", "C": "out"} | {f"A{place}": f"matrix_{place}" for place in range(len(matrices))}
    given: list[str] = []
    for each in artifact.parameters:  # the pointer, then what the launch knows: the number of blocks
        if not isinstance(each, TensorParameter):
            return None
        given += [names[each.name], *["1"] * (*each.shape, *each.strides).count(None)]
    if artifact.elements_per_group > 1:
        given.append("1")
    constants = [
        f"static const REAL matrix_{place}[] = {{{', '.join(repr(float(each)) for each in matrix.ravel(order='F'))}}};"
        for place, matrix in enumerate(matrices)
    ]
    words = {"MATRICES": "\n".join(constants), "ENTRY": artifact.entry, "ARGUMENTS": ", ".join(given)}
    return artifact.source + _filled(PART, words | _types(backend))


def _types(backend: Any) -> dict[str, str]:
    return {
        "REAL": "float" if backend.fpdtype == np.float32 else "double",
        "INDEX": {4: "int32_t", 8: "int64_t"}[np.dtype(backend.ixdtype).itemsize],
    }


def _filled(template: str, words: dict[str, str]) -> str:
    """The template with texts in the place of words; those may have words that come later."""
    for word, text in words.items():
        template = re.sub(rf"\b{word}\b", text, template)
    return template
