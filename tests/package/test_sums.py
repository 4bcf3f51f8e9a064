"""A package whose program says where sums take their terms from, and that looks at integers in debug builds."""

import ctypes
from pathlib import Path

import numpy as np

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target
from einsum_front.options import Level
from einsum_front.package import package_files
from einsum_front.package.host import C
from tests.package.building import STRICT, compiled, needs, run, write

DOCS = (Path(__file__).parents[2] / "docs" / "package.md").read_text(encoding="utf-8")


def test_the_two_kernels_of_the_documentation_sum_up(tmp_path: Path) -> None:
    text = DOCS.split("## Sums in an order", 1)[1].split("```ein\n", 1)[1].split("```", 1)[0]
    stages = translate_text(Session(c_target(INSTRUCTION_SETS[0])), Source("of.ein", text), Level.EIN)
    folder = write(package_files(stages, "whole", "of.ein", C), tmp_path)
    sources = [folder / "src" / f"{name}.c" for name in ("kernel_elements", "kernel_sums", "launch", "errors")]
    flags = ["-std=c11", *STRICT, "-O1", "-fPIC", "-shared", f"-I{folder / 'include'}"]
    done = compiled([needs("gcc"), *flags, *sources, "-o", folder / "libwhole.so", "-lpthread", "-lm"])
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(folder / "libwhole.so"))
    random = np.random.default_rng(1)
    node, u = random.integers(0, 40, (50, 4)), random.uniform(-1, 1, (50, 4))
    at = np.full((40, 16), -1, np.int32)
    for each in range(40):
        places = np.flatnonzero(node == each)
        at[each, : len(places)] = places
    expected = np.ones(40)
    np.add.at(expected, node, 2 * u)
    results = []
    for _ in range(2):
        parts, y = np.full_like(u, np.nan), np.ones(40)
        numbers = [array.ctypes.data_as(ctypes.c_void_p) for array in (u, parts, at, y)]
        assert library.whole_elements(0, numbers[0], numbers[1], ctypes.c_int64(50)) == 0
        given = (*numbers[1:], ctypes.c_int64(200), ctypes.c_int64(40))
        assert library.whole_sums(0, *given) == 0
        results.append(y)
    np.testing.assert_allclose(results[0], expected, rtol=1e-13)
    assert (results[0] == results[1]).all()


PROGRAM = """
#include "whole.hpp"
#include <cstdio>
#include <vector>

int main()
{
    std::vector<double> x(5, 1.0), I(6, 1.0), y(6, 0.0);
    std::vector<std::int32_t> node{0, 4, -1, 2, 3, 1};
    std::vector<std::int64_t> next{1, 2, -7};
    for (int wrong = 0; wrong < 3; ++wrong) {
        node[3] = wrong == 1 ? 5 : 2;
        next[1] = wrong == 2 ? 3 : 2;
        const auto done = whole::f(whole::serial, x, node, next, I, y, 5, 3);
        std::printf("%d %g %s\\n", done.code(), y[0], done.message());
    }
}
"""


def test_debug_builds_look_at_integers_before_anything_runs(tmp_path: Path) -> None:
    text = """
    size nodes tensor x[nodes] constant tensor node[2] i32 tensor next[] i64 tensor I[2] tensor y[2]
    kernel f { y[i] += x[node[i]] + I[i]@next[] }
    """
    stages = translate_text(Session(c_target(INSTRUCTION_SETS[0])), Source("of.ein", text), Level.EIN)
    folder = write({**package_files(stages, "whole", "of.ein", C), "main.cpp": PROGRAM}, tmp_path)
    objects = [folder / f"{name}.o" for name in ("kernel_f", "launch", "errors")]
    for each in objects:
        source = folder / "src" / f"{each.stem}.c"
        done = compiled([needs("gcc"), "-std=c11", *STRICT, f"-I{folder / 'include'}", "-c", source, "-o", each])
        assert done.returncode == 0, done.stderr
    program = folder / "program"
    flags = ["-std=c++17", *STRICT, f"-I{folder / 'include'}"]
    done = compiled([needs("g++"), *flags, folder / "main.cpp", *objects, "-o", program, "-lpthread", "-lm"])
    assert done.returncode == 0, done.stderr
    assert run(program, tmp_path).stdout.splitlines() == [
        "0 2 ",
        "3 2 `f`: argument `node` is 5 at entry 3, and there are 5 places",
        "3 2 `f`: argument `next` is 3 at entry 1, and there are 3 places",
    ]
