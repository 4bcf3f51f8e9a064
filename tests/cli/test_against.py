"""Texts that were dumped and edited, compared with the notation that they came from."""

from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.commands.run import DIFFERENCE_FOUND
from tests.cli.conftest import WAVE

DUMP = ["compile", "wave.ein", "--kernel", "volume", "--dump-to", "levels"]
RUN = ["run", *DUMP[1:]]
"""OpenCL C is for the device that runs it: another one may have another head."""


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def run(path: str, *more: str) -> int:
    return main(["run", path, "--batch", "2", "--verify", *more])


@pytest.mark.parametrize("level", ["yir", "tl"])
def test_a_dumped_text_is_compared_with_its_notation(
    level: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(DUMP) == 0
    assert run(f"levels/volume.{level}") == 0
    assert "  compared with `volume` of wave.ein\n" in capsys.readouterr().out
    edit(folder / f"levels/volume.{level}", "1.0", "2.0")
    assert run(f"levels/volume.{level}") == DIFFERENCE_FOUND
    printed = capsys.readouterr().out
    assert f"  {level}: DIFFERS" in printed
    assert f"the first level that differs is {level}" in printed


def test_opencl_is_compared_with_its_notation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    assert run("levels/volume.cl") == 0
    text = (folder / "levels/volume.cl").read_text(encoding="utf-8")
    body = text.index("{", text.index("void volume("))
    other = text[:body] + "{ if (get_global_id(2) == 0) Q[0] = 7; }\n"
    (folder / "levels/volume.cl").write_text(other, encoding="utf-8")
    assert run("levels/volume.cl") == DIFFERENCE_FOUND
    assert "the first level that differs is device" in capsys.readouterr().out
    edit(folder / "wave.ein", "param B = 4", "param B = 5")
    assert run("levels/volume.cl") == 1
    assert capsys.readouterr().err == (
        "error[E0112]: `wave.ein` has changed since `levels/volume.cl` was made\n"
        "  = note: its body may be for other arguments\n"
        "  = note: `--against wave.ein` takes it as it is now\n"
    )


def test_opencl_that_does_not_say_its_notation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    text = (folder / "levels/volume.cl").read_text(encoding="utf-8")
    (folder / "plain.cl").write_text(text.partition("\n")[2], encoding="utf-8")
    capsys.readouterr()
    assert run("plain.cl") == 1
    assert capsys.readouterr().err.startswith("error[E0114]: `plain.cl` does not say which notation it was made from\n")
    assert run("plain.cl", "--against", "wave.ein", "--kernel", "volume") == 0


def test_a_notation_that_has_changed_is_said_and_compared_only_if_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(DUMP) == 0
    edit(folder / "wave.ein", "Q[k,p] +=", "Q[k,p] -=")
    assert run("levels/volume.tl") == 0
    why = "`wave.ein` has changed since: compare with --against wave.ein"
    assert f"  not compared with the notation that the text came from: {why}\n" in capsys.readouterr().out
    assert run("levels/volume.tl", "--against", "wave.ein") == DIFFERENCE_FOUND
    (folder / "wave.ein").unlink()
    assert run("levels/volume.tl") == 0
    assert "cannot read `wave.ein`" in capsys.readouterr().out


def test_numbers_that_were_given_are_remembered(folder: Path) -> None:
    assert main([*RUN, "-D", "B=6", "--real", "f32"]) == 0
    assert run("levels/volume.yir") == 0
    assert run("levels/volume.cl") == 0


def test_an_index_string_is_remembered(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "--einsum", "ik,kj->ij", "--shape", "4,5", "--shape", "5,6", "--dump-to", "levels"]) == 0
    assert run("levels/einsum.tl") == 0
    assert "compared with `einsum` of levels/einsum.ein" in capsys.readouterr().out
    assert "// <einsum>:1:1: ik,kj->ij" in ef.compile(ef.parse(folder / "levels/einsum.tl")).opencl


def test_a_text_that_is_in_no_file_is_written_beside(folder: Path) -> None:
    ef.compile(ef.parse(WAVE), dump_to=folder / "levels")
    assert (folder / "levels/string.ein").read_text(encoding="utf-8") == WAVE
    assert run("levels/scale_2.tl") == 0


def test_what_is_dumped_from_an_edited_text_still_knows_the_notation(folder: Path) -> None:
    assert main(DUMP) == 0
    assert main(["compile", "levels/volume.yir", "--dump-to", "more/levels"]) == 0
    text = (folder / "more/levels/volume.tl").read_text(encoding="utf-8")
    assert text.startswith(';! source {"file": "../../wave.ein"')
    assert " ;! from wave.ein:7:" in text
    assert "levels/volume.yir:" in (folder / "more/levels/volume.cl").read_text(encoding="utf-8")
    assert run("more/levels/volume.tl") == 0


def test_a_kernel_that_does_not_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(DUMP) == 0
    (folder / "other.ein").write_text("tensor Q[4, 4]\ntensor K[4, 4]\nkernel volume { Q[i,j] = K[j,i] }\n", "utf-8")
    capsys.readouterr()
    assert run("levels/volume.tl", "--against", "other.ein") == 1
    assert capsys.readouterr().err == (
        "error[E0113]: `volume` does not fit `volume` of `other.ein`\n"
        "  = note: `Q` is 4 x 3 here, and 4 x 4 in the notation\n"
        "  = note: the notation has no tensor `I`\n"
        "  = note: the notation has no tensor `A`\n"
        "  = note: `K` is constant here, and batched in the notation\n"
    )
    (folder / "other.ein").write_text("tensor Q[4, 3]\nkernel other { Q[i,j] = Q[i,j] }\n", "utf-8")
    assert run("levels/volume.tl", "--against", "other.ein") == 1
    assert "error[E0113]: `other.ein` has no kernel `volume` to compare with" in capsys.readouterr().err


@pytest.mark.parametrize("said", ["{", '{"file": 3}', '{"sha256": "x"}', '{"file": "a\\u0000b", "sha256": ""}'])
def test_a_first_line_that_cannot_be_read(said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.tl").write_text(f";! source {said}}}\nfunc @f() {{\n}}\n".replace("}}\n", "}\n", 1), "utf-8")
    code = run("x.tl")
    error = capsys.readouterr().err
    assert (code, error.partition("]")[0]) in [(1, "error[E0111"), (0, "")]
    assert "Traceback" not in error


def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(DUMP) == 0
    for command in (["levels/volume.tl", "--against", "wave.ein"], ["wave.ein", "--verify", "--against", "wave.ein"]):
        with pytest.raises(SystemExit):
            main(["run", *command])
    assert "give both" in capsys.readouterr().err


def test_passes_are_dumped_in_their_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DUMP, "--print-after-all"]) == 0
    capsys.readouterr()
    names = sorted(path.name for path in (folder / "levels/volume.passes").iterdir())
    assert names[0] == "01-select_entries.graph"
    assert names[-1].endswith("-insert_barriers.tl")
    assert [int(name[:2]) for name in names] == list(range(1, len(names) + 1))
    last = (folder / "levels/volume.passes" / names[-1]).read_text(encoding="utf-8")
    assert " ;! from wave.ein:7:" in last
