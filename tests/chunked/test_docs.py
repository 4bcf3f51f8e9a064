"""The example of the page runs."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "large_batches.md"


def test_example(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("dask.array", reason="dask is not installed: pip install einsum-front[dask]")
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    assert "volume: 10,000 elements" in capsys.readouterr().out
