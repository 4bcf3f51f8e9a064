"""Colours: Pygments lexers for the notation (`.ein`), the tensor language (`.tl`) and the YATeTo language (`.yir`).

Pygments finds them by the entry points of the package: `pygmentize kernel.tl`, or a block of a document marked `tl`. A
lexer never fails: what is no token of the language is marked as an error.
"""

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

NAME = r"(?:[0-9]+|[A-Za-z][A-Za-z0-9_]*)"
FLOATING = (
    r"[+-]?0[xX](?:[0-9a-fA-F]*\.[0-9a-fA-F]+|[0-9a-fA-F]+\.?)[pP][+-]?[0-9]+",
    r"[+-]?0[xX](?:[0-9a-fA-F]*\.[0-9a-fA-F]+|[0-9a-fA-F]+\.)",
    r"[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.)(?:[eE][+-]?[0-9]+)?",
    r"[+-]?[0-9]+[eE][+-]?[0-9]+",
)

COMMON = [
    (r"\s+", Whitespace),
    (r";![^\n]*", Comment.Special),
    (r";[^\n]*", Comment.Single),
    (f"@{NAME}", Name.Function),
    (f"%{NAME}", Name.Variable),
    *((number, Number.Float) for number in FLOATING),
    (r"[+-]?[0-9]+", Number.Integer),
    (r"(bool|index|[iu](?:1|8|16|32|64)|f(?:32|64))(?![0-9A-Za-wyz_])", Keyword.Type),
    (
        words(("memref", "group", "strided", "void", "offset", "distance", "pointers"), suffix=r"\b"),
        Keyword.Type,
    ),
    (r"->|[=?:x]", Operator),
    (r"[(),<>{}\[\]]", Punctuation),
]


class TensorLanguageLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """The tensor language, all editions."""

    name = "Tensor language"
    aliases: ClassVar[list[str]] = ["tensor-language", "tl"]
    filenames: ClassVar[list[str]] = ["*.tl"]

    KEYWORDS = ("func", "if", "else", "for", "foreach", "yield", "work_group_size", "subgroup_size")
    INSTRUCTIONS = (
        "alloca", "arith", "axpby", "barrier", "cast", "cmp", "expand", "fuse", "gemm", "gemv", "ger", "group_id",
        "group_size", "hadamard", "hadamard_product", "lifetime_stop", "load", "math", "size", "store", "subview",
        "sum", "add", "sub", "mul", "div", "rem", "neg",
    )  # fmt: skip

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (words(KEYWORDS, suffix=r"\b"), Keyword),
            (words(INSTRUCTIONS, suffix=r"\b"), Name.Builtin),
            (r"(?:true|false)\b", Keyword.Constant),
            (r"\.(?=[a-z])[a-z]+\b", Operator.Word),
            *COMMON,
            (r".", Error),
        ],
    }


class YatetoLanguageLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """The YATeTo immediate language."""

    name = "YATeTo immediate language"
    aliases: ClassVar[list[str]] = ["yateto", "yir"]
    filenames: ClassVar[list[str]] = ["*.yir"]

    KEYWORDS = ("after", "define", "for", "to")
    INSTRUCTIONS = (
        "alloca", "arith", "axpby", "barrier", "broadcast", "elementwise", "fill", "gather", "scatter", "get_work_item",
        "lifetime_stop", "log", "product", "subview", "sum",
    )  # fmt: skip
    CALLED = r"(\$[0-9]+)(\s*)(=)(\s*)([a-z][a-z0-9_]*)"
    MAPPED = r"(axpby|broadcast|gather|scatter|sum|log|product|elementwise(?:\.max|\.min)?)(\s*)(\{)"

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (MAPPED, bygroups(Name.Builtin, Whitespace, Punctuation), "map"),
            (CALLED, bygroups(Name.Variable, Whitespace, Operator, Whitespace, Name.Builtin)),
            (words(KEYWORDS, suffix=r"\b"), Keyword),
            (words(INSTRUCTIONS, suffix=r"\b"), Name.Builtin),
            (r"\.(?=[a-z])[a-z]+\b", Operator.Word),
            (r"\$[0-9]+", Name.Variable),
            *COMMON,
            (r".", Error),
        ],
        "map": [
            (r"\}", Punctuation, "#pop"),
            (r"(\s)(to|of)(?![A-Za-z])", bygroups(Whitespace, Keyword)),
            (r"%[A-Za-z_][A-Za-z0-9_]*", Name.Variable),
            (r"@", Operator),
            (r"\s+", Whitespace),
            (r"[A-Za-z_]", Name.Label),
            (r"[(),\[\]]", Punctuation),
            (r".", Error),
        ],
    }


class NotationLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """The notation of `.ein` files."""

    name = "einsum-front notation"
    aliases: ClassVar[list[str]] = ["einsum-front", "ein"]
    filenames: ClassVar[list[str]] = ["*.ein"]

    KEYWORDS = ("use", "param", "real", "integer", "size", "tensor", "temp", "scalar", "kernel", "for", "in", "sum")
    ATTRIBUTES = (
        "atomic", "batched", "batch_after", "batch_fastest", "column_major", "constant", "grouped", "row_major",
        "shared", "strided",
        "nonzeros", "values", "f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool",
        "complex", "c64", "c128",
    )  # fmt: skip

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r"\s+", Whitespace),
            (r'"[^"\n]*"', String),
            (r"real(?=\()", Name.Builtin),
            (words(KEYWORDS, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(ATTRIBUTES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (r"[A-Za-z][A-Za-z0-9_]*(?=\()", Name.Builtin),
            (r"[A-Za-z][A-Za-z0-9_]*", Name.Variable),
            (r"(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?j?", Number),
            (r"\+=|-=|==|!=|<=|>=|\*\*|[-+*/=<>~]", Operator),
            (r"[][(){},:]", Punctuation),
            (r".", Error),
        ],
    }
