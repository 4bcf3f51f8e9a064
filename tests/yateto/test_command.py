"""The command `yateto` on the example, and on scripts that end early."""

import sys
from pathlib import Path

import pytest

from einsum_front.cli import main

SEISMIC = Path(__file__).parents[2] / "examples" / "yateto" / "seismic.py"
SMALL = """
import sys
from yateto import *
print("from the script")
K, v, w = Tensor("K", (3, 3), {(0, 1): 2.0}), Tensor("v", (3,)), Tensor("w", (3,))
for namespace in sys.argv[1:]:
    g = Generator(useArchitectureIdentifiedBy("dhsw"))
    g.add("kernel", w["i"] <= K["ij"] * v["j"])
    g.add("f(3)", w["i"] <= w["i"] + v["i"], target="gpu")
    g.generate(".", namespace=namespace)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.py").write_text(SMALL, encoding="utf-8")
    return tmp_path


def test_lists(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", "small.py", "one"]) == 0
    out, err = capsys.readouterr()
    assert err == "from the script\n"
    assert [line.rstrip() for line in out.splitlines()] == [
        f"one: 2 kernels in {folder / 'kernel.ein'}",
        "kernel  in the program  target  statements",
        "kernel  kernel_         cpu              1",
        "f(3)    f_3             gpu              1",
    ]


def test_prints_levels(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", "--emit", "ein", "small.py", "one"]) == 0
    assert 'tensor K[3,3] constant nonzeros "kernel.npz"' in capsys.readouterr().out
    assert main(["yateto", "--emit", "tl", "--kernel", "f", "small.py", "one"]) == 0
    out = capsys.readouterr().out
    assert ("func @f_3" in out, "func @kernel_" in out) == (True, False)
    assert main(["yateto", "--emit", "tl", "--kernel", "kernel", "--values", "small.py", "one"]) == 0
    assert ";! values %K" in capsys.readouterr().out


def test_explains_compiles_and_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", "--explain", "--kernel", "kernel", "small.py", "one"]) == 0
    assert capsys.readouterr().out.startswith("kernel_: 1 operations on nonzeros")
    assert main(["yateto", "--compile", "small.py", "one"]) == 0
    assert capsys.readouterr().out.endswith("f(3): 3 operations an element\n2 kernels compiled\n")
    assert main(["yateto", "--verify", "--kernel", "f(3)", "small.py", "one"]) == 0
    out = capsys.readouterr().out
    assert "graph, yir, tl, kernel, device: agree" in out
    assert out.endswith("1 kernel agrees at all levels\n")


def test_several_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", "--emit", "ein", "--namespace", "two", "small.py", "one", "two"]) == 0
    assert capsys.readouterr().out.startswith("real f64")
    with pytest.raises(SystemExit):
        main(["yateto", "--emit", "ein", "small.py", "one", "two"])
    assert "choose one with --namespace among one, two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["small.py"], "`small.py` generates no kernels"),
        (["--kernel", "g", "small.py", "one"], "there is no kernel `g`"),
        (["--namespace", "two", "small.py", "one"], "there is no namespace `two`: there are one"),
    ],
)
def test_nothing_to_do(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["yateto", *arguments])
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import sys\nsys.exit('failure')", "`bad.py` ended with 'failure'"),
        (
            "from yateto import Tensor\nTensor('A', (2,))['ij']",
            "error[E0172]: `ij` has 2 indices for 1 mode, of shape (2,)",
        ),
        ("import yateto.nothing", "ModuleNotFoundError: No module named 'yateto.nothing'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        (
            "from yateto import AddressingMode",
            "ImportError: cannot import name 'AddressingMode' from 'yateto'\n"
            "  = note: `AddressingMode`: how kernels reach single tensors, of YATeTo's branches `datatyping`",
        ),
        ("import yateto.functions as yf", "`functions`: functions of entries, of YATeTo's branch `nonlinearity`"),
        ("from yateto import ops", "`ops`: operations on entries, of YATeTo's branch `nonlinearity`"),
        ("from yateto.codegen.gemm import gemmgen", "`codegen`: the writers of C++, an inner part of YATeTo"),
        ("from yateto.memory import PatternMemoryLayout", "of YATeTo's branch `sparse-tensor` (since November 2025)"),
        (
            "from yateto import *\nTensor('A', (2,), datatype=Datatype.BF16)",
            "error[E0171]: the entries of `A` are of bf16, not of Datatype.BOOL",
        ),
        ("from yateto import *\nTensor('A', (2,), datatype=1)", "the entries of `A` are of 1, not of Datatype.BOOL"),
        ("from yateto import *\nTensor('A', (2,), addressing=1)", "`addressing`: how kernels reach one tensor"),
        ("import yateto\nyateto.metagen", "`metagen`: several generators behind templates of C++"),
        ("log(2)", "NameError: name 'log' is not defined\n"),
    ],
)
def test_scripts_that_end_early(script: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.py").write_text(script, encoding="utf-8")
    assert main(["yateto", "bad.py"]) == 1
    err = capsys.readouterr().err
    assert words in err
    assert "einsum_front" not in err
    assert ("bad.py" in err, "Traceback" in err) == (True, False)


def test_a_folder_that_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The only place is that in the script."""
    (folder / "bad.py").write_text(SMALL.replace('"."', '"none"'), encoding="utf-8")
    assert main(["yateto", "bad.py", "one"]) == 1
    assert capsys.readouterr().err == (
        "from the script\n"
        "in the script:\n"
        '  File "bad.py", line 10, in <module>\n'
        '    g.generate("none", namespace=namespace)\n'
        f"error[E0107]: cannot write `{folder / 'none' / 'kernel.npz'}`: no such file or directory\n"
    )


def test_a_script_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["yateto"])
    assert "the following arguments are required: SCRIPT\n" in capsys.readouterr().err


def test_a_script_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["yateto", "no.py"]) == 1
    assert capsys.readouterr().err == "there is no script `no.py`\n"


def test_what_the_process_had_is_there_afterwards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "fine.py").write_text(
        "import sys\nassert sys.argv == ['fine.py', '--flag', 'x']\n" + SMALL, encoding="utf-8"
    )
    monkeypatch.setitem(sys.modules, "yateto", pytest)
    before = list(sys.path), list(sys.argv)
    assert main(["yateto", "fine.py", "--flag", "x"]) == 0
    assert (list(sys.path), list(sys.argv)) == before
    assert sys.modules["yateto"] is pytest
    assert "yateto.type" not in sys.modules


KERNELS = ["volume", "derivative", "neighboringFlux(47)", "localFluxAll", "viscoelastic::attenuate", "output::sum"]
FUSED = ["--precision", "s", "--simulations", "3"]


@pytest.mark.parametrize(
    ("arguments", "kernels"),
    [
        pytest.param([], KERNELS, id="one"),
        pytest.param(FUSED, KERNELS[:3], id="fused", marks=pytest.mark.slow),
        pytest.param(FUSED, KERNELS[3:], id="others, fused", marks=pytest.mark.slow),
    ],
)
def test_the_example(
    arguments: list[str], kernels: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("einsum_front.driver.verification.MOST_STATEMENTS", 2000)  # others take seconds each
    for kernel in kernels:
        assert main(["yateto", "--verify", "--kernel", kernel, str(SEISMIC), *arguments]) == 0
        assert capsys.readouterr().out.endswith("1 kernel agrees at all levels\n")
    assert main(["yateto", str(SEISMIC), *arguments]) == 0
    assert capsys.readouterr().out.startswith("waves: 64 kernels in ")
