"""Every rule of the tensor language has a program that breaks it and the words that its author reads.

A file of `tests/errors/tl_verify` is a program; the comments from the first `; error[` on are what the verifier says.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Argument, Function, Program
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.verify import check, read_unwritten, verify

ERRORS = Path(__file__).parents[1] / "errors"
FILES = sorted((ERRORS / "tl_verify").glob("*.tl"))
MATRIX = MemrefType.packed(ScalarType.F32, (4, 4))

SAMPLE = """
func @fused_kernel(%alpha: f32,
                   %A: group<memref<f32x16x8>>,
                   %B: memref<f32x8x8>,
                   %C: memref<f32x8x16>,
                   %D: memref<f32x16x16x?>) {
  %0 = group_id
  %1 = load %A[%0]        : group<memref<f32x16x8>> ; Returns memref<f32x16x8>
  %2 = subview %D[:,:,%0] : memref<f32x16x16x?>     ; Returns memref<f32x16x16>
  %tmp0 = alloca -> memref<f32x16x8>
  gemm.n.t 1.0, %1, %B, 0.0, %tmp0
     : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
  gemm.n.n %alpha, %tmp0, %C, 1.0, %2
     : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
}
"""


def split(path: Path) -> tuple[Source, str]:
    """The program of a file, and the words that are expected."""
    program, mark, words = path.read_text(encoding="utf-8").partition("\n; error[")
    expected = re.sub("^; ?", "", mark.strip("\n") + words, flags=re.MULTILINE)
    return Source(path.name, program), expected.rstrip("\n")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_says_what_is_wrong(path: Path) -> None:
    source, expected = split(path)
    assert render_all(verify(parse(source))) == expected


def test_memory_that_is_read_before_it_is_written_is_told_of() -> None:
    source, expected = split(ERRORS / "tl_unwritten" / "temporary_that_nothing_writes.tl")
    program = parse(source)
    check(program)
    assert render_all(read_unwritten(program)) == expected


def test_the_sample_of_the_manual_keeps_all_rules() -> None:
    program = parse(Source("sample.tl", SAMPLE))
    check(program)
    assert verify(program) == ()


def test_check_raises_all_mistakes_at_once() -> None:
    with pytest.raises(CompileError) as caught:
        check(Program((function(("A", MATRIX)), function(("c", ScalarType.BOOL)))))
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0446", "E0447"]


# -- what the parser does not let through, and programs without a text -------------------------------------------------


def function(*arguments: tuple[str, Type]) -> Function:
    return Function("f", tuple(Argument(tl.Local(name), type_) for name, type_ in arguments), ())


BUILT = {
    "E0431: `memref<f32x4x4,strided<1>>` has rank 2, but 1 stride": function(
        ("A", MemrefType(ScalarType.F32, (4, 4), (1,)))
    ),
    "E0434: the offset of a group is -1": function(("A", GroupType(MATRIX, -1))),
    "E0448: the work-group size of `@f` is 0 x 1": replace(function(), work_group_size=(0, 1)),
    "E0448: the subgroup size of `@f` is 0": replace(function(), subgroup_size=0),
}


@pytest.mark.parametrize("expected", BUILT)
def test_built_functions_keep_the_rules_too(expected: str) -> None:
    (found,) = verify(Program((BUILT[expected],)))
    assert f"{found.code}: {found.message}" == expected
    assert found.labels == ()


def test_a_built_instruction_is_described_without_a_place() -> None:
    one = tl.TypedScalar(tl.FloatConstant(1.0), ScalarType.F32)
    typed = tl.TypedMemref(tl.Local("A"), MATRIX)
    gemm = tl.Gemm(
        (tl.Transpose.N, tl.Transpose.N), False, one, (typed, typed), one, tl.TypedMemref(tl.Local("T"), MATRIX)
    )
    built = replace(function(("A", MATRIX)), body=(gemm, tl.Alloca(tl.Local("T"), MATRIX)))
    assert render_all(verify(Program((built,)))) == "error[E0410]: `%T` is used before it is defined"


def test_every_rule_is_broken_by_a_test() -> None:
    rules = {code for code in TITLES if "E0410" <= code <= "E0449"} | {"E0452", "E0453", "E0454"}
    broken = {split(path)[1][len("error[") :][:5] for path in FILES} | {words[:5] for words in BUILT}
    assert broken == rules
