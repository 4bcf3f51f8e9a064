"""The lexers know every word of the grammars, colour it by its kind, and lose no character."""

import re

import pytest
from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Token

from einsum_front.core.diagnostics.highlight import NotationLexer, TensorLanguageLexer, YatetoLanguageLexer
from einsum_front.notation.check.attributes import _ARGUMENTS
from tests.sources import file_of

TENSOR_LANGUAGE = """\
;! batched %D
func @f(%D: memref<f32x16x?,strided<1,64>>, %G: group<memref<i1>, offset: ?>) work_group_size(16, 2) {
  %0 = arith.mul -1.5, 0x1.8p-1 : f32 ; a comment
  %x = expand %D[1 -> %0 x 8] : memref<f32x16x?>
  gemm.n.t.atomic 1e3, %A, %B, true, %C : f32
}
"""

YATETO = """\
define @f(%A: group<memref<f64x4x4>, distance<16>>) {
  log {i[k]m, m(jn) to i(jn)[k]} 1.0, %A, %B, 0.0, %C : memref<f64x4x4>
  axpby {to to ot} 1.0, %A, %B : memref<f64x4x4> to memref<f64x4x4>
}
"""

NOTATION = """\
# a wave
use "other.ein"
param O = 4
size n <= 64 ~ 56
tensor K{3}[2*O, n] constant nonzeros "k.npz"
kernel step{i in 0:3} { Q[k=1:3,p] += 0.5 * sum{d in 0:3}( K{d}[k,l] ** 2 ) - relu(1[k] / x) }
"""


def kinds(lexer: RegexLexer, text: str) -> dict[str, set[object]]:
    """The kinds that each word of the text is given."""
    found: dict[str, set[object]] = {}
    for kind, word in lexer.get_tokens(text):
        found.setdefault(word, set()).add(kind)
    return found


@pytest.mark.parametrize(
    ("lexer", "text"),
    [(TensorLanguageLexer(), TENSOR_LANGUAGE), (YatetoLanguageLexer(), YATETO), (NotationLexer(), NOTATION)],
    ids=["tl", "yir", "ein"],
)
def test_no_character_is_lost_or_unknown(lexer: RegexLexer, text: str) -> None:
    tokens = list(lexer.get_tokens(text))
    assert "".join(word for _, word in tokens) == text
    assert Error not in {kind for kind, _ in tokens}


def test_the_words_of_the_tensor_language() -> None:
    found = kinds(TensorLanguageLexer(), TENSOR_LANGUAGE)
    expected = {
        ";! batched %D": Comment.Special,
        "func": Keyword,
        "@f": Name.Function,
        "%D": Name.Variable,
        "memref": Keyword.Type,
        "f32": Keyword.Type,
        "16": Number.Integer,
        "x": Operator,
        "?": Operator,
        "strided": Keyword.Type,
        "offset": Keyword.Type,
        "work_group_size": Keyword,
        "arith": Name.Builtin,
        ".mul": Operator.Word,
        "-1.5": Number.Float,
        "0x1.8p-1": Number.Float,
        "; a comment": Comment.Single,
        "gemm": Name.Builtin,
        ".atomic": Operator.Word,
        "1e3": Number.Float,
        "true": Keyword.Constant,
    }
    assert {word: found[word] for word in expected} == {word: {kind} for word, kind in expected.items()}


def test_the_words_of_the_yateto_language() -> None:
    found = kinds(YatetoLanguageLexer(), YATETO)
    assert found["define"] == {Keyword}
    assert found["log"] == {Name.Builtin}
    assert found["distance"] == {Keyword.Type}
    assert found["to"] == {Keyword}
    assert found["i"] == found["t"] == {Name.Label}


def test_the_words_of_the_notation() -> None:
    found = kinds(NotationLexer(), NOTATION)
    for words, kind in ((NotationLexer.KEYWORDS, Keyword), (NotationLexer.ATTRIBUTES, Keyword.Type)):
        assert {word: found[word] for word in words if word in found} == {w: {kind} for w in words if w in found}
    assert found["relu"] == {Name.Builtin}
    assert found["0.5"] == {Number}
    grammar = file_of("einsum_front/notation/parse/grammar.lark").read_text(encoding="utf-8")
    spelled = set(re.findall(r'"([a-z]+)"', grammar))
    assert spelled == set(NotationLexer.KEYWORDS)
    assert set(_ARGUMENTS) == set(NotationLexer.ATTRIBUTES)


def test_what_is_no_token_is_an_error() -> None:
    assert [kind for kind, word in TensorLanguageLexer().get_tokens("%x $ 1") if word == "$"] == [Token.Error]


@pytest.mark.parametrize(
    ("lexer", "grammar"),
    [(TensorLanguageLexer, "tl_backend/grammar.lark"), (YatetoLanguageLexer, "ir/yateto/grammar.lark")],
)
def test_the_words_of_the_grammar_are_coloured(
    lexer: type[TensorLanguageLexer | YatetoLanguageLexer], grammar: str
) -> None:
    """The lexers cannot ask the parsers, which lie above them, so their words are compared."""
    text = file_of(grammar).read_text(encoding="utf-8")
    terminals = re.findall(r"^_?[A-Z_]+: /([a-z(][^/.]*)\\b/$", text, re.M)
    plain = {word for words in terminals if "<functions>" not in words for word in expand(words)}
    types = {"memref", "group", "strided", "void", "distance", "pointers"}
    assert plain - types == {*lexer.KEYWORDS, *lexer.INSTRUCTIONS}


def expand(pattern: str) -> list[str]:
    """The words that the pattern of a keyword stands for."""
    alternatives = re.fullmatch(r"\(\?:([a-z_|]+)\)", pattern)
    optional = re.fullmatch(r"([a-z]+)\(\?:([a-z_]+)\)\?", pattern)
    if alternatives:
        return alternatives[1].split("|")
    return [optional[1], optional[1] + optional[2]] if optional else [pattern]


def test_pygments_finds_the_lexers() -> None:
    assert isinstance(get_lexer_for_filename("kernel.tl"), TensorLanguageLexer)
    assert isinstance(get_lexer_for_filename("kernel.yir"), YatetoLanguageLexer)
    assert isinstance(get_lexer_by_name("tl"), TensorLanguageLexer)
