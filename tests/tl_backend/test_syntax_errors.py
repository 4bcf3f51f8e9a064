"""What the reader of a text that is no tensor language is told.

A file of `tests/errors/tl_syntax` is a text; the comments from the first `; error[` on are what the parser says.
"""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.core.limits import DEEPEST_REGIONS
from einsum_front.core.parsing import parser_of
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.parse.errors import GROUPS, OTHER_WORDS, PHRASES, STATEMENTS, VALUE_INSTRUCTIONS
from einsum_front.tl_backend.program import Edition
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.unparse import unparse_function
from tests.sources import file_of

FILES = sorted((Path(__file__).parents[1] / "errors" / "tl_syntax").glob("*.tl"))
GRAMMAR = file_of("tl_backend/grammar.lark")
SAMPLE = """
;! nonzeros %B 0:5 7
func @f(%alpha: f32, %A: group<memref<f32x16x8>, offset: ?>, %B: memref<f32x8x8,strided<1,16>>, %n: index)
    work_group_size(32, 1) subgroup_size(16) {
  %0 = group_id
  %1 = load %A[%0] : group<memref<f32x16x8>, offset: ?>
  %2 = subview %1[:, 2:%n, 3] : memref<f32x16x8x4>
  %3 = expand %2[0->4 x %n] : memref<f32x16x8>
  gemm.n.t.atomic -0x1.8p-1, %1, %B, 0.0, %2 : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
  for %i = 0, %n, 2 : i32 {
    %c = cmp.lt %i, 4 : i32
    %4, %5 = if %c -> (i32, f32) {
      yield %i, 1.5e3 : i32, f32
    } else {
      yield 0, %alpha : i32, f32
    }
  }
}
"""


def words_of(source: Source) -> str:
    with pytest.raises(CompileError) as error:
        parse(source)
    return render_all(error.value.diagnostics)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    text, mark, words = path.read_text(encoding="utf-8").partition("\n; error[")
    expected = re.sub("^; ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    assert words_of(Source(path.name, text)) == expected.rstrip("\n")


def test_every_code_of_a_text_has_a_file() -> None:
    shown = {code for path in FILES for code in re.findall(r"; error\[(E\d+)\]", path.read_text(encoding="utf-8"))}
    assert shown == {code for code in TITLES if "E0401" <= code <= "E0407"} | {"E0111", "E0409", "E0452"}


def test_the_words_known_to_the_messages_are_those_of_the_grammar() -> None:
    grammar = GRAMMAR.read_text(encoding="utf-8")
    keywords = set(re.findall(r"^_?[A-Z_]+: /([a-z_]+)\\b/$", grammar, flags=re.MULTILINE)) - {"arith", "math"}
    alternatives = {"add", "sub", "mul", "div", "rem", "hadamard", "hadamard_product"}
    known = {word for word in (*VALUE_INSTRUCTIONS, *STATEMENTS, *OTHER_WORDS) if "." not in word}
    assert keywords | alternatives | {"offset", "x"} == known | {"if"}


def test_the_deepest_nesting_is_still_read() -> None:
    depth = DEEPEST_REGIONS - 1
    program = parse(Source("deep.tl", "func @f() {" + "for %i = 0, 1 {" * depth + "barrier" + "}" * depth + "}"))
    instructions = list(walk(program.functions[0].body))
    assert len(instructions) == DEEPEST_REGIONS
    assert instructions[-1] == tl.Barrier()


def test_mistakes_are_told_in_the_order_of_the_text() -> None:
    text = "func @f(%a: memref<f32x-1>) subgroup_size(8) subgroup_size(8) {\n  %x = size %a[-1] : memref<f32x-2>\n}"
    with pytest.raises(CompileError) as error:
        parse(Source("t.tl", text))
    places = [diagnostic.labels[0].span.start for diagnostic in error.value.diagnostics]
    assert len(places) == 4
    assert places == sorted(places)


@pytest.mark.parametrize(
    "text",
    [
        "func @f() { %x = load %A[99999999999999999999999] : memref<f32> }",
        "func @f() { %x = load %A[" + "9" * 5000 + "] : memref<f32> }",
    ],
)
def test_integers_of_any_length_are_refused_not_crashed_upon(text: str) -> None:
    assert "is out of range" in words_of(Source("t.tl", text))


def test_a_space_of_another_kind_is_found_where_it_is() -> None:
    assert words_of(Source("t.tl", "func @f()\u00a0{\n}")) == (
        "error[E0401]: expected `{`, `work_group_size` or `subgroup_size`, found `\u00a0`\n"
        " --> t.tl:1:10\n"
        "  |\n"
        "1 | func @f()\u00a0{\n"
        "  |          ^"
    )


@given(
    st.integers(0, len(SAMPLE)),
    st.integers(0, 30),
    st.sampled_from(["", " ", "%", "}", "<", "]", "if", "9e", "x", "\0"]),
)
def test_a_damaged_text_is_read_or_refused(start: int, length: int, replacement: str) -> None:
    source = Source("damaged.tl", SAMPLE[:start] + replacement + SAMPLE[start + length :])
    assert re.match(r"error\[E040[1-7]\]: |func @|;! nonzeros", read_again(source))


def read_again(source: Source) -> str:
    """What the text means, or what is wrong with it; anything but a CompileError fails the test."""
    try:
        return "".join(unparse_function(function, Edition.E2024) for function in parse(source).functions)
    except CompileError as error:
        return render_all(error.diagnostics)


@pytest.mark.parametrize("grammar", ["grammar.lark", "tinytc.lark"])
def test_errors_have_words_for_all_that_a_grammar_expects(grammar: str) -> None:
    named = {*PHRASES, *(terminal for terminals, _ in GROUPS for terminal in terminals)}
    found = {each.name for each in parser_of("einsum_front.tl_backend", grammar=grammar).terminals}
    ignored = {"__IGNORE_0", "__IGNORE_1", "PLAIN_MEMREF"}  # the last stands where `MEMREF` does
    assert not found - named - ignored
