"""The sample kernel of both references on the embedded device, for 1,000 matrices that are allocated one by one."""

from pathlib import Path

import numpy as np

import einsum_front as ef
from tests.tl_backend.sample import SAMPLE

ELEMENTS = 1000


def test_the_sample_agrees_with_numpy_for_a_group_of_a_thousand_matrices(tmp_path: Path) -> None:
    random = np.random.default_rng(2024)
    A = [random.standard_normal((8, 16)).astype(np.float32).T for _ in range(ELEMENTS)]  # as the text has them
    B, C = random.standard_normal((8, 8), np.float32), random.standard_normal((8, 16), np.float32)
    D = np.asfortranarray(random.standard_normal((16, 16, ELEMENTS), np.float32))
    expected = D + 0.75 * np.einsum("nik,lk,lj->ijn", A, B, C)
    scale = np.abs(D) + 0.75 * np.einsum("nik,lk,lj->ijn", np.abs(A), np.abs(B), np.abs(C))
    path = tmp_path / "sample.tl"
    path.write_text(SAMPLE, encoding="utf-8")
    kernel = ef.compile(ef.parse(path))["fused_kernel"]
    kernel(alpha=0.75, A=A, B=B, C=C, D=D)
    rounding = 64 * np.finfo(np.float32).eps  # 8 products of sums of 8 products
    assert (np.abs(D - expected) <= rounding * scale).all()
