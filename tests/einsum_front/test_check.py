"""What the checker makes of a text."""

from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.coefficient import Number, ScalarOperation, ScalarOperator, ScalarPower, ScalarUse
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.runs import Runs
from einsum_front.core.storage import Storage
from einsum_front.elaborate import elaborate
from einsum_front.notation.check import check
from einsum_front.notation.checked import (
    Access,
    Apply,
    Assignment,
    CheckedProgram,
    Component,
    EntryPosition,
    Expression,
    Extremum,
    FixedPosition,
    Gather,
    IndexPosition,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
)
from einsum_front.notation.parse import parse


def checked(text: str, directory: Path = Path(), **defines: str | int) -> CheckedProgram:
    return check(parse(Source("t.ein", text)), defines, directory)


def tensor(declaration: str, directory: Path = Path(), **defines: str | int) -> Tensor:
    return checked(declaration, directory, **defines).tensors[0]


def runs(declared: Tensor) -> Runs | None:
    return None if declared.nonzeros is None else declared.nonzeros.runs()


# -- Einstein's rule ---------------------------------------------------------------------------------------------------

TENSORS = """
    tensor y[3] tensor t[] tensor C[3, 3] tensor D[2, 3, 3] tensor x[3]
    tensor A[3, 3] tensor B[3, 3] tensor E[3] tensor R[3, 4] tensor S[3, 5] tensor F[2, 3, 3] tensor G[2, 3, 3]
    scalar dt
"""


def statement(text: str) -> Assignment:
    return checked(f"{TENSORS} kernel f {{ {text} }}").kernels[0].statements[0]


def shown(expression: Expression) -> str:
    """The expression with its reductions, without extents and coefficients."""
    match expression:
        case Access(name, positions):
            letters = (str(p.position) if isinstance(p, FixedPosition) else p.index.name for p in positions)
            return f"{name}[{''.join(letters)}]"
        case Gather(tensors, positions, element):
            letters = (
                f"{p.entry.tensor}[…]" if isinstance(p, EntryPosition) else shown(Access("", (p,))) for p in positions
            )
            return f"{'|'.join(tensors)}[{','.join(letters)}]{'' if element is None else '@' + shown(element)}"
        case ScalarTerm():
            return "scalar"
        case Scaled(_, operand):
            return f"c*{shown(operand)}"
        case Product(factors):
            return "*".join(map(shown, factors))
        case Sum(terms):
            return f"({' + '.join(map(shown, terms))})"
        case Reduction(indices, operand):
            return f"sum {''.join(index.name for index in indices)} {{{shown(operand)}}}"
        case Apply(function, arguments):
            return f"{function.value}({', '.join(map(shown, arguments))})"
        case Quotient(dividend, divisor):
            return f"{shown(dividend)}/{shown(divisor)}"
        case Component(part, operand):
            return f"{part.value}({shown(operand)})"
        case Extremum(function, indices, operand):
            return f"{function.value} {''.join(index.name for index in indices)} {{{shown(operand)}}}"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("y[i] = A[ij]", "sum j {A[ij]}"),
        ("t[] = A[ii]", "sum i {A[ii]}"),
        ("C[ij] = A[ij]*B[ij]", "A[ij]*B[ij]"),
        ("D[bij] = F[bik]*G[bkj]", "sum k {F[bik]*G[bkj]}"),
        ("C[ij] = A[ik]*B[kj]", "sum k {A[ik]*B[kj]}"),
        ("y[i] = A[ik]*(B[kj]*C[jk] + E[k])", "sum k {A[ik]*(sum j {B[kj]*C[jk]} + E[k])}"),
        ("y[i] = A[ij]*E[k]", "sum j {A[ij]}*sum k {E[k]}"),
        ("y[i] = A[ij]*B[jk]*C[kl]", "sum jk {A[ij]*B[jk]*sum l {C[kl]}}"),
        ("y[i] = R[ij] + S[ij]", "(sum j {R[ij]} + sum j {S[ij]})"),
        ("y[i] = A[ik]*(B[kj] + E[j])", "sum k {A[ik]*(sum j {B[kj]} + sum j {E[j]})}"),
        ("C[ii] = E[i]", "E[i]"),
        ("C[ii] = A[ij]", "sum j {A[ij]}"),
        ("y[i] = A[jj]*E[i]", "sum j {A[jj]}*E[i]"),
        ("y[i] = A[ij]*B[jj]", "sum j {A[ij]*B[jj]}"),
        ("y[i] = (A[ij]*x[j])*E[i]", "sum j {A[ij]*x[j]}*E[i]"),
        ("y[i] = (A[ij]*x[j])*E[j]", "sum j {A[ij]*x[j]*E[j]}"),
        ("C[ij] = E[i] + x[j]", "(E[i] + x[j])"),
        ("C[ij] = A[i,0]*x[j] + 1", "(A[i0]*x[j] + scalar)"),
        ("C[ij] = 2*dt", "scalar"),
        ("y[i] = 2*A[ik]*x[k]*dt", "c*sum k {A[ik]*x[k]}"),
        ("y[i] = -(A[ik]*-x[k])", "sum k {A[ik]*x[k]}"),
        ("y[i] = x[i] - A[ik]*x[k]", "(x[i] + c*sum k {A[ik]*x[k]})"),
        ("y[i] = x[i] + (E[i] + x[i])", "(x[i] + E[i] + x[i])"),
        ("y[i] = sum{d in 0:2}( F[(d),i,j] ) * x[i]", "(sum j {F[0ij]} + sum j {F[1ij]})*x[i]"),
        ("y[i] = sum{d in 0:1}( F[(d),i,j]*x[j] )", "sum j {F[0ij]*x[j]}"),
        ("y[i] = sum{d in 0:2}( F[(d),i,j] ) * x[j] * E[i]", "sum j {(F[0ij] + F[1ij])*x[j]*E[i]}"),
        ("C[ij] = E[i]*1[j]", "E[i]"),
        ("C[ij] = (E[i] + A[ik]*1[k]) * 1[j]", "(E[i] + sum k {A[ik]})"),
        ("y[i] = 1[j]*(A[ij] + x[i])", "sum j {(A[ij] + x[i])}"),
        ("y[i] = x[i]*(1[j]*E[j])", "x[i]*sum j {E[j]}"),
        ("y[i] = 1[j]*A[ij]*x[j]*1[i]", "sum j {A[ij]*x[j]}"),
        ("C[ij] = E[i] - 2*1[j]", "(E[i] + scalar)"),
        ("C[ij] = dt*1[i]*1[j]", "scalar"),
        ("C[ij] = sum{d in 0:2}(1[i])*E[j]", "(scalar + scalar)*E[j]"),
    ],
)
def test_every_summation_is_written_out(text: str, meaning: str) -> None:
    assert shown(statement(text).value) == meaning


def test_a_letter_is_another_index_in_another_term() -> None:
    value = statement("y[i] = R[ij] + S[ij]").value
    assert isinstance(value, Sum)
    assert [term.indices[0].extent for term in value.terms if isinstance(term, Reduction)] == [4, 5]


def test_a_slice_narrows_an_index() -> None:
    positions = statement("R[i=1:3,j=0:1] = S[i=0:2,j=2:3]").target.positions
    assert [(p.index.extent, p.offset) for p in positions if isinstance(p, IndexPosition)] == [(2, 1), (1, 0)]


# -- coefficients ------------------------------------------------------------------------------------------------------

DT = ScalarUse("dt")


@pytest.mark.parametrize(
    ("text", "coefficient"),
    [
        ("2 * y[i] * 3", Number(6.0)),
        ("y[i] / 3", Number(1 / 3)),
        ("dt * y[i]", DT),
        ("-y[i]", Number(-1.0)),
        ("dt**2/2 * y[i]", ScalarOperation(ScalarOperator.DIV, ScalarPower(DT, 2), Number(2.0))),
        ("y[i] / dt", ScalarOperation(ScalarOperator.DIV, Number(1.0), DT)),
        ("(dt - 1) * y[i]", ScalarOperation(ScalarOperator.SUB, DT, Number(1.0))),
        ("0.1 * 3 * y[i]", Number(0.3)),
        ("2**-2 * y[i]", Number(0.25)),
        ("dt**-1 * y[i]", ScalarPower(DT, -1)),
    ],
)
def test_coefficients_come_together_in_front(text: str, coefficient: object) -> None:
    value = statement(f"y[i] = {text}").value
    assert isinstance(value, Scaled)
    assert value.coefficient == coefficient


def test_factors_that_are_one_vanish() -> None:
    assert statement("y[i] = 2 * x[i] / 2").value == statement("y[i] = x[i]").value


def test_params_and_variables_are_numbers_in_expressions() -> None:
    program = checked("param N = 3 tensor A[N] kernel f { A[i] = sum{n in 1:3}( N**n * A[i] ) }")
    value = program.kernels[0].statements[0].value
    assert isinstance(value, Sum)
    assert [term.coefficient for term in value.terms if isinstance(term, Scaled)] == [Number(3.0), Number(9.0)]


# -- declarations ------------------------------------------------------------------------------------------------------


def test_params_are_exact_in_any_order() -> None:
    text = "param B = O*(O+1)*(O+2)/6 tensor Q[B, 2*O - 3] param O = 6"
    assert tensor(text).shape == (56, 9)
    assert tensor(text, O=4).shape == (20, 5)
    assert tensor(text, O="4").shape == (20, 5)
    assert tensor(text, B=7).shape == (7, 9)


def test_storage_and_layout() -> None:
    program = checked("""
        tensor a[2, 3]
        tensor b[2, 3] batched row_major
        tensor c[2, 3] constant strided<4, 1>
        tensor d[2, 3] grouped
        temp   e[2, 3]
        tensor f[2, 3] values<1, 0, 0, 0, 5, 6>
        tensor g[]
    """)
    storages = [(tensor.storage, tensor.strides) for tensor in program.tensors]
    assert storages == [
        (Storage.BATCHED, (1, 2)),
        (Storage.BATCHED, (3, 1)),
        (Storage.CONSTANT, (4, 1)),
        (Storage.GROUPED, (1, 2)),
        (Storage.TEMPORARY, (1, 2)),
        (Storage.CONSTANT, (1, 2)),
        (Storage.BATCHED, ()),
    ]
    assert program.tensors[5].values == (1, 0, 0, 0, 5, 6)
    assert runs(program.tensors[5]) == ((0, 1), (4, 6))


def test_families_are_unrolled() -> None:
    program = checked("""
        tensor V{2, 2}[3]
        scalar power{2}
        kernel f{h in 0:2, j in h:2} {
            V{h,j}[k] = power{j} * V{0,0}[k]
            for n in 0:h { V{n,0}[(n)] = n }
        }
    """)
    assert [(t.name, t.spelling) for t in program.tensors] == [
        ("V_0_0", "V{0,0}"),
        ("V_0_1", "V{0,1}"),
        ("V_1_0", "V{1,0}"),
        ("V_1_1", "V{1,1}"),
    ]
    assert [scalar.name for scalar in program.scalars] == ["power_0", "power_1"]
    assert [(k.name, [s.written for s in k.statements]) for k in program.kernels] == [
        ("f_0_0", ["V_0_0"]),
        ("f_0_1", ["V_0_1"]),
        ("f_1_1", ["V_1_1", "V_0_0"]),
    ]


def test_element_types() -> None:
    assert tensor("tensor A[1]").element_type.value == "f64"
    assert tensor("tensor A[1] real f32").element_type.value == "f32"
    assert check(parse(Source("t", "tensor A[1] real f32")), real="f64").tensors[0].element_type.value == "f64"
    with pytest.raises(CompileError, match="`f16` is no element type"):
        check(parse(Source("t", "tensor A[1]")), real="f16")


# -- what is known about entries ---------------------------------------------------------------------------------------


def test_nonzeros_in_files(tmp_path: Path) -> None:
    mask = np.array([[True, False], [True, True]])
    np.save(tmp_path / "one.npy", mask)
    np.savez(tmp_path / "order3.npz", K=mask.astype(int), S_0=np.zeros((2, 2)), S_1=np.ones((2, 2)))
    single = checked('tensor A{2}[2, 2] nonzeros "one.npy"', tmp_path)
    assert [runs(t) for t in single.tensors] == [((0, 2), (3, 4))] * 2
    several = checked(
        'param O = 3 tensor K[2,2] nonzeros "order{O}.npz" tensor S{2}[2,2] nonzeros "order{ O }.npz"', tmp_path
    )
    assert [runs(t) for t in several.tensors] == [((0, 2), (3, 4)), (), None]


def test_nonzeros_as_a_list() -> None:
    assert runs(tensor("tensor A[2, 3] nonzeros [(0,1), (1,1), (0,0), (1,2)]")) == ((0, 1), (2, 4), (5, 6))
    assert runs(tensor("tensor A[] nonzeros []")) == ()
    assert tensor("tensor A[] nonzeros [()]").nonzeros is None


def test_values_in_a_file(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[1.5, 0.0], [2.0, 3.0]]))
    known = tensor('tensor A[2, 2] row_major values "a.npy"', tmp_path)
    assert known.values == (1.5, 2.0, 0.0, 3.0)
    assert runs(known) == ((0, 2), (3, 4))


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_order_of_a_file_does_not_matter(tmp_path: Path, order: str) -> None:
    array = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
    np.save(tmp_path / "a.npy", np.asarray(array, order="F" if order == "F" else "C"))
    assert tensor('tensor A[2, 3] values "a.npy"', tmp_path).values == (1.0, 0.0, 0.0, 0.0, 2.0, 3.0)


# -- zeros and temporaries through statements --------------------------------------------------------------------------

SPARSE = """
    tensor K[3, 3] constant nonzeros [(0,1), (2,0)]
    tensor I[3]
    tensor R[3] nonzeros [(0), (2)]
    temp   T[3]
"""


@pytest.mark.parametrize(
    "body",
    [
        "R[i] = K[ij]*I[j]",
        "T[i] = K[ij]*I[j]  R[i] += T[i]",
        "R[i] = K[ij]*K[ik]*I[k]",
        "I[i] = 0  R[i] = I[i]",
        "I[1] = 0  R[i] -= 2*I[i]",
        "R[i] = 0",
        "R[i] = R[i]*I[i] - R[i]",
        "R[2] = 1  R[0] = dt",
        "T[i=0:1] = I[i=0:1]  T[i=1:3] = 0*I[i=0:2]  R[i] = T[i]",
        "for n in 0:3 { T[(n)] = 0 }  T[i] += R[i]  R[i] = T[i]",
    ],
)
def test_zeros_stay_zero(body: str) -> None:
    assert checked(f"{SPARSE} scalar dt kernel f {{ {body} }}").kernels


@pytest.mark.parametrize(
    ("body", "entry"),
    [
        ("R[i] = I[i]", "(1)"),
        ("R[i] = K[ji]*I[j]", "(1)"),
        ("I[1] = 0  I[i] += R[i]  R[i] = I[i] + 1", "(1)"),
        ("T[i] = K[ij]*I[j]  T[1] -= 1  R[i] = T[i]", "(1)"),
        ("R[1] = dt", "(1)"),
    ],
)
def test_zeros_are_not_lost(body: str, entry: str) -> None:
    with pytest.raises(CompileError, match=rf"E0217\]: entry \({entry[1:-1]}\) of `R` is declared to be zero"):
        checked(f"{SPARSE} scalar dt kernel f {{ {body} }}")


# -- dynamic extents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extent", ["n", "2*n - n", "n*(n + 1) - n*n", "n**2 / n"])
def test_dynamic_extents_are_compared_exactly(extent: str) -> None:
    program = checked(f"size n size m tensor A[n] tensor B[{extent}] kernel f {{ A[i] = B[i] }}")
    first, second = (tensor.shape for tensor in program.tensors)
    assert first == second
    assert str(second[0]) == "n"


@pytest.mark.parametrize("extent", ["n + 1", "3", "m", "2*n"])
def test_other_dynamic_extents_do_not_fit(extent: str) -> None:
    with pytest.raises(CompileError) as error:
        checked(f"size n size m tensor A[n] tensor B[{extent}] kernel f {{ A[i] = B[i] }}")
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["E0203"]


def test_sizes_that_cancel_leave_a_number() -> None:
    program = checked("size n tensor A[n - n + 3] tensor B[3] kernel f { A[i] = B[i] }")
    assert [tensor.shape for tensor in program.tensors] == [(3,), (3,)]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("n", (1, None, 1000)),
        ("n >= 2000", (2000, None, 2000)),
        ("n <= 64", (1, 64, 64)),
        ("n >= 4 <= 8*O ~ 2*O", (4, 24, 6)),
        ("n ~ 5", (1, None, 5)),
    ],
)
def test_limits_and_hints_of_sizes(declared: str, expected: tuple[int, int | None, int]) -> None:
    program = checked(f"param O = 3 size {declared} tensor A[n] kernel f {{ A[i] = 0 }}")
    (size,) = program.sizes
    assert (size.least, size.most, size.hint) == expected


def test_large_bounds_take_no_memory() -> None:
    program = checked("size n >= 10**6 tensor A[n, n] tensor B[n - 999999] kernel f { A[i,i] = 0 B[i] = 1 }")
    assert str(elaborate(program.kernels[0], program).tensors[1].shape[0]) == "n - 999999"


def test_a_definition_makes_a_size_a_number() -> None:
    source = Source("t.ein", "size n <= 64 size m tensor A[2*n, m] kernel f { A[i,j] = 0 }")
    program = check(parse(source), {"n": "12"})
    assert [str(extent) for extent in program.tensors[0].shape] == ["24", "m"]
    assert [size.name for size in program.sizes] == ["m"]


def test_a_kernel_that_is_asked_for_alone_needs_only_the_tensors_that_it_names() -> None:
    text = """
    tensor A[2] constant values "missing.npy"
    tensor B[2]
    tensor C[2]
    kernel copy_of_a { B[i] = A[i] }
    kernel copy_of_c { for n in 0:2 { B[(n)] = C[(n)] } }
    """
    program = check(parse(Source("t.ein", text)), only="copy_of_c")
    assert [kernel.name for kernel in program.kernels] == ["copy_of_c"]
    assert [tensor.name for tensor in program.tensors] == ["B", "C"]
    with pytest.raises(CompileError, match=r"cannot read `missing\.npy`"):
        check(parse(Source("t.ein", text)), only="copy_of_a")


@pytest.mark.parametrize(
    ("only", "names"),
    [("fill_1", ["fill_1"]), ("fill", ["fill_0", "fill_1", "fill_2"]), ("fill_3", ["fill_0", "fill_1", "fill_2"])],
)
def test_a_member_that_is_asked_for_is_checked_alone_if_there_is_one(only: str, names: list[str]) -> None:
    text = "tensor A[3]\ntensor B[3]\nkernel other { B[i] = 1 }\nkernel fill{n in 0:3} { A[(n)] = n }"
    program = check(parse(Source("t.ein", text)), only=only)
    assert [kernel.name for kernel in program.kernels] == names


def test_arrays_of_one_file_are_read_from_it_one_after_the_other(tmp_path: Path) -> None:
    np.savez(tmp_path / "two.npz", A_0=[1.0, 0.0], A_1=[0.0, 2.0])
    declarations = 'tensor A{2}[2] constant values "two.npz"\ntensor B[2]'
    program = checked(f"{declarations}\nkernel k {{ B[i] = A{{0}}[i] + A{{1}}[i] }}", tmp_path)
    assert [tensor.values for tensor in program.tensors[:2]] == [(1.0, 0.0), (0.0, 2.0)]
