"""Stores past the caches: when they are taken, what they compute, and what languages say for them."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.core.instruction_sets import AVX2, AVX512
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import statements
from einsum_front.tl_backend.loops.parse import parse
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.schedules.choice import Scheduled, schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.targets.c import c
from einsum_front.tl_backend.targets.c_family import Language
from einsum_front.tl_backend.targets.cuda import CUDA
from einsum_front.tl_backend.targets.opencl import OPENCL_C
from einsum_front.tl_backend.transforms.heuristic import Writer
from einsum_front.tl_backend.transforms.recipe import Line, Recipe
from tests.tl_backend.transforms import walks

UNROLLED = ("interleave e by 8", "unroll m*, k")
STAGED = ("interleave e by 8", "fuse m, m2", "stage y at m")


def scheduled(*lines: str) -> Scheduled:
    recipe = Recipe("operator", tuple(map(Line, lines)))
    return schedule(walks.functions()["operator"], walks.TARGET, Tuning(ScheduleKind.LOOPS, recipe=recipe))


def without_streams(kernel: Kernel) -> Kernel:
    """The kernel in which functions that stream do nothing."""

    def kept(function: tree.Function) -> tree.Function:
        streams = any(isinstance(each, tree.Assign) and each.is_streamed for each in statements(function.body))
        return replace(function, body=()) if streams else function

    return replace(kernel, file=replace(kernel.file, functions=tuple(map(kept, kernel.file.functions))))


def is_right(of: Scheduled, elements: int, *, streams: bool) -> bool:
    """True if the kernel computes what the function does."""
    given = walks.arguments(walks.start("operator"), elements)
    mine = walks.views(of.function, given)
    kernel = of.lower() if streams else without_streams(of.lower())
    fake: Any = SimpleNamespace(function=of.function, prologue=None, lower=lambda: kernel)
    interpret_kernel(fake, mine, elements)
    return walks.differences({"y": np.moveaxis(mine["y"], 0, 0)}, {"y": given["x"] @ given["K"].T}) == []


@pytest.mark.parametrize("steps", [UNROLLED, STAGED], ids=["unrolled", "staged"])
@pytest.mark.parametrize(
    ("elements", "above", "taken"), [(16, "", True), (16, " above 1", False), (17, "", False), (9, "", False)]
)
def test_whole_lines_of_many_elements_stream(steps: tuple[str, ...], elements: int, above: str, *, taken: bool) -> None:
    """Rows of 17 elements do not begin at multiples of 64 bytes. Without what streams, the result is wrong."""
    of = scheduled(*steps, f"stream y{above}")
    assert is_right(of, elements, streams=True)
    assert is_right(of, elements, streams=False) is not taken


@pytest.mark.parametrize(
    ("language", "store", "has_fence"),
    [
        (c(AVX512), "vmovntps", True),
        (c(AVX2), "define STREAM(type, place, value) place = value", True),
        (OPENCL_C, "__builtin_nontemporal_store", True),
        (CUDA, "", False),
    ],
    ids=lambda each: each.name if isinstance(each, Language) else None,
)
def test_languages_have_a_store_or_a_plain_one(language: Language, store: str, *, has_fence: bool) -> None:
    text = language.printer().unparse(scheduled(*UNROLLED, "stream y").lower().file)
    assert store in text
    assert ("FENCE;" in text) is has_fence
    assert ("STREAM(f64x8" in text or "STREAM(double8" in text) is has_fence


def test_texts_without_such_stores_have_none_of_the_words() -> None:
    for language in (c(AVX512), OPENCL_C):
        text = language.printer().unparse(scheduled(*UNROLLED).lower().file)
        assert "STREAM" not in text
        assert "FENCE" not in text.replace("MEM_FENCE", "")


@pytest.mark.parametrize("device", ["c", "auto"])
@pytest.mark.parametrize("elements", [64, 67, 1000])
@pytest.mark.parametrize("shift", [0, 1])
def test_devices_store_what_numpy_computes(device: str, elements: int, shift: int) -> None:
    """Arrays begin at a line of the cache, or within one."""
    matrix = np.arange(12.0).reshape(4, 3)
    operator = ef.Tensor("K", matrix.shape, values=matrix)
    x, y = (ef.Tensor(name, (size,), batch_after=0) for name, size in (("x", 3), ("y", 4)))
    kernel = ef.Kernel("operator", (y["i"] <= operator["ij"] * x["j"],))
    recipe = ef.Schedule("operator").interleave("e", by=8).unroll("i*", "j").stream("y")
    compiled = ef.compile(ef.program(kernel), device, schedule=recipe)["operator"]
    given = np.random.default_rng(1).integers(-9, 9, (3, elements)).astype(float)
    room = np.full(4 * elements + 16, 7.0)
    start = -room.ctypes.data % 64 // 8 + shift
    found = room[start : start + 4 * elements].reshape(4, elements)
    compiled(x=given.T, y=found.T)
    np.testing.assert_array_equal(found, matrix @ given)
    assert (room[:start] == 7).all()
    assert (room[start + found.size :] == 7).all()


TEXT = """loops sums {
  tensor A: f64 4 strides 1 batch fastest
  tensor B: f64 4 strides 1 batch fastest
  tensor C: f64 4 strides 1 batch fastest
  for e in elements {
    for i in 4 {
      C[i; e] = A[i; e] * B[i; e]
    }
    for j in 4 {
      B[j; e] = B[j; e] * 2.0
    }
  }
}
"""


def test_results_that_are_not_read_stream_by_themselves() -> None:
    writer = Writer("sums", parse(Source("sums.loops", TEXT)), 32, 2**26)
    writer.write(8)
    assert [line.text for line in writer.recipe.lines if line.text.startswith("stream")] == ["stream C above 64"]
