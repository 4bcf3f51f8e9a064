"""C text from trees: parentheses, numbers, declarations and comments."""

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source, Span
from einsum_front.core.machines import MATRICES
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.targets.c_operators import BINARY, UNARY
from einsum_front.tl_backend.targets.opencl import SCALARS, OpenClC

OPENCL = OpenClC()
A, B, C = tree.Name("a"), tree.Name("b"), tree.Name("c")
VECTOR = Vector(Scalar.F64, 4)
ENTRIES = Pointer(Vector(Scalar.F64, 4, is_unaligned=True), AddressSpace.GLOBAL, is_const=True)
ADD, SUBTRACT, MULTIPLY = tree.BinaryOperator.ADD, tree.BinaryOperator.SUBTRACT, tree.BinaryOperator.MULTIPLY


def lines(*statements: tree.Statement) -> list[str]:
    """The lines of a function's body, without their first indentation."""
    text = OPENCL.unparse(tree.File((tree.Function("f", (), statements),))).splitlines()
    return [line[4:] for line in text[text.index("void f()") + 2 : -1]]


def text(expression: tree.Expression) -> str:
    (line,) = lines(tree.Assign(tree.Name("x"), expression))
    return line.removeprefix("x = ").removesuffix(";")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (tree.Binary(ADD, tree.Binary(ADD, A, B), C), "a + b + c"),
        (tree.Binary(ADD, A, tree.Binary(ADD, B, C)), "a + (b + c)"),
        (tree.Binary(SUBTRACT, A, tree.Binary(SUBTRACT, B, C)), "a - (b - c)"),
        (tree.Binary(MULTIPLY, tree.Binary(ADD, A, B), C), "(a + b) * c"),
        (tree.Binary(ADD, A, tree.Binary(MULTIPLY, B, C)), "a + b * c"),
        (tree.Binary(tree.BinaryOperator.BIT_AND, A, tree.Binary(tree.BinaryOperator.EQUAL, B, C)), "a & b == c"),
        (tree.Binary(tree.BinaryOperator.EQUAL, tree.Binary(tree.BinaryOperator.BIT_AND, A, B), C), "(a & b) == c"),
        (tree.Unary(tree.UnaryOperator.NEGATE, tree.Unary(tree.UnaryOperator.NEGATE, A)), "-(-a)"),
        (tree.Unary(tree.UnaryOperator.NEGATE, tree.Integer(-5)), "-(-5)"),
        (tree.Unary(tree.UnaryOperator.NOT, tree.Unary(tree.UnaryOperator.COMPLEMENT, A)), "!~a"),
        (tree.Subscript(tree.Binary(ADD, A, B), C), "(a + b)[c]"),
        (tree.Cast(Scalar.I32, tree.Binary(ADD, A, B)), "(int)(a + b)"),
        (tree.Binary(ADD, tree.Cast(Scalar.I32, A), B), "(int)a + b"),
        (tree.Cast(Pointer(Scalar.F32, AddressSpace.GLOBAL, is_const=True), A), "(global const float *)a"),
        (tree.Cast(Pointer(VECTOR, AddressSpace.PRIVATE), A), "(double4 *)a"),
        (tree.Access(ENTRIES, tree.Binary(ADD, A, B)), "*(global const double4_u *)(a + b)"),
        (tree.Binary(MULTIPLY, tree.Access(ENTRIES, A), B), "*(global const double4_u *)a * b"),
        (tree.Lanes(tree.Access(ENTRIES, A), (0, 11)), "(*(global const double4_u *)a).s0b"),
        (tree.Pack(VECTOR, (tree.Floating(0.5, Scalar.F64),)), "(double4)(0.5)"),
        (tree.Shuffle(VECTOR, A, B, (0, 4, 1, 5)), "shuffle2(a, b, (ulong4)(0, 4, 1, 5))"),
        (
            tree.Binary(ADD, tree.Binary(MULTIPLY, tree.GroupId(), A), tree.ItemId(1)),
            "get_group_id(2) * a + get_local_id(1)",
        ),
        (tree.GroupCount(), "get_num_groups(2)"),
        (tree.Math(tree.MathFunction.REMAINDER, (A, B)), "fmod(a, b)"),
        (tree.Conditional(A, B, tree.Conditional(B, C, A)), "a ? b : b ? c : a"),
        (tree.Conditional(tree.Conditional(A, B, C), B, C), "(a ? b : c) ? b : c"),
        (tree.Binary(ADD, tree.Conditional(A, B, C), A), "(a ? b : c) + a"),
        (
            tree.Math(tree.MathFunction.MINIMUM, (tree.Binary(ADD, A, B), tree.Conditional(A, B, C))),
            "min(a + b, a ? b : c)",
        ),
        (tree.Binary(SUBTRACT, A, tree.Integer(-1)), "a - -1"),
        (tree.Integer(-(2**31)), "-2147483647 - 1"),
        (tree.Binary(MULTIPLY, A, tree.Integer(-(2**63), Scalar.I64)), "a * (-9223372036854775807L - 1L)"),
        (tree.Integer(2**64 - 1, Scalar.U64), "18446744073709551615UL"),
        (tree.Integer(7, Scalar.U32), "7u"),
        (tree.Floating(0.25, Scalar.F32), "0.25f"),
        (tree.Floating(-0.0, Scalar.F64), "-0.0"),
        (tree.Floating(0.1, Scalar.F64), "0x1.999999999999ap-4"),
        (tree.Floating(1e22, Scalar.F64), "1e+22"),
        (tree.Floating(2.0**200, Scalar.F64), "0x1.p+200"),
    ],
)
def test_expressions(expression: tree.Expression, expected: str) -> None:
    assert text(expression) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_exact(value: float) -> None:
    printed = text(tree.Floating(value, Scalar.F64))
    assert (float.fromhex(printed) if "x" in printed else float(printed)) == value


FINITE_F32 = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(FINITE_F32, min_size=1, max_size=40), st.sampled_from([Scalar.F32, Scalar.F64]))
def test_tables_are_exact(values: list[float], type_: Scalar) -> None:
    """Lines end between two numbers only: a hyphen may be in front of an exponent."""
    printed_lines = OPENCL.unparse(tree.File((), tables=(tree.Table(type_, "t", tuple(values)),))).splitlines()
    extensions = [line for line in printed_lines if line.startswith("#")]
    assert extensions == (["#pragma OPENCL EXTENSION cl_khr_fp64 : enable"] if type_ is Scalar.F64 else [])
    head, *body, last = printed_lines[len(extensions) :]
    assert (head, last) == (f"constant {SCALARS[type_]} t[{len(values)}] = {{", "};")
    printed = [number.strip() for line in body for number in line.removesuffix(",").split(",")]
    assert printed == [text(tree.Floating(value, type_)) for value in values]


def test_a_table_of_integers() -> None:
    table = tree.Table(Scalar.I32, "places", (0, -7, -(2**31)))
    assert OPENCL.unparse(tree.File((), tables=(table,))) == (
        "constant int places[3] = {\n    0, -7, -2147483647 - 1\n};\n"
    )


EVALUATE: dict[tree.BinaryOperator | tree.UnaryOperator, Callable[..., int]] = {
    tree.BinaryOperator.MULTIPLY: operator.mul,
    tree.BinaryOperator.ADD: operator.add,
    tree.BinaryOperator.SUBTRACT: operator.sub,
    tree.BinaryOperator.BIT_AND: operator.and_,
    tree.BinaryOperator.BIT_XOR: operator.xor,
    tree.BinaryOperator.BIT_OR: operator.or_,
    tree.UnaryOperator.NEGATE: operator.neg,
    tree.UnaryOperator.COMPLEMENT: operator.invert,
}
"""What C and Python write and rank in the same way."""


def evaluate(expression: tree.Expression) -> int:
    match expression:
        case tree.Integer(value=value):
            return value
        case tree.Unary(operator=sign, operand=operand):
            return EVALUATE[sign](evaluate(operand))
        case tree.Binary(operator=sign, left=left, right=right):
            return EVALUATE[sign](evaluate(left), evaluate(right))
        case _:
            raise AssertionError(expression)


def both(inner: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    unary = st.sampled_from([sign for sign in EVALUATE if isinstance(sign, tree.UnaryOperator)])
    binary = st.sampled_from([sign for sign in EVALUATE if isinstance(sign, tree.BinaryOperator)])
    return st.one_of(st.builds(tree.Unary, unary, inner), st.builds(tree.Binary, binary, inner, inner))


@given(st.recursive(st.integers(-9, 9).map(tree.Integer), both, max_leaves=12))
def test_parentheses_keep_the_meaning(expression: tree.Expression) -> None:
    assert eval(text(expression)) == evaluate(expression)


def test_all_operators_can_be_written() -> None:
    assert set(BINARY) == set(tree.BinaryOperator)
    assert set(UNARY) == set(tree.UnaryOperator)


def test_matrices_are_multiplied_by_an_instruction_of_nvidia() -> None:
    sums = tuple(tree.Subscript(A, tree.Integer(each)) for each in range(2))
    assert lines(tree.MatrixMultiplyAdd(MATRICES["sm_80"], sums, (B,), C)) == [
        'asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" '
        ': "+d"(a[0]), "+d"(a[1]) : "d"(b), "d"(c));'
    ]


def test_statements() -> None:
    one = tree.Assign(A, tree.Integer(1))
    assert lines(
        tree.Declare(Scalar.I64, "n"),
        tree.Declare(Pointer(Scalar.F64, AddressSpace.GLOBAL, is_restrict=True), "p", A),
        tree.DeclareArray(Scalar.U8, "pool", 64, AddressSpace.LOCAL, 16),
        tree.DeclareArray(Scalar.F32, "sum", 8, AddressSpace.PRIVATE),
        tree.Assign(A, B, tree.BinaryOperator.ADD),
        tree.Call("f", (A, tree.Binary(ADD, A, B))),
        tree.Barrier((AddressSpace.LOCAL,)),
        tree.Barrier((AddressSpace.LOCAL, AddressSpace.GLOBAL)),
        tree.Prefetch(A, tree.Binary(ADD, B, C)),
        tree.AtomicUpdate(tree.Update.STORE, tree.Subscript(A, B), C, None, Scalar.F32, Scalar.F32, AddressSpace.LOCAL),
        tree.AtomicUpdate(
            tree.Update.SCALE_ADD, tree.Subscript(A, B), C, A, Scalar.I64, Scalar.U64, AddressSpace.GLOBAL
        ),
        tree.If(A, (one,)),
        tree.If(A, (one,), (tree.Block((one,)),)),
        tree.For(
            Scalar.I32,
            "i",
            tree.Integer(0),
            tree.Binary(tree.BinaryOperator.LESS, A, B),
            tree.Integer(1),
            (one,),
            tree.Unroll.FULLY,
        ),
        tree.For(Scalar.I64, "i", A, tree.Binary(ADD, A, B), tree.Integer(8), ()),
        tree.For(Scalar.I32, "i", A, B, tree.Integer(1), (), tree.Unroll.NEVER),
        tree.DoWhile((one,), A),
    ) == [
        "long n;",
        "global double *restrict p = a;",
        "local uchar pool[64] __attribute__((aligned(16)));",
        "float sum[8];",
        "a += b;",
        "f(a, a + b);",
        "barrier(CLK_LOCAL_MEM_FENCE);",
        "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        "__builtin_prefetch((const char *)(ulong)a + (b + c), 0, 2);",
        "atomic_store_float_local(&a[b], c);",
        "atomic_scale_add_long_ulong_global(&a[b], c, a);",
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
    pointer = Pointer(Scalar.F64, AddressSpace.GLOBAL, is_const=True, is_restrict=True)
    parameters = tuple(tree.Parameter(pointer, f"tensor_{n}") for n in range(3))
    kernel = tree.Function("f", parameters, (), (4, 2, 1))
    assert OPENCL.unparse(tree.File((tree.Function("g", parameters[:1], ()), kernel))) == (
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
    one = tree.Assign(A, tree.Integer(1))
    body = (tree.Section(("gemm",), (one, tree.Section((), (one,), inner)), outer), one)
    printed = OPENCL.lines(tree.File((tree.Function("f", (), body),)))
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
    assert lines(tree.Section((comment,), ())) == [expected]


@pytest.mark.parametrize(("width", "attribute"), [(4, "noinline"), (8, "noinline, min_vector_width(512)")])
def test_functions_that_stand_apart_keep_their_vectors(width: int, attribute: str) -> None:
    """Clang halves vectors of 64 bytes in functions that do not say that they have some."""
    declared = tree.Declare(Vector(Scalar.F64, width), "a")
    function = tree.Function("f", (), (declared,), outlined=tree.Outlined.PART)
    assert f"__attribute__(({attribute}))\n" in OPENCL.unparse(tree.File((function,)))
