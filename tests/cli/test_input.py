"""Texts and files with mistakes: exit code 1, or 3 where a device is at fault, and words that name the place."""

from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main

COMMANDS = ["check", "compile", "explain", "run"]


def said(*command: str, code: int = 1, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says to a mistake; it prints nothing else."""
    assert main(command) == code
    out, err = capsys.readouterr()
    assert out == ""
    return err.removesuffix("\n")


# -- the text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_a_program_needs_a_kernel(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(command, "decls.ein", capsys=capsys) == (
        "error[E0229]: the text has nothing to compile\n"
        " --> decls.ein:2:8\n"
        "  |\n"
        "2 | tensor Q[B, 3]\n"
        "  |        ^ no kernel up to the end of the text"
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("suffix", ["yir", "tl", "ir"])
def test_so_does_a_text_below_the_notation(
    command: str, suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / f"empty.{suffix}").write_text("; nothing", encoding="utf-8")
    assert said(command, f"empty.{suffix}", capsys=capsys) == (
        "error[E0229]: the text has nothing to compile\n"
        f" --> empty.{suffix}:1:1\n"
        "  |\n"
        "1 | ; nothing\n"
        "  | ^ no kernel up to the end of the text"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_kernel_must_be_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(command, "wave.ein", "--kernel", "volum", capsys=capsys) == (
        "error[E0221]: there is no kernel `volum`\n  = note: the text has `volume`, `scale_2`, `scale_3`"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_string_must_fit_its_shapes(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(command, "--einsum", "ik,kj->ij", "--shape", "3,4", "--shape", "5,6", capsys=capsys) == (
        "error[E0227]: index `k` has size 5 in operand 1 but 4 in operand 0\n"
        " --> <einsum>:1:4\n"
        "  |\n"
        "1 | ik,kj->ij\n"
        "  |  - ^ 5\n"
        "  |  |\n"
        "  |  4"
    )


@pytest.mark.parametrize("suffix", ["ein", "yir", "tl"])
def test_a_file_must_be_text_and_be_there(suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / f"binary.{suffix}").write_bytes(b"ab\xff")
    (folder / f"folder.{suffix}").mkdir()
    for name, words in {
        f"binary.{suffix}": f"error[E0106]: `binary.{suffix}` is not text in UTF-8: byte 0xff in line 1",
        f"folder.{suffix}": f"error[E0105]: cannot read `folder.{suffix}`: is a directory",
        f"none.{suffix}": f"error[E0105]: cannot read `none.{suffix}`: no such file or directory",
    }.items():
        assert said("check", name, capsys=capsys) == words


@pytest.mark.parametrize(
    ("name", "reason"),
    [("none", "no such file or directory"), ("none.txt", "no such file or directory"), (".", "is a directory")],
)
def test_a_name_without_a_level_must_be_there(name: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--from` would not help."""
    assert said("check", name, capsys=capsys) == f"error[E0105]: cannot read `{name}`: {reason}"


def test_a_name_that_resembles_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "flux.ein").write_text("", encoding="utf-8")
    for name, there in {"wav.ein": "wave.ein", "sub/flx.ein": "sub/flux.ein"}.items():
        missing = f"error[E0105]: cannot read `{name}`: no such file or directory"
        assert said("check", name, capsys=capsys) == f"{missing}\n  = note: there is `{there}`"
    assert said("check", "wave.yir", capsys=capsys).endswith("no such file or directory")


def test_the_device_must_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    words = said("run", "wave.ein", "--device", "abacus", code=3, capsys=capsys)
    assert words.startswith("error[E0602]: there is no OpenCL device `abacus`\n  = note: device 0: ")


# -- where results go --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["compile", "-o", "none/x.cl"], "cannot write `none/x.cl`: no such file or directory"),
        (["compile", "-o", "."], "cannot write `.`: is a directory"),
        (["compile", "--dump-to", "wave.ein"], "cannot write `wave.ein`: file exists"),
        (["run", "--dump-to", "wave.ein/x"], "cannot write `wave.ein/x`: not a directory"),
    ],
)
def test_a_place_must_be_writable(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(*options, "wave.ein", capsys=capsys) == f"error[E0107]: {words}"


def test_results_are_written_where_the_user_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "wave.ein", "--kernel", "volume", "--batch", "2", "--save"]
    assert main([*command, "results"]) == 0
    assert np.load(folder / "results")["Q"].shape == (2, 4, 3)
    assert main([*command, "."]) == 1
    assert capsys.readouterr().err == "error[E0107]: cannot write `.`: is a directory\n"


# -- where arguments come from -----------------------------------------------------------------------------------------


def test_arguments_come_from_an_npz_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(folder / "one.npy", np.ones(3))
    (folder / "empty.npz").write_bytes(b"")
    np.savez(folder / "objects.npz", Q=np.array([None]))
    not_one = "error[E0514]: `{}` is not an .npz file of arrays\n  = note: `numpy.savez(path, Q=Q)` writes one"
    objects = "error[E0514]: cannot read `objects.npz`: its entry `Q` holds Python objects, which are not read"
    for name, words in {
        "none.npz": "error[E0514]: cannot read `none.npz`: no such file or directory",
        ".": "error[E0514]: cannot read `.`: is a directory",
        "wave.ein": not_one.format("wave.ein"),
        "one.npy": not_one.format("one.npy"),
        "empty.npz": not_one.format("empty.npz"),
        "objects.npz": objects,
    }.items():
        assert said("run", "wave.ein", "--data", name, capsys=capsys) == words


def test_arguments_must_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(folder / "data.npz", Q=np.ones((5, 4, 3)), I=np.ones((6, 4, 3)), A=np.ones((5, 9)), K=np.eye(4, dtype="f"))
    assert said("run", "wave.ein", "--kernel", "volume", "--data", "data.npz", capsys=capsys) == (
        "error[E0505]: argument `A` has shape (5, 9), expected (batch, 3, 3)\n\n"
        "error[E0504]: argument `K` has element type float32, expected float64\n"
        "  = note: arrays are not converted on the way: `.astype(numpy.float64)` does it\n\n"
        "error[E0508]: arguments differ in the size of the batch: 5 in `Q`, 6 in `I`"
    )


def test_a_batch_must_fit_into_memory(capsys: pytest.CaptureFixture[str]) -> None:
    for batch in (10**15, 10**30):
        words = said("run", "wave.ein", "--kernel", "volume", "--batch", str(batch), capsys=capsys)
        assert words == f"error[E0516]: this machine has no memory for argument `Q` of shape ({batch}, 4, 3)"
