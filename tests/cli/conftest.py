"""A program to try commands on, in an empty folder."""

from pathlib import Path

import pytest

WAVE = """param B = 4
tensor Q[B, 3]
tensor I[B, 3]
tensor A[3, 3]
tensor K[B, B] constant

kernel volume { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
kernel scale{n in 2:4} { I[k,p] = n * I[k,p] }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with `wave.ein` and `decls.ein`, which has no kernel."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wave.ein").write_text(WAVE, encoding="utf-8")
    (tmp_path / "decls.ein").write_text("param B = 4\ntensor Q[B, 3]\n", encoding="utf-8")
    return tmp_path
