"""Programs are built once, and one that does not compile is our mistake."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from diagnostics import CompilerBug
from runtime import build
from tests.runtime.kernels import DEVICE, FILL, kernel


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
