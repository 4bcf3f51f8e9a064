"""`--schedule FILE.sched`: recipes of kernels, from a file."""

from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main

TEXT = """
tensor A[8, 4]
tensor B[4, 3]
tensor C[8, 3]
kernel product { C[ij] = A[ik] * B[kj] }
kernel grown   { C[ij] += A[ik] * B[kj] }
"""
RECIPE = "schedule product {\n  vectorize i, i2 by 4\n}\nothers by model\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text and its recipes, in which commands run."""
    (tmp_path / "two.ein").write_text(TEXT, encoding="utf-8")
    (tmp_path / "two.sched").write_text(RECIPE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_recipe_is_printed_with_its_loops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "two.ein", "--schedule", "two.sched", "--emit", "schedule"]) == 0
    text = capsys.readouterr().out
    assert "schedule product: loops\n  why: as its recipe says\n" in text
    assert "      vectorize i, i2 by 4\n" in text
    assert "C[i2_i + 4*i2_o, j2; e] += A[i2_i + 4*i2_o, k; e] * B[k, j2; e]" in text
    assert "schedule grown: work_group\n" in text or "schedule grown: batch_simd\n" in text


@pytest.mark.usefixtures("folder")
def test_verify_has_a_level_of_loops(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "two.ein", "--schedule", "two.sched", "--verify"]) == 0
    first, *_ = capsys.readouterr().out.split("grown:")
    assert "tl, loops, kernel, device: agree" in first


STEPS = "interleave e by 4", "fuse i, i2", "unroll k", "stage A, B, C"


def edited(old: str, new: str) -> str:
    """The steps as a file, one of which is another now."""
    lines = "".join(f"  {step}\n" for step in STEPS).replace(old, new)
    return f"schedule product {{\n{lines}}}\nothers by model\n"


@pytest.mark.parametrize(("old", "new"), [("by 4", "by 2"), ("stage A, B, C", "stage B, C")])
def test_edits_by_hand_run_and_agree(folder: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Another interleave, and a stage that is taken away."""
    (folder / "two.sched").write_text(edited(old, new), encoding="utf-8")
    assert main(["run", "two.ein", "--schedule", "two.sched", "--verify"]) == 0
    first, *_ = capsys.readouterr().out.split("grown:")
    assert "tl, loops, kernel, device: agree" in first


def test_an_edit_that_changes_the_meaning_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "two.sched").write_text(edited("unroll k", "reorder j2, i"), encoding="utf-8")
    assert main(["run", "two.ein", "--schedule", "two.sched", "--verify"]) == 1
    said = capsys.readouterr().err
    assert "error[E0915]: step 3 of the schedule of `product` is not legal: `reorder j2, i`" in said
    assert "the loop over `i` has to be around `j2`, with nothing but loops between" in said


@pytest.mark.usefixtures("folder")
def test_numbers_are_those_of_the_type(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = TEXT.replace(" = A[ik]", " = 0.1 * A[ik]")
    (folder / "two.ein").write_text(f"real f32\n{text}", encoding="utf-8")
    assert main(["run", "two.ein", "--schedule", "two.sched", "--verify"]) == 0
    assert "tl, loops, kernel, device: agree" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (
            RECIPE.replace("others by model\n", ""),
            "error[E0304]: there is no schedule of `grown`: the file has `product`",
        ),
        (RECIPE.replace("by 4", "by 3"), "a vector has 2, 4, 8 or 16 lanes"),
        (RECIPE.replace("i2", "i9"), "there is no axis `i9`"),
        ("", "expected `schedule NAME {`"),
    ],
)
def test_mistakes_are_told(folder: Path, recipe: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "two.sched").write_text(recipe, encoding="utf-8")
    assert main(["compile", "two.ein", "--schedule", "two.sched", "--emit", "c"]) == 1
    assert said in capsys.readouterr().err


def test_recipes_of_no_kernel_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model chooses for all of them, which may be meant."""
    (folder / "two.sched").write_text(RECIPE.replace("schedule product", "schedule produkt"), encoding="utf-8")
    assert main(["compile", "two.ein", "--schedule", "two.sched", "--emit", "tl"]) == 0
    said = "no recipe is used: there are recipes of `produkt`, and the kernels are `product` and `grown`"
    assert said in capsys.readouterr().err
    with pytest.warns(UserWarning, match="no recipe is used"):
        ef.compile(ef.parse(folder / "two.ein"), schedule=str(folder / "two.sched"))


@pytest.mark.usefixtures("folder")
def test_a_missing_file_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "two.ein", "--schedule", "three.sched"]) == 1
    assert "three.sched" in capsys.readouterr().err
