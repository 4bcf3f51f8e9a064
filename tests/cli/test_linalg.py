"""`--emit` of what other compilers read, and scripts of steps."""

from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.mlir.parse import parse
from einsum_front.mlir.verify import check

OPS = "def dot(A: f32(K), B: f32(K)) -> (C: f32()) { C() = std_addf<k>(std_mulf(A(k), B(k))); }\n"
STEPS = "tile_using_for matmul [2, 3]  // columns are whole\npromote matmul [0]\n"
DYNAMIC = "real f64\nsize n\ntensor A[n, 4]\ntensor C[n, 4]\nkernel f { C[i,j] += 2 * A[i,j] }\n"
EARLY = """real f64
tensor K[4, 4] constant
tensor M[4, 4] constant
tensor Q[4, 3]
tensor I[4, 3]
kernel f { Q[k,p] = exp(K[k,l] * M[l,j] * I[j,p]) }
"""


@pytest.mark.parametrize("level", ["linalg", "linalg-loops"])
@pytest.mark.parametrize("text", [None, DYNAMIC, EARLY])
def test_linalg_is_printed_and_reads_as_linalg(
    level: str, text: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (folder / "wave.ein").write_text(text, encoding="utf-8")
    assert main(["compile", "wave.ein", "--emit", level]) == 0
    module = parse(Source("t.mlir", capsys.readouterr().out))
    check(module)
    names = [each.name for each in module.functions]
    assert "f" in names or names == ["volume", "scale_2", "scale_3"]


def test_functions_of_entries_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "early.ein").write_text(EARLY, encoding="utf-8")
    assert main(["compile", "early.ein", "--emit", "linalg"]) == 0
    assert "math.exp" in capsys.readouterr().out


def test_definitions_are_printed_for_the_generator(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ops.tc").write_text(OPS, encoding="utf-8")
    assert main(["compile", "ops.tc", "--emit", "ods-yaml"]) == 0
    assert "--- !LinalgOpConfig" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["compile", "wave.ein", "--emit", "ods-yaml"])
    assert "--emit ods-yaml is for definitions" in capsys.readouterr().err


def test_steps_transform_loops(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.steps").write_text(STEPS, encoding="utf-8")
    assert main(["compile", "wave.ein", "--kernel", "volume", "--emit", "linalg-loops", "--steps", "a.steps"]) == 0
    text = capsys.readouterr().out
    assert "buffer" in text
    check(parse(Source("t.mlir", text)))


def test_steps_that_are_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.steps").write_text("tile matmul [2, 3]\n", encoding="utf-8")
    assert main(["compile", "wave.ein", "--emit", "linalg-loops", "--steps", "a.steps"]) == 1
    assert "error[E0844]" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["compile", "wave.ein", "--emit", "linalg", "--steps", "a.steps"])
    assert "--steps is for --emit linalg-loops" in capsys.readouterr().err


RELU = "func.func @f(%a: memref<4x4xf32>) {\n  tpp.relu outs(%a)\n  return\n}\n"


def test_primitives_are_planned(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "f.tpp").write_text(RELU, encoding="utf-8")
    assert main(["explain", "f.tpp", "--max-temp", "100"]) == 0
    assert "0 bytes of temporaries" in capsys.readouterr().out
