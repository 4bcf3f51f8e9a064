"""Cooperative matrices of Tiny Tensor Compiler 0.4: what they compute, and their rules."""

from pathlib import Path

import numpy as np
import pytest

from einsum_front.cli import main
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check


def run(text: str, x: float | None = None, **arrays: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays after the function, which is the same printed and read again."""
    program = parse(Source("t.tl", text))
    check(program)
    again = parse(Source("t.tl", unparse(program)))
    assert unparse(again) == unparse(program)
    kept = {name: array.copy() for name, array in arrays.items()}
    interpret(program.functions[0], kept if x is None else {**kept, "x": x}, 1)
    return kept


RANDOM = np.random.default_rng(1)
A, B = RANDOM.random((20, 12)).astype(np.float32), RANDOM.random((12, 20)).astype(np.float32)
C = RANDOM.random((20, 20)).astype(np.float32)


TILES = """
func @f(%A: memref<f32x20x12>, %B: memref<f32x12x20>, %C: memref<f32x20x20>) attributes{subgroup_size=16} {
  %z = constant 0 : index
  %k = constant 12 : index
  %s = size %C[0] : index
  %step = constant 4 : index
  foreach_tile (%i,%j)=(%z,%z),(%s,%s) as (%m,%n)<=(16,8) {
    %c0 = cooperative_matrix_load.both_checked %C[%i,%j] : coopmatrix<f32x16x8,matrix_acc>
    %c1 = for %l=%z,%k,%step init(%c=%c0) -> (coopmatrix<f32x16x8,matrix_acc>) {
      %a = cooperative_matrix_load.rows_checked %A[%i,%l] : coopmatrix<f32x16x4,matrix_a>
      %b = cooperative_matrix_load.cols_checked %B[%l,%j] : coopmatrix<f32x4x8,matrix_b>
      %d = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x16x8,matrix_acc>
      yield (%d)
    }
    cooperative_matrix_store.both_checked %c1, %C[%i,%j]
  }
}"""
"""Tiles of 16 x 8 over a matrix of 20 x 20: what lies outside is 0 when loaded, and is not stored."""


def test_a_product_of_tiles_with_a_rest() -> None:
    found = run(
        TILES,
        A=A,
        B=B,
        C=C,
    )["C"]
    np.testing.assert_allclose(found, C + A @ B, rtol=1e-5)


def test_a_device_without_sub_groups_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tiles.tl").write_text(TILES, encoding="utf-8")
    assert main(["run", str(tmp_path / "tiles.tl"), "--batch", "1", "--verify", "--device", "c"]) == 0
    assert "device: agrees" in capsys.readouterr().out


def test_a_turned_matrix() -> None:
    found = run(
        """
func @f(%A: memref<f32x20x12>, %C: memref<f32x20x20>) attributes{subgroup_size=4} {
  %x = constant 16 : index
  %y = constant 8 : index
  parallel {
    %a = cooperative_matrix_load.t.cols_checked %A[%x,%y] : coopmatrix<f32x4x8,matrix_acc>
    cooperative_matrix_store.t.both_checked %a, %C[%x,%y]
    cooperative_matrix_prefetch 0, %A[%x,%y], 4, 4
  }
}""",
        A=A,
        C=C,
    )["C"]
    wanted = C.copy()
    wanted[16:20, 8:12] = A[16:20, 8:12]
    np.testing.assert_array_equal(found, wanted)


def test_entries_by_themselves() -> None:
    found = run(
        """
func @f(%x: f32, %A: memref<f32x20x12>, %R: memref<f32x4x1>, %S: memref<i32x1x8>) attributes{subgroup_size=4} {
  %z = constant 0 : index
  %big = constant 2.0 : f32
  %go = greater_than %x, %big : bool
  parallel {
    %a = cooperative_matrix_load %A[%z,%z] : coopmatrix<f32x4x8,matrix_acc>
    %b = constant 3.0 : coopmatrix<f32x4x8,matrix_acc>
    %c = cooperative_matrix_construct %x : coopmatrix<f32x4x8,matrix_acc>
    %d = sub %a, %b : coopmatrix<f32x4x8,matrix_acc>
    %e = max %d, %c : coopmatrix<f32x4x8,matrix_acc>
    %f = cooperative_matrix_scale %x, %e : coopmatrix<f32x4x8,matrix_acc>
    %g = cooperative_matrix_apply (%i,%j,%v)=%f -> coopmatrix<f32x4x8,matrix_acc> {
      %p = less_than_equal %i, %j : bool
      %q = if %p -> (f32) {
        %w = exp %v : f32
        yield (%w)
      } else {
        yield (%v)
      }
      yield (%q)
    }
    %h, %k = if %go -> (f32, coopmatrix<f32x4x8,matrix_acc>) {
      yield (%x, %g)
    } else {
      %m = neg %g : coopmatrix<f32x4x8,matrix_acc>
      yield (%big, %m)
    }
    %r = cooperative_matrix_reduce_add.row %k : coopmatrix<f32x4x1,matrix_acc>
    cooperative_matrix_store %r, %R[%z,%z]
    %t = cooperative_matrix_reduce_max.column %k : coopmatrix<f32x1x8,matrix_acc>
    %u = cast %t : coopmatrix<i32x1x8,matrix_a>
    cooperative_matrix_store %u, %S[%z,%z]
  }
}""",
        A=A,
        R=np.zeros((4, 1), np.float32),
        S=np.zeros((1, 8), np.int32),
        x=0.5,
    )
    entries = np.maximum(A[:4, :8] - 3, np.float32(0.5)) * np.float32(0.5)
    entries = -np.where(np.arange(4)[:, None] <= np.arange(8), np.exp(entries), entries)
    np.testing.assert_allclose(found["R"], entries.sum(axis=1, keepdims=True), rtol=1e-5)
    np.testing.assert_array_equal(found["S"], entries.max(axis=0, keepdims=True).astype(np.int32))


def test_matrices_that_change_places_from_turn_to_turn() -> None:
    found = run(
        """
func @f(%A: memref<f32x4x8>) attributes{subgroup_size=4} {
  %z = constant 0 : index
  %n = constant 3 : index
  %a = constant 1.0 : coopmatrix<f32x4x4,matrix_acc>
  %b = constant 2.0 : coopmatrix<f32x4x4,matrix_acc>
  %four = constant 4 : index
  %c, %d = for %i=%z,%n init(%x=%a,%y=%b) -> (coopmatrix<f32x4x4,matrix_acc>,coopmatrix<f32x4x4,matrix_acc>) {
    yield (%y, %x)
  }
  parallel {
    cooperative_matrix_store %c, %A[%z,%z]
    cooperative_matrix_store %d, %A[%z,%four]
  }
}""",
        A=np.zeros((4, 8), np.float32),
    )["A"]
    np.testing.assert_array_equal(found, np.repeat([2.0, 1.0], 4)[None].repeat(4, axis=0))


def test_entries_of_a_work_item() -> None:
    """A matrix of 4 x 5 in a sub-group of 16: first come columns 0 to 3, then column 4 and zeros."""
    found = run(
        """
func @f(%A: memref<f32x4x5>, %V: memref<f32x16x2>, %B: memref<f32x4x5>) attributes{subgroup_size=16} {
  %z = constant 0 : index
  %one = constant 1 : index
  %seven = constant 7.0 : f32
  %a = cooperative_matrix_load %A[%z,%z] : coopmatrix<f32x4x5,matrix_acc>
  parallel {
    %l = subgroup_local_id : i32
    %p = cast %l : index
    %x = cooperative_matrix_extract %a[0] : f32
    %y = cooperative_matrix_extract %a[1] : f32
    store %x, %V[%p,%z]
    store %y, %V[%p,%one]
    %b = cooperative_matrix_insert %seven, %a[1] : coopmatrix<f32x4x5,matrix_acc>
    %w = cooperative_matrix_extract %b[1] : f32
    store %w, %V[%p,%one]
  }
}""",
        A=np.arange(20, dtype=np.float32).reshape(4, 5),
        V=np.full((16, 2), -1, np.float32),
        B=np.zeros((4, 5), np.float32),
    )["V"]
    entries = np.arange(20, dtype=np.float32).reshape(4, 5)
    np.testing.assert_array_equal(found[:, 0], entries[:, :4].reshape(-1, order="F"))
    np.testing.assert_array_equal(found[:, 1], [7.0] * 4 + [0.0] * 12)


ARGUMENTS = "%x: f32, %h: f64, %A: memref<f32x64x64>, %v: memref<f32x64>, %D: memref<f64x64x64>"
HEAD = """
  %z = constant 0 : index
  %a = constant 1.0 : coopmatrix<f32x16x4,matrix_a>
  %b = constant 1.0 : coopmatrix<f32x4x8,matrix_b>
  %c = constant 1.0 : coopmatrix<f32x16x8,matrix_acc>
  %e = constant 1.0 : coopmatrix<f32x8x8,matrix_acc>
"""


RULES = """\
%d = $mload %v[%z] : $a
    `$mload` takes a place in a matrix, as `%A[%x, %y]`
%d = $mload %v[%z,%z] : $a
    `$mload` is of a memref of rank 2
%d = $mload %D[%z,%z] : $a
    a memref of f64 has no entries of $a
%d = $mload.checked %A[%z,%z] : $a
    `$mload.checked` has a flag that is none, or too many
$mstore %a, %D[%z,%z]
    a memref of f64 has no entries of $a
%d = $mmul_add %b, %a, %c : $c
    a product is of a matrix_a, a matrix_b and a matrix_acc, and is a matrix_acc
%d = $mmul_add %a, %b, %e : $e
    $a times $b plus $e is no $e
%d = $mscale %h, %c : $c
    `%h` is of type `f64`, but is used as `f32`
%d = $mconstruct %h : $c
    a $c is made of a number of f32
%d = add %a, %c : $c
    `add` of $a is no $c
%d = cast %a : coopmatrix<f32x16x4,matrix_b>
    `cast` of $a is no coopmatrix<f32x16x4,matrix_b>
%d = $mreduce_add.row %c : coopmatrix<f32x1x8,matrix_acc>
    `$mreduce_add.row` of $c is no coopmatrix<f32x1x8,matrix_acc>
%d = $mreduce_add.row %e : coopmatrix<f32x8x1,matrix_acc>
    8 rows are no multiple of the sub-group size, 16
parallel { %d = $mextract %c[8] : f32 }
    a work-item has entries 0 to 7 of $c
parallel { %d = $mextract %c[0] : f64 }
    an entry of $c is of f32
%d = $mextract %c[0] : f32
    `$mextract` stands in a region of work-items
parallel { %l = subgroup_local_id : i32 %d = neg %c : $c }
    `neg` stands where work-items do different things
%d = $matomic_add %a, %A[%z,%z] : $a
    `$matomic_add` of Tiny Tensor Compiler 0.4 has no counterpart here
%d = $mapply (%i,%j,%w)=%c -> $c { %s = exp %w : f32 }
    the region of `$mapply` ends with `yield` of one value
%d = $mapply (%i,%j,%w)=%c -> $c { yield (%h) }
    `%h` is of type `f64`, but is stored to a memref of `f32`
%d = $mturn %c : $c
    there is no instruction `$mturn`
%d = add %x, %c : f32
    `add` takes a number here
"""
"""An instruction, and what is said about it; `$a` and so on are the types of the matrices, `$m` begins their words."""
NAMES = {
    "$a": "coopmatrix<f32x16x4,matrix_a>",
    "$b": "coopmatrix<f32x4x8,matrix_b>",
    "$c": "coopmatrix<f32x16x8,matrix_acc>",
    "$e": "coopmatrix<f32x8x8,matrix_acc>",
    "$m": "cooperative_matrix_",
}


@pytest.mark.parametrize("rule", RULES.replace("\n    ", "|").splitlines())
def test_rules_of_the_manual(rule: str) -> None:
    for mark, name in NAMES.items():
        rule = rule.replace(mark, name)
    said, message = rule.split("|")
    with pytest.raises(CompileError) as error:
        check(parse(Source("t.tl", f"func @f({ARGUMENTS}) attributes{{subgroup_size=16}} {{ {HEAD} {said} }}")))
    assert [each.message for each in error.value.diagnostics] == [message]
    assert error.value.diagnostics[0].labels[0].span.text in said
