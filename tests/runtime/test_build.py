"""Programs are built once, and one that does not compile is our mistake."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from diagnostics import CompilerBug
from runtime import build
from runtime.artifact import Artifact
from tests.runtime.kernels import DEVICE, FILL, kernel, tensor


def test_a_source_is_built_once() -> None:
    source = FILL.source + "// built once\n"
    programs = [
        build.build(replace(FILL, source=source), DEVICE.context, DEVICE.handle).program.int_ptr for _ in range(3)
    ]
    assert len(set(programs)) == 1


def test_source_that_does_not_compile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.platformdirs, "user_cache_path", lambda *_, **__: tmp_path)
    broken = replace(FILL, source=FILL.source.replace("(double)", "(dubble)"))
    with pytest.raises(CompilerBug) as caught:
        kernel(broken)(first=0, C=np.zeros(1))
    (path,) = tmp_path.glob("rejected/*.cl")
    assert str(caught.value) == f"the generated OpenCL C does not compile; source and messages are in {path}"
    text = path.read_text()
    assert text.startswith(broken.source)
    assert "dubble" in text.removeprefix(broken.source)


def test_source_that_can_be_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rejected").write_text("a file, not a folder")
    monkeypatch.setattr(build.platformdirs, "user_cache_path", lambda *_, **__: tmp_path)
    broken = replace(FILL, source=FILL.source.replace("(double)", "(duple)"))
    with pytest.raises(CompilerBug, match="the generated OpenCL C does not compile:") as caught:
        kernel(broken)(first=0, C=np.zeros(1))
    assert broken.source in str(caught.value)


DIVIDE = Artifact(
    "divide",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void divide(global float const* A, long batch_A, global float const* B, long batch_B, global float* C, long batch_C) {
  for (int i = 0; i < 1000; ++i) {
    long at = 1000 * (long)get_group_id(2) + i;
    C[at] = A[at] / B[at];
  }
}
""",
    tuple(tensor(name, (1000,), access, type="f32") for name, access in (("A", "r"), ("B", "r"), ("C", "w"))),
    (1, 1),
    0,
    needs_fp64=False,
)
"""C[i] = A[i] / B[i] in f32."""


@pytest.mark.skipif(not build.rounds_quotients(DEVICE.handle), reason="the device does not round quotients of f32")
def test_quotients_are_those_of_numpy() -> None:
    """All bit patterns, infinities and NaN among them; without being asked an H200 differs in a fifth of these."""
    random = np.random.default_rng(0)
    left, right = (random.integers(0, 2**32, (100, 1000), dtype=np.uint32).view(np.float32) for _ in range(2))
    result = np.zeros_like(left)
    kernel(DIVIDE)(A=left, B=right, C=result)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, left / right)
