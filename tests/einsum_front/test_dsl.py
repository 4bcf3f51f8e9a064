"""The notation in Python gives the program that its text gives."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from einsum_front import compile as compile_
from einsum_front import dsl as ef
from einsum_front import functions as f
from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.dsl_expressions import Statement
from einsum_front.notation import syntax, words
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram
from einsum_front.notation.parse import parse
from einsum_front.notation.unparse import unparse
from einsum_front.parsed import Program
from tests.einsum_front.test_unparse import WORDS

Q, I = ef.Tensor("Q", (56, 9)), ef.Tensor("I", (56, 9))  # noqa: E741 - the name in the field
K, A = ef.Tensor("K", (56, 56), storage="constant"), ef.Tensor("A", (9, 9))
star = ef.Tensor("star", (9, 9), members=3)
V = ef.Tensor("V", (9,), "grouped", members=(2, 2))
t = ef.Tensor("t", (), "temp")
beside = ef.Tensor("beside", (4,), dtype="int32")
dt, power = ef.Scalar("dt"), ef.Scalar("power", members=2)


def from_text(text: str) -> syntax.Program:
    return parse(Source("t.ein", text))


def checked(*statements: Statement) -> CheckedProgram:
    return check(tree(ef.program(ef.kernel("f", statements))))


def tree(program: Program) -> syntax.Program:
    assert program.notation is not None
    return program.notation


def test_a_kernel_is_that_of_its_text() -> None:
    program = ef.program(ef.kernel("volume", Q["kp"] <= Q["kp"] + 2.0 * K["kl"] * I["lq"] * A["qp"]))
    assert tree(program) == from_text("""
        real f64
        tensor Q[56, 9]
        tensor K[56, 56] constant
        tensor I[56, 9]
        tensor A[9, 9]
        kernel volume { Q[k,p] = Q[k,p] + 2.0 * K[k,l] * I[l,q] * A[q,p] }
    """)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Q["kp"].add(I["kp"]), "Q[kp] += I[kp]"),
        (Q["kp"].subtract(1), "Q[kp] -= 1"),
        (Q["kp"] <= I["kp"].at(beside[2]) * K[beside["f"], "p"], "Q[kp] = I[kp]@beside[2] * K[beside[f],p]"),
        (Q[0, "p"] <= star(beside["f"])["qp"], "Q[0,p] = star{beside[f]}[qp]"),
        (Q["kp"] <= -I["kp"] - (Q["kp"] - I["kp"]), "Q[kp] = -I[kp] - (Q[kp] - I[kp])"),
        (Q["kp"] <= 1 - I["kp"] / 2 + 1 / dt**2, "Q[kp] = 1 - I[kp] / 2 + 1 / dt**2"),
        (Q["kp"] <= dt * (I["kp"] * (A["pq"] + 1)), "Q[kp] = dt * (I[kp] * (A[pq] + 1))"),
        (Q["kp"] <= -2.5 * I["kp"] * -1, "Q[kp] = -2.5 * I[kp] * -1"),
        (Q["kp"] <= np.float64(0.1) * I["kp"] * np.int64(2), "Q[kp] = 0.1 * I[kp] * 2"),
        (Q["kp"] <= dt**-2 * I["kp"], "Q[kp] = dt**-2 * I[kp]"),
        (Q["k=0:20", "p"] <= I["k=1:21,p"], "Q[k=0:20, p] = I[k=1:21, p]"),
        (Q[3, "p"] <= A["p", 2], "Q[3, p] = A[p, 2]"),
        (Q["row", "column"] <= I["row,column"], "Q[row,column] = I[row,column]"),
        (t[""] <= A["ii"], "t[] = A[i,i]"),
        (t[()] <= power(0) * V(0, 1)[3], "t[] = power{0} * V{0,1}[3]"),
        (A["qp"] <= V(0, 0)["q"] * V(1, 1)[("p",)], "A[q,p] = V{0,0}[q] * V{1,1}[p,]"),
        (A["qp"] <= sum(star(d)["qp"] for d in range(3)), "A[qp] = star{0}[qp] + star{1}[qp] + star{2}[qp]"),
    ],
)
def test_every_spelling_has_its_text(statement: Statement, text: str) -> None:
    kernel = tree(ef.program(ef.kernel("f", statement))).items[-1]
    assert kernel == from_text(f"kernel f {{ {text} }}").items[-1]


def test_integers_of_python_say_places() -> None:
    """Declared by NumPy's types, and called with arrays of these."""
    x, node = ef.Tensor("x", (5,), "constant"), ef.Tensor("node", (3,), dtype=np.int32)
    y, side = ef.Tensor("y", (3,)), ef.Tensor("side", (), dtype="int64")
    F = ef.Tensor("F", (3,), "constant", members=2)
    program = ef.program(ef.kernel("f", y["i"].add(x[node["i"]] * F(side[""])["i"])))
    given = {"x": np.arange(5.0), "F_0": np.full(3, 2.0), "F_1": np.full(3, 3.0), "y": np.ones((2, 3))}
    places = np.array([[0, 4, -1], [2, 2, 2]], np.int32)
    compile_(program, device="c")["f"](**given, node=places, side=np.array([0, 1]))
    assert given["y"].tolist() == [[1, 9, 1], [7, 7, 7]]


def test_declarations() -> None:
    mask = np.array([[True, False], [False, True]])
    tensors = [
        (ef.Tensor("X", (2, 2), layout="row_major"), "tensor X[2,2] row_major"),
        (ef.Tensor("X", (2, 2), layout=(1, 8)), "tensor X[2,2] strided<1,8>"),
        (ef.Tensor("X", (2, 2), "grouped", members=4), "tensor X{4}[2,2] grouped"),
        (ef.Tensor("X", (2, 2), "temp"), "temp X[2,2]"),
        (ef.Tensor("X", (2, 2), nonzeros=mask), "tensor X[2,2] nonzeros [(0,0), (1,1)]"),
        (ef.Tensor("X", (2, 2), nonzeros=[(0, 1)]), "tensor X[2,2] nonzeros [(0,1)]"),
        (ef.Tensor("X", (2, 2), nonzeros=Path("x.npy")), 'tensor X[2,2] nonzeros "x.npy"'),
        (ef.Tensor("X", (2, 2), values="x.npy"), 'tensor X[2,2] values "x.npy"'),
        (ef.Tensor("X", (2, 2), values=np.array([[1, -2], [0.5, 0]])), "tensor X[2,2] values<1.0,0.5,-2.0,0.0>"),
    ]
    for tensor, text in tensors:
        reference = tensor(0)["ij"] if "{4}" in text else tensor["ij"]
        assert tree(ef.program(ef.kernel("f", Q["ij"] <= reference))).items[2] == from_text(text).items[0]


def test_element_type_and_several_kernels() -> None:
    first, second = ef.kernel("first", t[""] <= 1), ef.kernel("second", [t[""] <= 2, t[""] <= 3])
    text = "real f32 temp t[] kernel first { t[] = 1 } kernel second { t[] = 2 t[] = 3 }"
    assert tree(ef.program(first, second, real="f32")) == from_text(text)


def test_values_are_exact() -> None:
    values = np.random.default_rng(1).normal(size=(3, 4)) * 10.0 ** np.arange(-6, 6).reshape(3, 4)
    tensor = checked(t[""] <= ef.Tensor("X", (3, 4), values=values)["ij"]).tensors[1]
    assert tensor.values == tuple(values.ravel(order="F"))


def test_errors_show_the_formula() -> None:
    with pytest.raises(CompileError) as error:
        checked(Q["kp"] <= I["pk"])
    assert render_all(error.value.diagnostics) == (
        "error[E0203]: index `p` has size 56 in `I` but 9 in `Q`\n"
        " --> <python>:6:16\n"
        "  |\n"
        "2 | tensor Q[56,9]\n"
        "  |             - `Q` declared here\n"
        " ...\n"
        "6 |     Q[k,p] = I[p,k]\n"
        "  |         -      ^ 56: mode 0 of `I`\n"
        "  |         |\n"
        "  |         9: mode 1 of `Q`\n"
        "  |\n"
        "  = note: index `k` does not fit either: 56 in `Q`, 9 in `I`\n"
        "  = help: both fit if the modes of `I` are swapped: `Q[k,p] = I[k,p]`"
    )


def test_facts_of_python_point_to_the_declaration() -> None:
    with pytest.raises(CompileError) as error:
        checked(t[""] <= ef.Tensor("X", (2,), nonzeros=[(5,)])["i"])
    assert render_all(error.value.diagnostics) == (
        "error[E0206]: position 5 is outside of mode 0, which runs from 0 to 1\n"
        " --> <python>:3:8\n"
        "  |\n"
        "3 | tensor X[2]\n"
        "  |        ^"
    )


@pytest.mark.parametrize(("fact", "what"), [("nonzeros", "mask"), ("values", "array of values")])
def test_arrays_have_the_declared_shape(fact: str, what: str) -> None:
    with pytest.raises(CompileError) as error:
        ef.Tensor("X", (2, 3), **{fact: np.ones((3, 2))})  # type: ignore[arg-type] # of two types
    assert str(error.value) == (
        f"error[E0218]: the {what} has shape (3, 2) for `X`, which is declared with shape (2, 3)"
    )


def test_a_wrong_index_list_is_an_error_at_once() -> None:
    with pytest.raises(CompileError, match="expected an operator, `,`, `=` or `]`, found `p`"):
        Q["k p"]


def test_python_mistakes() -> None:
    with pytest.raises(TypeError, match="cannot be chained"):
        assert Q["kp"] <= I["kp"] <= Q["kp"]
    with pytest.raises(TypeError, match=r"'x' is neither an expression, such as Q\['ij'\], nor a number"):
        Q["kp"] + "x"  # type: ignore[operator]
    with pytest.raises(TypeError, match=r"an index list has strings and integers, .*, not slice\(0, 3, None\)"):
        Q[0:3, "p"]  # type: ignore[index] # that is the test
    with pytest.raises(TypeError, match=r"a kernel has statements such as Q\['kp'\] <= I\['kp'\], not a bool"):
        ef.kernel("f", [Q["kp"] == I["kp"]])  # type: ignore[list-item] # that is the test
    with pytest.raises(TypeError, match=r"a kernel has statements such as .*, not a bool"):
        ef.kernel("f", Q["kp"] == I["kp"])  # type: ignore[arg-type] # that is the test
    with pytest.raises(TypeError, match=r"`Q` stands without its index list, as in Q\['ij'\]"):
        ef.kernel("f", Q <= 1)
    with pytest.raises(TypeError, match="`I` stands without its index list"):
        2 * I
    with pytest.raises(TypeError, match=r"<tensor I\[56,9\]> is neither an expression, such as Q\['ij'\], nor a"):
        Q["kp"] * I
    with pytest.raises(TypeError, match="'Tensor' object is not iterable"):
        list(Q)  # type: ignore[call-overload] # that is the test
    with pytest.raises(TypeError, match="the shape of `Q` is a tuple of extents"):
        ef.Tensor("Q", 4)  # type: ignore[arg-type] # that is the test
    with pytest.raises(TypeError, match="a program has kernels, which `kernel` makes, not a Tensor"):
        ef.program(Q)  # type: ignore[arg-type] # that is the test
    with pytest.raises(ValueError, match="inf is no finite number"):
        Q["kp"] * float("inf")
    with pytest.raises(ValueError, match="storage is `batched`, `grouped`, `constant`, `shared` or `temp`, not 'heap'"):
        ef.Tensor("X", (2,), "heap")
    with pytest.raises(ValueError, match="layout is `column_major`, `row_major` or the strides, not 'tiled'"):
        ef.Tensor("X", (2,), layout="tiled")


def test_sizes_that_only_the_launch_knows() -> None:
    n, m = ef.Size("n", least=2, most=64, hint=56), ef.Size("m")
    X, A = ef.Tensor("X", (n, 9)), ef.Tensor("A", (9, m), storage="constant")
    Z, W = ef.Tensor("Z", (n, m)), ef.Tensor("W", (2 * n + 1, m), layout="row_major")
    product = ef.kernel("product", [Z["ij"] <= X["ik"] * A["kj"], W["ij"].add(1)])
    assert unparse(tree(ef.program(product))) == (
        "real f64\n"
        "size n >= 2 <= 64 ~ 56\n"
        "size m\n"
        "tensor Z[n,m]\n"
        "tensor X[n,9]\n"
        "tensor A[9,m] constant\n"
        "tensor W[2 * n + 1,m] row_major\n"
        "\n"
        "kernel product {\n"
        "    Z[i,j] = X[i,k] * A[k,j]\n"
        "    W[i,j] += 1\n"
        "}\n"
    )
    compiled = compile_(ef.program(product), cache=False)["product"]
    assert str(compiled.operations) == "19*m*n + m"
    random = np.random.default_rng(1)
    x, a = random.uniform(size=(3, 4, 9)), random.uniform(size=(9, 5))
    z, w = compiled.empty("Z", 3, (4, 5)), compiled.empty("W", 3, (9, 5))
    w[...] = 2
    compiled(X=x, A=a, Z=z, W=w)
    np.testing.assert_allclose(z, x @ a)
    assert (w == 3).all()


def test_an_assignment_of_python_says_how_statements_are_made() -> None:
    q, k = ef.Tensor("Q", (2, 3)), ef.Tensor("K", (3, 3), members=2)
    words = r"a statement is a value in Python: `Q\[…\] <= value` sets, `Q\[…\]\.add\(value\)` and"
    with pytest.raises(TypeError, match=words):
        q["ij"] = 0
    with pytest.raises(TypeError, match=words):
        q["ij"] += q["ij"]
    with pytest.raises(TypeError, match="`K"):
        k(1)["ij"] -= q["ij"]


def test_a_number_beyond_all_floats_is_a_mistake_of_the_text() -> None:
    q = ef.Tensor("Q", (2, 3))
    with pytest.raises(CompileError, match="E0104"):
        compile_(ef.program(ef.kernel("f", q["ij"] <= 10**400 * q["ij"])))


@pytest.mark.parametrize(("positions", "name"), [("k-p", "k"), ("k+1,p", "k"), ("k,(p)", "p"), ("k=0:n,p", "n")])
def test_no_position_is_computed_with_a_name(positions: str, name: str) -> None:
    """`k-p` is meant to be `k,p` as a rule; formulas have no params, so it can be nothing else."""
    with pytest.raises(CompileError, match=rf"E0233\]: `{name}` is no number, and a position is computed with it"):
        Q[positions]
    assert repr(Q["k=2*3:7+1", 3 - 1]) == "Q[k=2 * 3:7 + 1,2]"


@pytest.mark.parametrize("name", ["my kernel", "Q'", "", "2Q", "α", "tensor", "sum", 3])
def test_names_are_those_of_the_notation(name: str) -> None:
    ways: list[Callable[[], object]] = [
        lambda: ef.Tensor(name, (3,)),
        lambda: ef.Scalar(name),
        lambda: ef.Size(name),
        lambda: ef.kernel(name, Q["ij"] <= 1),
    ]
    for way in ways:
        with pytest.raises(CompileError, match=rf"E0234\]: {re.escape(repr(name))} is no name of a tensor"):
            way()


def test_the_words_are_those_of_the_grammar() -> None:
    assert words.WORDS == WORDS


def test_complex_numbers_of_python_and_numpy() -> None:
    A = ef.Tensor("A", (4, 5), dtype=np.complex128)
    B = ef.Tensor("B", (5, 3), dtype="complex64", storage="constant")
    C, w = ef.Tensor("C", (4, 3), dtype=complex), ef.Scalar("w", dtype=complex)
    value = (1 - 2j) * w * A["ik"] * f.conj(B["kj"]) + np.complex64(0.5j) * C["ij"] - 1j * f.real(C["ij"])
    program = ef.program(ef.kernel("mixed", C["ij"] <= value + f.imag(C["ij"])))
    assert program.source.text == (
        "real f64\ntensor C[4,3] complex\nscalar w complex\ntensor A[4,5] c128\ntensor B[5,3] constant c64\n\n"
        "kernel mixed {\n"
        "    C[i,j] = (1.0 - 2.0j) * w * A[i,k] * conj(B[k,j]) + 0.5j * C[i,j] - 1.0j * real(C[i,j]) + imag(C[i,j])\n"
        "}\n"
    )
    random = np.random.default_rng(0)
    a, b, c = (random.uniform(-1, 1, (*shape, 2)).view(complex)[..., 0] for shape in ((7, 4, 5), (5, 3), (7, 4, 3)))
    b = b.astype(np.complex64)
    expected = (1 - 2j) * (0.3 + 1j) * (a @ b.conj()) + 0.5j * c - 1j * c.real + c.imag
    compile_(program, device="c")["mixed"](A=a, B=b, C=c, w=0.3 + 1j)
    np.testing.assert_allclose(c, expected, rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="no finite number"):
        C["ij"] * complex(0, np.inf)


@pytest.mark.parametrize("atomic", [False, True])
def test_formulas_add_where_integers_say(atomic: bool) -> None:
    nodes = ef.Size("nodes")
    y, u = ef.Tensor("y", (nodes,), "shared", atomic=atomic), ef.Tensor("u", (3,))
    node, beside = ef.Tensor("node", (3,), dtype="int32"), ef.Tensor("next", (2,), dtype=np.int64)
    v = ef.Tensor("v", (3,), atomic=atomic)
    both = [y[node["i"]].add(2 * u["i"]), v["i"].at(beside["f"]).subtract(u["i"] * ef.ones["f"])]
    kernel = compile_(ef.program(ef.kernel("both", both)), "c")["both"]
    given = {"u": np.arange(6.0).reshape(2, 3), "node": np.array([[0, 0, 2], [2, -1, 0]], np.int32)}
    given |= {"y": np.zeros(3), "v": np.zeros((2, 3)), "next": np.array([[1, 1], [-1, 0]])}
    kernel(**given)
    assert given["y"].tolist() == [2 * (0 + 1 + 5), 0, 2 * (2 + 3)]
    assert given["v"].tolist() == [[-3, -4, -5], [0, -2, -4]]
