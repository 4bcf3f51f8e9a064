"""Every level can be printed, written, edited and run again."""

import re
from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.commands.run import DIFFERENCE_FOUND

KINDS = """
param B = 5
tensor P[B, 3] grouped
tensor W[B, 3] row_major
tensor V[B, 3] strided<1, 8>
tensor S[3, 3] nonzeros [(0,0), (2,1), (1,2)]
tensor w[3]    values<0.5, 0, 0.25>
tensor K{2}[B, B] constant
tensor X[2, 3, 4] row_major
tensor t[]
temp   T[B, 3]
scalar dt

kernel pointers { P[k,p] += K{0}[k,l] * P[l,q] * S[q,p] }
kernel rows     { W[k,p] = dt * W[k,q] * S[q,p] - 0.5 * W[k,p] }
kernel strides  { V[k,p] += V[k,p] * w[p] }
kernel family{i in 0:2} { W[k,p] = K{i}[k,l] * W[l,p] }
kernel scalars  { t[] = dt**2 / 2 - w[p] * S[p,p] }
kernel modes    { X[a,b,c] += X[a,b,d] * X[a,e,d] * X[1,e,c] }
kernel slices   { T[k,p] = V[k,p]  T[0,p] += 1  V[k=0:2,p] = T[k=3:5,p] }
"""
NAMES = ["pointers", "rows", "strides", "family_0", "family_1", "scalars", "modes", "slices"]
LEVELS = ["graph", "plan", "yir", "tl", "schedule", "cl"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_printed_or_written(level: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wave.ein", "--emit", level, "--dump-to", "levels"]) == 0
    printed = capsys.readouterr().out
    assert main(["compile", "wave.ein", "--emit", level, "-o", "out"]) == 0
    assert (folder / "out").read_text(encoding="utf-8") == printed
    dumped = [(folder / "levels" / f"{name}.{level}").read_text(encoding="utf-8") for name in ("volume", "scale_2")]
    assert all(_without_origins(text) in _without_origins(printed) for text in dumped)


def _without_origins(text: str) -> str:
    """The text without what only dumps say, and without line ends, which are others there."""
    said = re.sub(r"^(;!|//!) source .*\n|^;! from.*\n| *;! from.*$", "", text, flags=re.MULTILINE)
    return " ".join(said.split())


def test_what_is_in_files_is_not_printed_as_well(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wave.ein", "--dump-to", "levels"]) == 0
    assert capsys.readouterr().out == ""
    dumped = (folder / "levels" / "volume.cl").read_text(encoding="utf-8")
    assert main(["compile", "wave.ein", "--dump-to", "levels", "-o", "out.cl"]) == 0
    assert dumped.startswith("//! source ")
    assert dumped.partition("\n")[2] in (folder / "out.cl").read_text(encoding="utf-8")


@pytest.fixture
def levels(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The levels of kernels of many kinds."""
    (folder / "kinds.ein").write_text(KINDS, encoding="utf-8")
    assert main(["run", "kinds.ein", "--batch", "40", "--verify", "--dump-to", "levels"]) == 0
    assert capsys.readouterr().out.count("graph, yir, tl, kernel, device: agree") == len(NAMES)
    return folder / "levels"


def test_what_is_written_runs(levels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = {f"{name}.{level}" for name in NAMES for level in (*LEVELS, "json")}
    assert {path.name for path in levels.iterdir()} == written
    for name in NAMES:
        for level, compared in (("yir", "tl, kernel, device: agree, "), ("tl", "kernel, device: agree, ")):
            assert main(["run", str(levels / f"{name}.{level}"), "--batch", "5", "--verify"]) == 0
            assert compared in capsys.readouterr().out


EDITS = [
    ("wave.ein", "+= K", "+= 3 * K"),
    ("levels/volume.yir", "1.0, %K", "3.0, %K"),
    ("levels/volume.tl", "1.0, %K", "3.0, %K"),
]


@pytest.mark.parametrize(("name", "before", "after"), EDITS, ids=["ein", "yir", "tl"])
def test_what_is_edited_runs(name: str, before: str, after: str, folder: Path) -> None:
    assert main(["compile", "wave.ein", "--kernel", "volume", "--dump-to", "levels"]) == 0
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    random = np.random.default_rng(4)
    Q, I, A, K = (random.random(shape) for shape in [(7, 4, 3), (7, 4, 3), (7, 3, 3), (4, 4)])  # noqa: E741
    np.savez(folder / "data.npz", Q=Q, I=I, A=A, K=K)
    command = ["run", name, "--kernel", "volume", "--data", "data.npz", "--save", "results.npz", "--verify"]
    assert main(command) == (0 if name == "wave.ein" else DIFFERENCE_FOUND)
    np.testing.assert_allclose(np.load(folder / "results.npz")["Q"], Q + 3 * K @ I @ A, rtol=1e-13)


def test_an_edit_that_does_not_fit_is_said_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "wave.ein", "--kernel", "volume", "--dump-to", "levels"]) == 0
    text = (folder / "levels" / "volume.tl").read_text(encoding="utf-8")
    (folder / "levels" / "volume.tl").write_text(text.replace("%group]", "%grp]", 1), encoding="utf-8")
    capsys.readouterr()
    assert main(["run", "levels/volume.tl"]) == 1
    assert capsys.readouterr().err == (
        "error[E0410]: `%grp` is not defined\n"
        "  --> levels/volume.tl:11:30\n"
        "   |\n"
        "11 |   %Q_item = subview %Q[:, :, %grp] : memref<f64x4x3x?>  ;! from wave.ein:2:8-8\n"
        "   |                              ^^^^ no argument or instruction has this name\n"
    )
