"""Definitions are called from the notation and from linalg, and mean there what they mean by themselves."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.functions import Function
from einsum_front.mlir.interpret import interpret as interpret_linalg
from einsum_front.mlir.parse import parse as parse_linalg
from einsum_front.mlir.unparse import unparse as unparse_linalg
from einsum_front.mlir.verify import verify as verify_linalg
from einsum_front.notation.check import check
from einsum_front.notation.check.definitions import expanded
from einsum_front.notation.interpret import interpret as interpret_notation
from einsum_front.notation.parse import parse as parse_notation
from einsum_front.notation.syntax import Assignment, Kernel
from einsum_front.notation.unparse import unparse as unparse_notation
from einsum_front.notation.unparse import unparse_statement
from einsum_front.tc.declared import inlined, with_definitions
from einsum_front.tc.interpret import interpret
from einsum_front.tc.nodes import Apply, Definition, Program
from einsum_front.tc.parse import parse
from einsum_front.tc.structure import meaning, structure_of, value_of
from einsum_front.tc.unparse import unparse
from tests.tc.strategies import Case, cases
from tests.tc.test_meaning import TOLERANCES, arrays

OPERATIONS = """
def product(A: f64(M, K), B: f64(K, N)) -> (C: f64(M, N)) { C(m, n) = std_addf<k>(std_mulf(A(m, k), B(k, n))); }
def exponentials(A: f64(M, K)) -> (C: f64(M)) { C(m) = std_addf<k>(math_exp(A(m, k))); }
def largest(A: f64(M, K)) -> (C: f64(M)) { C(m) = std_maxf<k>(A(m, k)); }
def times(s: f64(), A: f64(M)) -> (C: f64(M)) { C(m) = std_mulf(s(), A(m)); }
def shifted(A: f64(M, K), B: f64(M)) -> (C: f64(M)) { C(m) = std_addf<k>(std_addf(A(m, k), B(m))); }
"""


def called(definition: Definition, sizes: dict[str, int], operator: str) -> str:
    """A program that calls the definition with the names of its iterators as letters."""
    lines = ['use "ops.tc"']
    for tensor in definition.tensors:
        lines.append(f"tensor {tensor.name}[{','.join(str(value_of(each, sizes)) for each in tensor.shape)}]")
    maps = [",".join(each.name or "?" for each in positions) for positions in structure_of(definition).maps]
    *inputs, output = (f"{tensor.name}[{text}]" for tensor, text in zip(definition.tensors, maps, strict=True))
    real = f"real {definition.inputs[0].type}"
    return "\n".join([real, *lines, f"kernel k {{ {output} {operator} foo({', '.join(inputs)}) }}"])


def has_windows(definition: Definition) -> bool:
    return any(each.name is None for positions in structure_of(definition).maps for each in positions)


@given(cases(), st.integers(0, 99))
def test_a_call_is_what_is_defined(tmp_path_factory: pytest.TempPathFactory, case: Case, seed: int) -> None:
    directory = tmp_path_factory.mktemp("called")
    definition = case.definition
    (directory / "ops.tc").write_text(unparse(Program((definition,))))
    value = definition.body.values[0]
    known = meaning(value.operation) if isinstance(value, Apply) and value.over else None
    adds = known is not None and known.function is Function.ADD
    if has_windows(definition):
        return
    program = check(
        parse_notation(Source("t.ein", called(definition, case.sizes, "+=" if adds else "="))), {}, directory
    )
    given_arrays = arrays(definition, case.sizes, seed)
    if known is not None and not adds:
        given_arrays["C"][...] = -np.inf  # what `std_maxf` begins with: the value of a call has no output before
    expected = interpret(definition, given_arrays)["C"]
    batched = {name: each[np.newaxis].copy() for name, each in given_arrays.items()}
    interpret_notation(program.kernels[0], program, batched)
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    assert np.max(np.abs(batched["C"][0] - expected), initial=0) <= TOLERANCES[definition.inputs[0].type] * scale


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("C[ij] += product(A[ik], B[kj])", "C[i,j] += A[i,k] * B[k,j]"),
        ("C[ij] = 2 * product(A[i,k=0:2], B[k=0:2,j])", "C[i,j] = 2 * (A[i,k=0:2] * B[k=0:2,j])"),
        ("v[j] = w[k] * product(A[(0),k], B[kj])", "v[j] = w[k] * (A[0,k1] * B[k1,j])"),
        ("C[ij] = product(A[ik], B[kj]) * product(A[ik], B[kj])", "C[i,j] = (A[i,k1] * B[k1,j]) * (A[i,k2] * B[k2,j])"),
        ("u[i] = exponentials(A[ij])", "u[i] = 1[j] * exp(A[i,j])"),
        ("u[i] = shifted(A[ij], u[i])", "u[i] = 1[j] * (A[i,j] + u[i])"),
        ("u[i] = largest(A[ij]) - times(dt / 2, u[i])", "u[i] = max{j}(A[i,j]) - (dt / 2) * u[i]"),
    ],
)
def test_the_definition_stands_in_the_place_of_the_call(statement: str, meant: str) -> None:
    definitions = {each.name: each for each in parse(Source("ops.tc", OPERATIONS)).definitions}
    program = parse_notation(Source("t.ein", f"kernel f {{ {statement} }}"))
    (kernel,) = program.items
    assert isinstance(kernel, Kernel)
    (assignment,) = kernel.statements
    assert isinstance(assignment, Assignment)
    assert unparse_statement(expanded(assignment, definitions)) == meant


def test_a_program_that_uses_a_text_is_read_back() -> None:
    text = 'use "ops.tc"\ntensor a[]\n\nkernel f {\n    a[] = 1\n}\n'
    assert unparse_notation(parse_notation(Source("t.ein", text))) == text


def test_a_text_that_is_not_there(tmp_path: Path) -> None:
    text = 'use "none.tc"\ntensor a[]\nkernel f { a[] = 1 }'
    with pytest.raises(CompileError, match=r"none.tc`: no such file") as error:
        check(parse_notation(Source("t.ein", text)), {}, tmp_path)
    assert error.value.diagnostics[0].labels


DECLARED = """
func.func private @product(tensor<4x5xf64>, tensor<5x6xf64>, tensor<4x6xf64>) -> tensor<4x6xf64>
    attributes {einsum_front.definitions = "ops.tc"}
func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = func.call @product(%a, %b, %c) : (tensor<4x5xf64>, tensor<5x6xf64>, tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}
"""


def test_linalg_calls_a_definition(tmp_path: Path) -> None:
    (tmp_path / "ops.tc").write_text(OPERATIONS)
    module = parse_linalg(Source("t.mlir", DECLARED))
    assert parse_linalg(Source("t.mlir", unparse_linalg(module))) == module
    whole = with_definitions(module, tmp_path)
    assert list(verify_linalg(whole)) == []
    random = np.random.default_rng(0)
    a, b, c = random.random((4, 5)), random.random((5, 6)), random.random((4, 6))
    for each in (whole, inlined(module, tmp_path)):
        (found,) = interpret_linalg(each, "f", [a, b, c])
        assert np.allclose(found, c + a @ b, rtol=1e-14, atol=0)
    path = tmp_path / "t.mlir"
    path.write_text(DECLARED)
    result = np.empty((1, 4, 6))
    ef.compile(ef.parse(path))["f"](a=a[None], b=b[None], c=c[None], result=result)
    assert np.allclose(result[0], c + a @ b, rtol=1e-14, atol=0)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("@product", "@other", "does not define `other`"),
        ("ops.tc", "none.tc", "no such file"),
        ("tensor<4x5xf64>, tensor<5x6xf64>, tensor<4x6xf64>)", "tensor<4x5xf64>, tensor<5x6xf64>)", "2 arguments"),
        ("-> tensor<4x6xf64>\n    attr", "-> (tensor<4x6xf64>, tensor<4x6xf64>)\n    attr", "2 results, and needs 1"),
        ("(tensor<4x5xf64>, tensor<5x6xf64>, t", "(tensor<4x5xf64>, tensor<30xf64>, t", "is a tensor with 2 modes"),
    ],
)
def test_declarations_that_do_not_fit(old: str, new: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "ops.tc").write_text(OPERATIONS)
    text = DECLARED.replace(old, new, 1).split("func.func @f")[0]
    with pytest.raises(CompileError, match=words):
        with_definitions(parse_linalg(Source("t.mlir", text)), tmp_path)
