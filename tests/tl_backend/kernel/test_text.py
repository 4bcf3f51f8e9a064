"""The kernel trees of every schedule, pinned: `text/NAME.tl` becomes `text/NAME.SCHEDULE.tree`, always the same.

`python -m tests.tl_backend.kernel.test_text` writes them again.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.machines import MATRICES
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import read_tuning
from einsum_front.tl_backend.targets.text import TreeText
from tests.tl_backend.opencl.harness import function_of

FOLDER = Path(__file__).parent / "text"
GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True)
AVX512 = replace(DEFAULT, vector_bytes=64, has_shuffles=True, vector_registers=32)

KERNELS: dict[str, tuple[str, Target, tuple[int, int], str]] = {  # without a schedule: the model's recipe
    "product.work_item": ("product", DEFAULT, (1, 1), "work_group"),
    "product.work_group": ("product", GPU, (4, 2), "work_group"),
    "product.batch_simd": ("product", DEFAULT, (1, 1), "batch_simd"),
    "product.batch_simd_shuffles": ("product", AVX512, (1, 1), "batch_simd"),
    "product.batch_simd_gpu": ("product", GPU, (1, 1), "batch_simd"),
    "product.columns": ("product", GPU, (1, 1), "columns"),
    "product.packed": ("product", DEFAULT, (1, 1), "packed"),
    "fastest.loops": ("fastest", AVX512, (1, 1), ""),
    "matrices.tiled": ("matrices", replace(GPU, matrices=MATRICES["sm_90"]), (1, 1), "tiled:block=2x2"),
    "atomic.work_group": ("atomic", GPU, (4, 1), "work_group"),
}


def text_of(name: str) -> str:
    source, target, work_group, tuning = KERNELS[name]
    function: Function = function_of((FOLDER / f"{source}.tl").read_text(encoding="utf-8"), work_group)
    return TreeText().unparse(schedule(function, target, read_tuning(tuning) if tuning else None).lower().file)


@pytest.mark.parametrize("name", KERNELS)
def test_text(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.tree").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in KERNELS:
        (FOLDER / f"{each}.tree").write_text(text_of(each), encoding="utf-8")
