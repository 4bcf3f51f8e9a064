"""A `.tl` file on the command line: checked, transformed, compiled, run and compared with the interpreter."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.colours import coloured
from einsum_front.data import save_arguments
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.sample import SAMPLE

SIZES = """func @product(%A: memref<f64x?x?>, %B: memref<f64x?x?>, %C: memref<f64x?x?>, %n: index) {
  for %i = 0, %n {
    gemm.n.n 1.0, %A, %B, 1.0, %C : f64, memref<f64x?x?>, memref<f64x?x?>, f64, memref<f64x?x?>
  }
}
"""

OLD = """func @f(%x: f32, %A: memref<boolx4>, %n: u8) {
  %0 = neg %x : f32
  %1 = add %n, 1 : u8
}
"""

MIXED = """func @f(%n: u8) {
  %0 = arith.shl %n, 1 : u8
}
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return write(tmp_path, "sample.tl", SAMPLE)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(*arguments: str | Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What a wrong command line is told."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    assert stopped.value.code == 2
    return capsys.readouterr().err.split("error: ", 1)[1].splitlines()[0]


# -- check and compile -------------------------------------------------------------------------------------------------


def test_check_says_nothing_about_a_legal_text(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(sample)]) == 0
    assert capsys.readouterr() == ("", "")


def test_check_says_what_is_wrong_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "wrong.ir", SAMPLE.replace("load %A[%0]", "load %A[%x]"))
    assert main(["check", str(path)]) == 1
    place = f"{path}:7:16"
    assert capsys.readouterr().err == (
        "error[E0410]: `%x` is not defined\n"
        f" --> {place}\n"
        "  |\n"
        "7 |   %1 = load %A[%x] : group<memref<f32x16x8>>\n"
        "  |                ^^ no argument or instruction has this name\n"
    )


def test_check_asks_nothing_of_a_device(tmp_path: Path) -> None:
    path = str(write(tmp_path, "narrow.tl", "func @f() subgroup_size(7) {\n}\n"))
    assert main(["check", path]) == 0
    assert main(["compile", path, "--emit", "tl"]) == 0
    assert main(["compile", path]) == 1


@pytest.mark.parametrize("edition", ["2023", "2024", "tinytc-0.2", "tinytc-0.3"])
def test_the_sample_is_printed_in_every_edition(edition: str, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(sample), "--emit", "tl", "--edition", edition]) == 0
    assert capsys.readouterr().out == SAMPLE


def test_an_edition_has_its_own_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, "old.tl", OLD))
    assert main(["compile", path, "--emit", "tl", "--edition", "2023"]) == 0
    assert capsys.readouterr().out == OLD
    assert main(["compile", path, "--emit", "tl", "--edition", "2024"]) == 1
    assert capsys.readouterr().err == (
        "error[E0408]: edition 2024 has no unsigned integers such as `u8`\n"
        f" --> {path}:1:38\n"
        "  |\n"
        "1 | func @f(%x: f32, %A: memref<boolx4>, %n: u8) {\n"
        "  |                                      ^^^^^^\n"
        "  |\n"
        "  = help: edition 2023 has words for all of this\n"
    )
    assert main(["compile", path, "--emit", "tl"]) == 0
    assert capsys.readouterr().out == OLD.replace("bool", "i1").replace("neg", "arith.neg").replace("add", "arith.add")


def test_what_no_edition_can_say_is_dumped_and_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, "mixed.tl", MIXED))
    assert main(["compile", path, "--dump-to", str(tmp_path / "levels"), "--print-after-all"]) == 0
    dumped = (tmp_path / "levels" / "f.tl").read_text(encoding="utf-8")
    assert re.sub(r" *;! from .*?mixed\.tl:.*", "", dumped).lstrip() == MIXED
    assert capsys.readouterr().err.startswith(f"; f after make_names_unique\n{MIXED}")


def test_passes_that_change_nothing_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "func @f(%x: memref<f32x4>) {\n  %n = size %x[0] : memref<f32x4>\n  %m = arith.mul %n, 2 : index\n}\n"
    path = str(write(tmp_path, "sizes.tl", text))
    passes = "simplify_views,remove_dead_code,fold_constants"
    assert main(["compile", path, "--emit", "tl", "--print-changed", "--pass", passes]) == 0
    heads = [line for line in capsys.readouterr().err.splitlines() if line.startswith(";")]
    assert heads == ["; f after make_names_unique", "; f after remove_dead_code"]


@pytest.mark.parametrize("option", ["--print-changed", "--print-after-all"])
def test_without_a_choice_the_passes_of_the_pipeline_are_shown(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write(tmp_path, "mixed.tl", MIXED))
    assert main(["compile", path, "--emit", "tl", option]) == 0
    out, err = capsys.readouterr()
    assert out == MIXED
    assert "; f after choose_work_group\n" in err


def test_passes_are_run_in_the_order_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "func @f(%x: memref<f32x4>) {\n  %n = size %x[0] : memref<f32x4>\n  %m = arith.mul %n, 2 : index\n}\n"
    path = str(write(tmp_path, "sizes.tl", text))
    command = ["compile", path, "--emit", "tl", "--print-after-all", "--pass", "fold_constants,remove_dead_code"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert out == "func @f(%x: memref<f32x4>) {\n}\n"
    assert [line for line in err.splitlines() if line.startswith(";")] == [
        "; f after make_names_unique",
        "; f after fold_constants",
        "; f after remove_dead_code",
    ]


def test_a_pass_must_be_known(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = ", ".join(name for name, _ in passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1)))
    words = refused("compile", sample, "--pass", "fold_constants,fold", capsys=capsys)
    assert words == f"there is no pass `fold`: the passes are {known}"


@pytest.mark.parametrize("level", ["graph", "plan", "yir"])
def test_a_text_has_no_level_above_its_own(level: str, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = refused("compile", sample, "--emit", level, capsys=capsys)
    assert words == f"a text at the level `tl` has no `{level}`"


def test_the_level_of_a_file_must_be_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "sample.txt", SAMPLE)
    words = refused("check", path, capsys=capsys)
    assert words == f"the level of `{path}` is not known: name it with --from ein|tc|mlir|tpp|yir|tl"
    assert main(["check", str(path), "--from", "tl"]) == 0


def test_a_text_comes_from_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAMPLE.encode())))
    assert main(["compile", "-", "--from", "tl", "--emit", "tl"]) == 0
    assert capsys.readouterr().out == SAMPLE
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"func @f() {\xff}")))
    assert main(["check", "-", "--from", "tl"]) == 1
    assert capsys.readouterr().err == "error[E0106]: the standard input is not text in UTF-8: byte 0xff in line 1\n"


# -- run ---------------------------------------------------------------------------------------------------------------


def test_the_sample_runs_for_a_thousand_matrices(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "results.npz"
    assert main(["run", str(sample), "--batch", "1000", "--verify", "--save", str(saved)]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("fused_kernel: 1000 elements in ")
    assert second.startswith("  kernel, device: agree, ")
    assert third.startswith("  device, padded arrays, C order, reversed arrays, device arrays: agree, ")
    assert np.load(saved)["D"].shape == (16, 16, 1000)


def test_data_come_from_a_file(sample: Path, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    A, B, C, D = (random.random(shape, np.float32) for shape in [(7, 16, 8), (8, 8), (8, 16), (16, 16, 7)])
    np.savez(tmp_path / "data.npz", A=A, B=B, C=C, D=D)
    files = ["--data", str(tmp_path / "data.npz"), "--save", str(tmp_path / "results.npz")]
    assert main(["run", str(sample), *files, "--args", "alpha=2.5", "--verify"]) == 0
    expected = 2.5 * np.einsum("nik,lk,lj->ijn", A, B, C) + D
    np.testing.assert_allclose(np.load(tmp_path / "results.npz")["D"], expected, rtol=1e-5)


def test_sizes_and_numbers_are_given_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, "sizes.tl", SIZES))
    saved = str(tmp_path / "results.npz")
    assert main(["run", path, "--args", "A=8x5,%B=5x3", "--args", "C=8x3,n=2", "--verify", "--save", saved]) == 0
    assert "kernel, device: agree" in capsys.readouterr().out
    assert np.load(saved)["C"].shape == (8, 3)


@pytest.mark.parametrize("element", [element.value for element in ScalarType if not element.is_complex])
def test_arrays_have_elements_of_any_type(element: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memref = f"memref<{element}x4>"
    copy = f"func @f(%A: {memref}) {{\n  %x = load %A[0] : {memref}\n  store %x, %A[3] : {memref}\n}}\n"
    saved = str(tmp_path / "results.npz")
    assert main(["run", str(write(tmp_path, "copy.tl", copy)), "--verify", "--seed", "5", "--save", saved]) == 0
    result = np.load(saved)["A"]
    if element == "bf16":  # of which NumPy's files say the size only
        result = result.view(DTYPES[ScalarType.BF16])
    assert (result.dtype, result[3]) == (DTYPES[ScalarType(element)], result[0])


def test_a_coarser_temporary_makes_results_coarser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """func @f(%A: memref<f64x9x9>, %C: memref<f64x9x9>) {
  %t = alloca -> memref<f32x9x9>
  gemm.n.n 1.0, %A, %A, 0.0, %t : f64, memref<f64x9x9>, memref<f64x9x9>, f64, memref<f32x9x9>
  axpby.n 1.0, %t, 0.0, %C : f64, memref<f32x9x9>, f64, memref<f64x9x9>
}
"""
    path = str(write(tmp_path, "coarse.tl", text))
    assert main(["run", path, "--verify"]) == 0
    operations_per_entry, roundings = 2 * (9**3 + 9**2) / 9**2, 100
    tolerance = roundings * operations_per_entry * np.finfo(np.float32).eps
    assert f"at most {tolerance:.1e}" in capsys.readouterr().out


def test_what_is_undefined_is_said_before_the_device_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path, "sizes.tl", SIZES))
    assert main(["run", path, "--args", "A=8x5,B=4x3,C=8x3,n=2", "--verify"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "error[E0451]: the shapes do not fit: k is 5 and 4\n"
        f" --> {path}:3:5\n"
        "  |\n"
        "3 |     gemm.n.n 1.0, %A, %B, 1.0, %C : f64, memref<f64x?x?>, memref<f64x?x?>, f64, memref<f64x?x?>\n"
        f"  |     {'^' * 91} undefined\n"
    )


def test_an_empty_batch_runs(sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(sample), "--batch", "0", "--verify"]) == 0
    assert capsys.readouterr().out.startswith("fused_kernel: 0 elements\n")


WRONG = {
    "alpha": "--args takes NAME=NUMBER and NAME=SIZES such as `A=8x4`, not `alpha`",
    "alpha=1,alpha=2": "--args gives `alpha` twice",
    "beta=1": "there is no argument `beta`: there are alpha, A, B, C, D",
    "alpha=one": "argument `alpha` is a number, not `one`",
    "D=16x16": "argument `D` has sizes 16x16x?, not `16x16`",
    "D=8x16x1": "argument `D` has sizes 16x16x?, not `8x16x1`",
    "D=16x16x-1": "argument `D` has sizes 16x16x?, not `16x16x-1`",
}


@pytest.mark.parametrize("given", WRONG)
def test_arguments_must_fit(given: str, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("run", sample, "--args", given, capsys=capsys) == WRONG[given]


def test_an_integer_argument_is_an_integer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "sizes.tl", SIZES)
    assert refused("run", path, "--args", "n=1.5", capsys=capsys) == "argument `n` is an integer, not `1.5`"


def test_sizes_come_from_the_file_if_there_is_one(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = refused("run", sample, "--data", tmp_path / "d.npz", "--args", "D=16x16x2", capsys=capsys)
    assert words == f"--args gives sizes for `D`, but arrays come from {tmp_path / 'd.npz'}"


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--batch", "-1"], "argument --batch: `-1` is no number from 0 on"),
        (["--batch", "many"], "argument --batch: `many` is no number from 0 on"),
        (["--repeat", "0"], "argument --repeat: `0` is no number from 1 on"),
    ],
)
def test_counts_must_be_counts(option: list[str], words: str, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("run", sample, *option, capsys=capsys) == words


def test_a_machine_without_devices_compiles_but_does_not_run(sample: Path) -> None:
    environment = {**os.environ, "OCL_ICD_VENDORS": "/nowhere", "PATH": "/nowhere", "CC": ""}
    command = [sys.executable, "-m", "einsum_front"]
    compiled = subprocess.run(
        [*command, "compile", str(sample)], env=environment, capture_output=True, text=True, check=False
    )
    assert (compiled.returncode, compiled.stderr) == (0, "")
    ran = subprocess.run([*command, "run", str(sample)], env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr.startswith("error[E0601]: this machine has no OpenCL device\n")


def test_the_commands_of_the_manual_work(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample.rename(sample.with_name("kernel.tl"))
    monkeypatch.chdir(sample.parent)
    shapes = {"A": (3, 16, 8), "B": (8, 8), "C": (8, 16), "D": (16, 16, 3)}
    save_arguments(Path("matrices.npz"), {name: np.ones(shape, np.float32) for name, shape in shapes.items()})
    manual = (Path(__file__).parents[2] / "docs" / "tensor_language.md").read_text(encoding="utf-8")
    commands = re.findall(r"^einsum-front ((?:check|compile|run) [^#\n]*)", manual, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        assert main(command.split()) == 0, command


# -- colours -----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours_unless_it_wants_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in coloured(SAMPLE, "tl", Terminal())
    assert coloured(SAMPLE, "tl", io.StringIO()) == SAMPLE
    assert coloured(SAMPLE, "plan", Terminal()) == SAMPLE
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured(SAMPLE, "tl", Terminal()) == SAMPLE


@pytest.mark.parametrize("command", ["run", "compile"])
def test_a_work_group_that_no_device_has_is_a_mistake_of_the_text(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "large.tl"
    text.write_text("func @f() work_group_size(9223372036854775807, 4) {\n}\n", encoding="utf-8")
    assert main([command, str(text)]) == 1
    assert capsys.readouterr().err.startswith("error[E0622]: a work-group of 9223372036854775807 x 4 = ")
