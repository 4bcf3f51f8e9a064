"""C text from trees: parentheses, numbers, declarations and comments."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.diagnostics import Source, Span
from einsum_front.tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    DeclareArray,
    DoWhile,
    Evaluate,
    Expression,
    File,
    Floating,
    For,
    Function,
    If,
    Integer,
    Name,
    Parameter,
    Pointer,
    Scalar,
    Section,
    Statement,
    Subscript,
    Table,
    Unary,
    UnaryOperator,
    Unroll,
)
from einsum_front.tl_backend.opencl.unparse import BINARY, UNARY, unparse, unparse_lines

A, B, C = Name("a"), Name("b"), Name("c")
ADD, SUBTRACT, MULTIPLY = BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY


def lines(*statements: Statement) -> list[str]:
    """The lines of a function's body, without their first indentation."""
    text = unparse(File((), (Function("f", (), statements),)))
    return [line[4:] for line in text.splitlines()[2:-1]]


def text(expression: Expression) -> str:
    (line,) = lines(Assign(Name("x"), expression))
    return line.removeprefix("x = ").removesuffix(";")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Binary(ADD, Binary(ADD, A, B), C), "a + b + c"),
        (Binary(ADD, A, Binary(ADD, B, C)), "a + (b + c)"),
        (Binary(SUBTRACT, A, Binary(SUBTRACT, B, C)), "a - (b - c)"),
        (Binary(MULTIPLY, Binary(ADD, A, B), C), "(a + b) * c"),
        (Binary(ADD, A, Binary(MULTIPLY, B, C)), "a + b * c"),
        (Binary(BinaryOperator.BIT_AND, A, Binary(BinaryOperator.EQUAL, B, C)), "a & b == c"),
        (Binary(BinaryOperator.EQUAL, Binary(BinaryOperator.BIT_AND, A, B), C), "(a & b) == c"),
        (Unary(UnaryOperator.NEGATE, Unary(UnaryOperator.NEGATE, A)), "-(-a)"),
        (Unary(UnaryOperator.NEGATE, Integer(-5)), "-(-5)"),
        (Unary(UnaryOperator.NOT, Unary(UnaryOperator.COMPLEMENT, A)), "!~a"),
        (Unary(UnaryOperator.ADDRESS, Subscript(A, B)), "&a[b]"),
        (Subscript(Unary(UnaryOperator.DEREFERENCE, A), B), "(*a)[b]"),
        (Subscript(Binary(ADD, A, B), C), "(a + b)[c]"),
        (Cast(Scalar.INT, Binary(ADD, A, B)), "(int)(a + b)"),
        (Binary(ADD, Cast(Scalar.INT, A), B), "(int)a + b"),
        (Cast(Pointer(Scalar.FLOAT, AddressSpace.GLOBAL, is_const=True), A), "(global const float *)a"),
        (Cast(Pointer(Scalar.ULONG, AddressSpace.LOCAL, is_volatile=True), A), "(volatile local ulong *)a"),
        (Conditional(A, B, Conditional(B, C, A)), "a ? b : b ? c : a"),
        (Conditional(Conditional(A, B, C), B, C), "(a ? b : c) ? b : c"),
        (Binary(ADD, Conditional(A, B, C), A), "(a ? b : c) + a"),
        (Call("f", (Binary(ADD, A, B), Conditional(A, B, C))), "f(a + b, a ? b : c)"),
        (Binary(SUBTRACT, A, Integer(-1)), "a - -1"),
        (Integer(-(2**31)), "-2147483647 - 1"),
        (Binary(MULTIPLY, A, Integer(-(2**63), Scalar.LONG)), "a * (-9223372036854775807L - 1L)"),
        (Integer(2**64 - 1, Scalar.ULONG), "18446744073709551615UL"),
        (Integer(7, Scalar.UINT), "7u"),
        (Floating(0.25, Scalar.FLOAT), "0.25f"),
        (Floating(-0.0, Scalar.DOUBLE), "-0.0"),
        (Floating(0.1, Scalar.DOUBLE), "0x1.999999999999ap-4"),
        (Floating(1e22, Scalar.DOUBLE), "1e+22"),
        (Floating(2.0**200, Scalar.DOUBLE), "0x1.p+200"),
    ],
)
def test_expressions(expression: Expression, expected: str) -> None:
    assert text(expression) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_exact(value: float) -> None:
    printed = text(Floating(value, Scalar.DOUBLE))
    assert (float.fromhex(printed) if "x" in printed else float(printed)) == value


FINITE_F32 = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(FINITE_F32, min_size=1, max_size=40), st.sampled_from([Scalar.FLOAT, Scalar.DOUBLE]))
def test_tables_are_exact(values: list[float], type_: Scalar) -> None:
    """Lines end between two numbers only: a hyphen may be in front of an exponent."""
    head, *body, last = unparse(File((), (), tables=(Table(type_, "t", tuple(values)),))).splitlines()
    assert (head, last) == (f"constant {type_.value} t[{len(values)}] = {{", "};")
    printed = [number.strip() for line in body for number in line.removesuffix(",").split(",")]
    assert printed == [text(Floating(value, type_)) for value in values]


def test_a_table_of_integers() -> None:
    table = Table(Scalar.INT, "places", (0, -7, -(2**31)))
    assert unparse(File((), (), tables=(table,))) == ("constant int places[3] = {\n    0, -7, -2147483647 - 1\n};\n")


EVALUATE = {
    BinaryOperator.MULTIPLY: operator.mul,
    BinaryOperator.ADD: operator.add,
    BinaryOperator.SUBTRACT: operator.sub,
    BinaryOperator.BIT_AND: operator.and_,
    BinaryOperator.BIT_XOR: operator.xor,
    BinaryOperator.BIT_OR: operator.or_,
    UnaryOperator.NEGATE: operator.neg,
    UnaryOperator.COMPLEMENT: operator.invert,
}
"""What C and Python write and rank in the same way."""


def evaluate(expression: Expression) -> int:
    match expression:
        case Integer(value=value):
            return value
        case Unary(operator=sign, operand=operand):
            return EVALUATE[sign](evaluate(operand))
        case Binary(operator=sign, left=left, right=right):
            return EVALUATE[sign](evaluate(left), evaluate(right))
        case _:
            raise AssertionError(expression)


def both(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    unary = st.sampled_from([sign for sign in EVALUATE if isinstance(sign, UnaryOperator)])
    binary = st.sampled_from([sign for sign in EVALUATE if isinstance(sign, BinaryOperator)])
    return st.one_of(st.builds(Unary, unary, inner), st.builds(Binary, binary, inner, inner))


@given(st.recursive(st.integers(-9, 9).map(Integer), both, max_leaves=12))
def test_parentheses_keep_the_meaning(expression: Expression) -> None:
    assert eval(text(expression)) == evaluate(expression)


def test_all_operators_can_be_written() -> None:
    assert set(BINARY) == set(BinaryOperator)
    assert set(UNARY) == set(UnaryOperator)


def test_statements() -> None:
    one = Assign(A, Integer(1))
    assert lines(
        Declare(Scalar.LONG, "n"),
        Declare(Pointer(Scalar.DOUBLE, AddressSpace.GLOBAL, is_restrict=True), "p", A),
        DeclareArray(Scalar.UCHAR, "pool", 64, AddressSpace.LOCAL, 16),
        DeclareArray(Scalar.FLOAT, "sum", 8, AddressSpace.PRIVATE),
        Assign(A, B, BinaryOperator.ADD),
        Evaluate(Call("barrier", (Name("CLK_LOCAL_MEM_FENCE"),))),
        If(A, (one,)),
        If(A, (one,), (Block((one,)),)),
        For(Scalar.INT, "i", Integer(0), Binary(BinaryOperator.LESS, A, B), Integer(1), (one,), Unroll.FULLY),
        For(Scalar.LONG, "i", A, Binary(ADD, A, B), Integer(8), ()),
        For(Scalar.INT, "i", A, B, Integer(1), (), Unroll.NEVER),
        DoWhile((one,), A),
    ) == [
        "long n;",
        "global double *restrict p = a;",
        "local uchar pool[64] __attribute__((aligned(16)));",
        "float sum[8];",
        "a += b;",
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "if (a) {",
        "    a = 1;",
        "}",
        "if (a) {",
        "    a = 1;",
        "} else {",
        "    {",
        "        a = 1;",
        "    }",
        "}",
        "#pragma unroll",
        "for (int i = 0; i < (a < b); ++i) {",
        "    a = 1;",
        "}",
        "for (long i = a; i < a + b; i += 8) {",
        "}",
        "#pragma unroll 1",
        "for (int i = a; i < b; ++i) {",
        "}",
        "do {",
        "    a = 1;",
        "} while (a);",
    ]


def test_a_signature_that_is_too_long_has_a_line_for_every_parameter() -> None:
    pointer = Pointer(Scalar.DOUBLE, AddressSpace.GLOBAL, is_const=True, is_restrict=True)
    parameters = tuple(Parameter(pointer, f"tensor_{n}") for n in range(3))
    kernel = Function("f", parameters, (), (4, 2, 1))
    assert unparse(File(("cl_khr_fp64",), (Function("g", parameters[:1], ()), kernel))) == (
        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
        "\n"
        "void g(global const double *restrict tensor_0)\n"
        "{\n"
        "}\n"
        "\n"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1)))\n"
        "void f(\n"
        "    global const double *restrict tensor_0,\n"
        "    global const double *restrict tensor_1,\n"
        "    global const double *restrict tensor_2)\n"
        "{\n"
        "}\n"
    )


def test_lines_know_the_characters_they_came_from() -> None:
    source = Source("wave.ein", "F[kp] = K[kl] * Q[lp]")
    outer, inner = (Span(source, 0, 21),), (Span(source, 8, 13),)
    one = Assign(A, Integer(1))
    body = (Section(("gemm",), (one, Section((), (one,), inner)), outer), one)
    printed = unparse_lines(File((), (Function("f", (), body),)))
    assert [(line.text, line.origin) for line in printed[2:-1]] == [
        ("    // gemm", outer),
        ("    a = 1;", outer),
        ("    a = 1;", inner),
        ("    a = 1;", ()),
    ]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [("a\nb", "// a b"), ("ends with \\", "// ends with /"), ("α", "// ?u03b1"), ("*/ \t */", "// */ */")],
)
def test_comments_end_with_their_line(comment: str, expected: str) -> None:
    assert lines(Section((comment,), ())) == [expected]
