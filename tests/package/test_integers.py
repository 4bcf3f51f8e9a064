"""A package of integers: what a program gets that calls it, and why its own test leaves such kernels out."""

import ctypes
from pathlib import Path

import numpy as np

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.options import Level
from einsum_front.package import package_files
from einsum_front.package.host import C
from tests.package.building import STRICT, compiled, needs, write

TEXT = """
integer i64
tensor A[4,5] i8
tensor K[5,6] constant u16
tensor V[6,3] values<9223372036854775807, -9223372036854775808, 0, 5, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2>
tensor C[4,6]
tensor P[4,3] u64
tensor D[4] bool
scalar s
kernel g { C[ij] += s * A[ik] * K[kj]   P[il] = C[ij] * V[jl]   D[i] = A[ij] }
"""


def test_a_program_gets_the_integers_that_numpy_has(tmp_path: Path) -> None:
    stages = translate_text(Session(c_target(INSTRUCTION_SETS[0])), Source("of.ein", TEXT), Level.EIN)
    folder = write(package_files(stages, "whole", "of.ein", C), tmp_path)
    sources = [folder / "src" / f"{name}.c" for name in ("kernel_g", "launch", "errors")]
    flags = ["-std=c11", *STRICT, "-O1", "-fPIC", "-shared", f"-I{folder / 'include'}"]
    done = compiled([needs("gcc"), *flags, *sources, "-o", folder / "libwhole.so", "-lpthread", "-lm"])
    assert done.returncode == 0, done.stderr
    random = np.random.default_rng(2)
    a, k, c = (random.integers(np.iinfo(t).min, np.iinfo(t).max, s, t) for t, s in SHAPES)
    p, d, scalar = np.zeros((2, 3, 4), np.uint64), np.zeros((2, 4), np.uint8), -(2**61) + 7
    v = np.array([2**63 - 1, -(2**63), 0, 5, 0, 0, *range(1, 10), 0, 1, 2], np.int64).reshape(3, 6)
    with np.errstate(over="ignore"):
        product = np.einsum("bki,jk->bji", a.astype(np.int64), k.astype(np.int64))
        expected = c + np.int64(scalar) * product
    memory = [array.ctypes.data_as(ctypes.c_void_p) for array in (a, k, c, p, d)]
    function = ctypes.CDLL(str(folder / "libwhole.so")).whole_g
    assert function(0, *memory, ctypes.c_int64(scalar), ctypes.c_int64(2)) == 0
    np.testing.assert_array_equal(c, expected)
    np.testing.assert_array_equal(p, np.einsum("bji,lj->bli", expected, v).astype(np.uint64))
    np.testing.assert_array_equal(d, (a != 0).any(axis=1))
    assert "g: left out, it has numbers of i8" in (folder / "test" / "main.c").read_text(encoding="utf-8")


SHAPES = ((np.int8, (2, 5, 4)), (np.uint16, (6, 5)), (np.int64, (2, 6, 4)))
"""As C has them: the first mode of the text is the fastest, the last axis here."""
