"""SYCL from trees: pinned texts, and what compilers say of every node.

`python -m tests.tl_backend.targets.test_sycl` writes the texts again.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.schedules.tuning import Tuning
from einsum_front.tl_backend.targets.sycl import HEADER, SYCL
from tests.emulated_sycl import compilers, compiles
from tests.tl_backend.kernel.harness import lower
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.targets.every_node import files, local
from tests.tl_backend.targets.test_cuda import GOLDEN, GPU, TEXTS, file_of

FOLDER = Path(__file__).parent / "sycl"


def golden(name: str) -> str:
    source, work_group, kind = GOLDEN[name]
    function = function_of((TEXTS / f"{source}.tl").read_text(encoding="utf-8"), work_group)
    return SYCL.printer().unparse(lower(function, replace(GPU, language=SYCL), Tuning(kind)).file)


@pytest.mark.parametrize("name", GOLDEN)
def test_text(name: str) -> None:
    assert golden(name) == (FOLDER / f"{name}.cpp").read_text(encoding="utf-8")


def test_the_place_in_the_launch() -> None:
    """The last dimension is the fastest of SYCL: work-groups and rows count there."""
    items: tuple[tree.Expression, ...] = (tree.ItemId(0), tree.ItemId(1), tree.GroupId(), tree.GroupCount())
    body = (tree.Declare(Scalar.I64, name, item) for name, item in zip("ijkl", items, strict=True))
    text = SYCL.printer().unparse(file_of(*body))
    for line in (
        "long long i = (long long)item.get_local_id(1);",
        "long long j = (long long)item.get_local_id(0);",
        "long long k = (long long)item.get_group(1);",
        "long long l = (long long)item.get_group_range(1);",
        "handler.parallel_for(sycl::nd_range<2>({2, 32 * groups}, {2, 32}), [=](sycl::nd_item<2> item) {",
    ):
        assert line in text


def test_local_arrays_are_parts_of_one_accessor() -> None:
    text = SYCL.printer().unparse(file_of(local("bytes", 100, Scalar.U8), local("near", 6 * 1024)))
    assert "    unsigned char *const bytes = group_memory;\n" in text
    assert "    double *const near = (double *)(group_memory + 128);\n" in text
    assert "sycl::local_accessor<local_line, 1> group_memory(385, handler);" in text  # 128 + 8 * 6144 bytes


def test_words_of_sycl_are_no_names() -> None:
    assert SYCL.reserved >= {"template", "sycl", "item", "queue", "groups", "handler", "f64x4"}
    assert "threadIdx" not in SYCL.reserved


@pytest.mark.parametrize("compiler", compilers())
def test_compilers_take_pinned_texts_and_every_node(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    texts = [*map(golden, GOLDEN), *map(SYCL.printer().unparse, files())]
    spaces = [f"namespace k{number} {{\n{text}}}\n" for number, text in enumerate(texts)]
    (tmp_path / "kernels.cpp").write_text(HEADER + "\n".join(spaces), encoding="utf-8")
    compiles(compiler, tmp_path / "kernels.cpp", tmp_path / "kernels.o")


if __name__ == "__main__":
    for each in GOLDEN:
        (FOLDER / f"{each}.cpp").write_text(golden(each), encoding="utf-8")
