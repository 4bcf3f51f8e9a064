"""`parse` and `compile` and what they return."""

import json
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef

TEXT = "tensor A[2, 3]\nkernel twice { A[ij] = 2 * A[ij] }\nkernel thrice { A[ij] = 3 * A[ij] }\n"


def test_a_program_comes_from_a_text_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.ein"
    path.write_text(TEXT, encoding="utf-8")
    compiled = [ef.compile(ef.parse(source)) for source in (TEXT, path, str(path))]
    assert [list(program) for program in compiled] == [["twice", "thrice"]] * 3
    assert len({program.tensor_language for program in compiled}) == 1


def test_kernels_are_entries_by_name() -> None:
    compiled = ef.compile(ef.parse(TEXT))
    assert repr(compiled) == "<compiled: twice, thrice>"
    assert repr(compiled["twice"]) == "<kernel twice(A)>"
    assert compiled.get("once") is None
    with pytest.raises(KeyError, match="there is no kernel 'once': there are 'twice', 'thrice'"):
        compiled["once"]


def test_every_level_has_a_text_unless_it_is_above_the_input(tmp_path: Path) -> None:
    compiled = ef.compile(ef.parse(TEXT))
    kernel = compiled["twice"]
    for level in ("graph", "plan", "yateto", "tensor_language", "opencl"):
        assert getattr(kernel, level) in getattr(compiled, level)
    path = tmp_path / "a.yir"
    path.write_text(compiled.yateto, encoding="utf-8")
    lower = ef.compile(ef.parse(path))["thrice"]
    assert (lower.graph, lower.plan) == (None, None)
    assert lower.tensor_language == compiled["thrice"].tensor_language


def test_levels_are_written_to_a_folder(tmp_path: Path) -> None:
    compiled = ef.compile(ef.parse(TEXT), kernel="twice", dump_to=str(tmp_path / "levels"))
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "levels").iterdir()}
    kernel = compiled["twice"]
    (described,) = json.loads(texts.pop("twice.json"))
    assert described["source"] == kernel.opencl
    assert [parameter["name"] for parameter in described["parameters"]] == [
        parameter.name for parameter in kernel.artifact.parameters
    ]
    assert texts.pop("string.ein") == TEXT
    assert texts.pop("twice.cl").partition("\n")[2] == kernel.opencl
    for name in ("twice.yir", "twice.tl"):
        (read,) = ef.compile(ef.parse(tmp_path / "levels" / name)).values()
        assert texts.pop(name).startswith(';! source {"file": "string.ein"')
        assert read.tensor_language == kernel.tensor_language
    assert texts == {"twice.graph": kernel.graph, "twice.plan": kernel.plan, "twice.schedule": kernel.schedule}


def test_what_is_no_program() -> None:
    with pytest.raises(TypeError, match="compile takes what `parse` or `program` returns, not a str"):
        ef.compile(TEXT)  # type: ignore[arg-type] # that is the test
    with pytest.raises(TypeError, match="parse takes a path or a text, not None"):
        ef.parse(None)  # type: ignore[arg-type] # that is the test


def test_one_word_is_a_path_that_is_misspelt() -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.parse("wave.eni")
    assert str(error.value) == (
        "error[E0105]: `wave.eni` is neither a program nor the path of one\n"
        "  = note: a string that ends in .ein, .tc, .mlir, .tpp, .yir, .tl, .ir is the path of a file, "
        "`Path(…)` always is"
    )
    with pytest.raises(ef.CompileError, match=r"neither a program .*\n  = note: `ef.einsum` takes an index string$"):
        ef.parse("ij,jk->ik")


def test_options_of_another_type() -> None:
    program = ef.parse("tensor Q[3] kernel k { Q[i] = 1 }")
    with pytest.raises(TypeError, match=r"`defines` are params with their values, .*, not a str"):
        ef.compile(program, defines="B=3")  # type: ignore[arg-type] # that is the test
    with pytest.raises(TypeError, match="`max_temp` is a number of bytes, not a str"):
        ef.compile(program, max_temp="8")  # type: ignore[arg-type] # that is the test
    with pytest.raises(ef.CompileError, match="there is no schedule `3`"):
        ef.compile(program, schedule=3)  # type: ignore[arg-type] # that is the test


def test_params_and_the_element_type_can_be_overridden() -> None:
    program = ef.parse("param n = 2\ntensor A[n]\nkernel f { A[i] = 2 * A[i] }")
    compiled = ef.compile(program, defines={"n": 5}, real="f32")
    array = compiled["f"].empty("A", 3)
    assert array.shape == (3, 5)
    assert array.dtype == np.float32


@pytest.mark.parametrize("suffix", ["yir", "tl"])
def test_what_a_planned_text_cannot_change_is_an_error(suffix: str, tmp_path: Path) -> None:
    compiled = ef.compile(ef.parse(TEXT), kernel="twice")
    path = tmp_path / f"a.{suffix}"
    path.write_text(compiled.yateto if suffix == "yir" else compiled.tensor_language, encoding="utf-8")
    for options in ({"defines": {"n": 3}}, {"real": "f32"}, {"max_temp": 8}):
        words = f"`{next(iter(options))}` is for the notation: a text at the level `{suffix}` is planned already"
        with pytest.raises(ValueError, match=words):
            ef.compile(ef.parse(path), **options)
    assert list(ef.compile(ef.parse(path), defines={})) == ["twice"]
