"""What the lowering chooses: which modes stay in an instruction, which are looped over, how batches are taken."""

from textwrap import dedent

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.core.facts import Modes, Nonzeros, Values
from einsum_front.ir.emit_tensor_language import emit
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.verify import check
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Batched
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.unparse import unparse


def read(text: str) -> yir.Program:
    program = parse(Source("test.yir", text))
    check(program)
    return program


def lowered_body(arguments: str, line: str) -> str:
    text = unparse(emit(read(f"define @f({arguments}) {{\n{line}\n}}")))
    return dedent(text[text.index("{\n") + 2 : text.rindex("}")])


SAMPLE = """
define @fused_kernel(%A: group<memref<f32x16x8>,pointers>,
                     %B: memref<f32x8x8>,
                     %C: memref<f32x8x16>,
                     %D: group<memref<f32x16x16>,distance<256>>) {
  %0 = get_work_item %A : group<memref<f32x16x8>,pointers>
  %1 = get_work_item %D : group<memref<f32x16x16>,distance<256>>
  %tmp0 = alloca : memref<f32x16x8>
  log {ik, kj to ij} 1.0, %0, %B, 0.0, %tmp0
     : memref<f32x16x8>, memref<f32x8x8> to memref<f32x16x8>
  log {ik, kj to ij} 5.0, %tmp0, %C, 1.0, %1
     : memref<f32x16x8>, memref<f32x8x16> to memref<f32x16x16>
  lifetime_stop %tmp0
}
"""

LOWERED_SAMPLE = """\
;! batched %D
func @fused_kernel(%A: group<memref<f32x16x8>>, %B: memref<f32x8x8>, %C: memref<f32x8x16>, %D: memref<f32x16x16x?>) {
  %group = group_id
  %0 = load %A[%group] : group<memref<f32x16x8>>
  %1 = subview %D[:, :, %group] : memref<f32x16x16x?>
  %tmp0 = alloca -> memref<f32x16x8>
  gemm.n.n 1.0, %0, %B, 0.0, %tmp0 : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
  gemm.n.n 5.0, %tmp0, %C, 1.0, %1 : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
  lifetime_stop %tmp0
}
"""


def test_the_sample_of_the_draft() -> None:
    assert unparse(emit(read(SAMPLE))) == LOWERED_SAMPLE


def test_instructions_know_their_place_in_the_text() -> None:
    source = Source("sample.yir", SAMPLE)
    (function,) = emit(parse(source)).functions
    gemm = next(instruction for instruction in walk(function.body) if isinstance(instruction, tl.Gemm))
    assert gemm.origin[0].text.startswith("log {ik, kj to ij} 1.0")
    assert all(instruction.origin for instruction in walk(function.body))


def test_facts_go_with_the_function() -> None:
    text = """;! modes %A 1 0
              ;! nonzeros %B 0:3
              ;! values %B 0.5 2:1.5
              define @f(%A: group<memref<f64x4x4>,distance<20>>, %B: memref<f64x4>) {}"""
    (function,) = emit(read(text)).functions
    assert function.facts == (
        Batched("A"),
        Modes("A", (1, 0)),
        Nonzeros("B", ((0, 3),)),
        Values("B", ((0, 0.5), (2, 1.5))),
    )


# -- log ---------------------------------------------------------------------------------------------------------------

MATRICES = "%A: memref<f64x{}>, %B: memref<f64x{}>, %C: memref<f64x{}>"


@pytest.mark.parametrize(
    ("map_", "shapes", "instruction"),
    [
        ("{ik, kj to ij}", ("4x5", "5x6", "4x6"), "gemm.n.n 2.0, %A, %B, 0.5, %C"),
        ("{ki, kj to ij}", ("5x4", "5x6", "4x6"), "gemm.t.n 2.0, %A, %B, 0.5, %C"),
        ("{ik, jk to ij}", ("4x5", "6x5", "4x6"), "gemm.n.t 2.0, %A, %B, 0.5, %C"),
        ("{ki, jk to ij}", ("5x4", "6x5", "4x6"), "gemm.t.t 2.0, %A, %B, 0.5, %C"),
        ("{ik, kj to ji}", ("4x5", "5x6", "6x4"), "gemm.t.t 2.0, %B, %A, 0.5, %C"),
        ("{ki, jk to ji}", ("5x4", "6x5", "6x4"), "gemm.n.n 2.0, %B, %A, 0.5, %C"),
        ("{ik, k to i}", ("4x5", "5", "4"), "gemv.n 2.0, %A, %B, 0.5, %C"),
        ("{ki, k to i}", ("5x4", "5", "4"), "gemv.t 2.0, %A, %B, 0.5, %C"),
        ("{k, kj to j}", ("5", "5x6", "6"), "gemv.t 2.0, %B, %A, 0.5, %C"),
        ("{i, j to ij}", ("4", "6", "4x6"), "ger 2.0, %A, %B, 0.5, %C"),
        ("{i, j to ji}", ("4", "6", "6x4"), "ger 2.0, %B, %A, 0.5, %C"),
    ],
)
def test_a_matrix_product_is_one_instruction(map_: str, shapes: tuple[str, ...], instruction: str) -> None:
    a, b, c = (f"memref<f64x{shape}>" for shape in shapes)
    line = f"log {map_} 2.0, %A, %B, 0.5, %C : {a}, {b} to {c}"
    (written,) = lowered_body(MATRICES.format(*shapes), line).splitlines()
    assert written.split(" : ")[0] == instruction


CASES = {
    "a group is fused, a loop takes a position, and the loop over rows and columns stands outside": (
        "%A: memref<f64x4x3x5>, %B: memref<f64x5x2x6>, %C: memref<f64x4x2x6x3>",
        "log {i[k]m, m(jn) to i(jn)[k]} 1.0, %A, %B, 0.0, %C"
        " : memref<f64x4x3x5>, memref<f64x5x2x6> to memref<f64x4x2x6x3>",
        """\
        for %k = 0, 3 {
          %B_fused = fuse %B[1,2] : memref<f64x5x2x6>
          %C_view = subview %C[:, :, :, %k] : memref<f64x4x2x6x3>
          %C_view_fused = fuse %C_view[1,2] : memref<f64x4x2x6>
          %A_view = subview %A[:, %k, :] : memref<f64x4x3x5>
          gemm.n.n 1.0, %A_view, %B_fused, 0.0, %C_view_fused
              : f64, memref<f64x4x5,strided<1,12>>, memref<f64x5x12>, f64, memref<f64x4x12>
        }
        """,
    ),
    "a contracted loop applies beta to its first iteration only": (
        "%A: memref<f64x4x3x5>, %B: memref<f64x3x5x6>, %C: memref<f64x4x6>, %b: f64",
        "log {i[k]m, [k]mj to ij} 1.0, %A, %B, %b, %C : memref<f64x4x3x5>, memref<f64x3x5x6> to memref<f64x4x6>",
        """\
        %A_view = subview %A[:, 0, :] : memref<f64x4x3x5>
        %B_view = subview %B[0, :, :] : memref<f64x3x5x6>
        gemm.n.n 1.0, %A_view, %B_view, %b, %C
            : f64, memref<f64x4x5,strided<1,12>>, memref<f64x5x6,strided<3,15>>, f64, memref<f64x4x6>
        for %k = 1, 3 {
          %A_view_1 = subview %A[:, %k, :] : memref<f64x4x3x5>
          %B_view_1 = subview %B[%k, :, :] : memref<f64x3x5x6>
          gemm.n.n 1.0, %A_view_1, %B_view_1, 1.0, %C
              : f64, memref<f64x4x5,strided<1,12>>, memref<f64x5x6,strided<3,15>>, f64, memref<f64x4x6>
        }
        """,
    ),
    "with beta = 1 there is nothing to peel, and a loop over one position is none": (
        "%A: memref<f64x4x3x5x1>, %B: memref<f64x3x5x6>, %C: memref<f64x4x6x1>",
        "log {i[k]m[x], [k]mj to ij[x]} 1.0, %A, %B, 1.0, %C"
        " : memref<f64x4x3x5x1>, memref<f64x3x5x6> to memref<f64x4x6x1>",
        """\
        for %k = 0, 3 {
          %A_view = subview %A[:, %k, :, 0] : memref<f64x4x3x5x1>
          %B_view = subview %B[%k, :, :] : memref<f64x3x5x6>
          %C_view = subview %C[:, :, 0] : memref<f64x4x6x1>
          gemm.n.n 1.0, %A_view, %B_view, 1.0, %C_view
              : f64, memref<f64x4x5,strided<1,12>>, memref<f64x5x6,strided<3,15>>, f64, memref<f64x4x6>
        }
        """,
    ),
    "a dot product goes through a temporary": (
        "%a: memref<f64x5>, %b: memref<f64x5>, %c: memref<f64>",
        "log {k, k to _} 2.0, %a, %b, 0.5, %c : memref<f64x5>, memref<f64x5> to memref<f64>",
        """\
        %products = alloca -> memref<f64x5>
        hadamard_product 1.0, %a, %b, 0.0, %products : f64, memref<f64x5>, memref<f64x5>, f64, memref<f64x5>
        sum.n 2.0, %products, 0.5, %c : f64, memref<f64x5>, f64, memref<f64>
        """,
    ),
    "a product of single entries is stored by one work-item": (
        "%a: memref<f64>, %b: memref<f64>, %c: memref<f64>, %x: f64",
        "log {_, _ to _} 2.0, %a, %b, %x, %c : memref<f64>, memref<f64> to memref<f64>",
        """\
        foreach %once = 0, 1 {
          %a_entry = load %a[] : memref<f64>
          %product = arith.mul 2.0, %a_entry : f64
          %b_entry = load %b[] : memref<f64>
          %product_1 = arith.mul %product, %b_entry : f64
          %is_zero = cmp.eq %x, 0.0 : f64
          %chosen = if %is_zero -> (f64) {
            yield %product_1 : f64
          } else {
            %c_entry = load %c[] : memref<f64>
            %product_2 = arith.mul %x, %c_entry : f64
            %updated = arith.add %product_1, %product_2 : f64
            yield %updated : f64
          }
          store %chosen, %c[] : memref<f64>
        }
        """,
    ),
    # -- product -------------------------------------------------------------------------------------------------------
    "rows are scaled by an entry-wise product along the fastest mode": (
        "%a: memref<f64x4>, %B: memref<f64x4x5>, %C: memref<f64x4x5>",
        "product {i, ij to ij} 1.0, %a, %B, 0.0, %C : memref<f64x4>, memref<f64x4x5> to memref<f64x4x5>",
        """\
        for %j = 0, 5 {
          %B_view = subview %B[:, %j] : memref<f64x4x5>
          %C_view = subview %C[:, %j] : memref<f64x4x5>
          hadamard_product 1.0, %a, %B_view, 0.0, %C_view : f64, memref<f64x4>, memref<f64x4>, f64, memref<f64x4>
        }
        """,
    ),
    "columns are scaled by a number each, modes that stay together are one": (
        "%A: memref<f64x4x2x5>, %b: memref<f64x5>, %C: memref<f64x4x2x5>",
        "product {ijk, k to ijk} 1.0, %A, %b, 0.0, %C : memref<f64x4x2x5>, memref<f64x5> to memref<f64x4x2x5>",
        """\
        %C_fused = fuse %C[0,1] : memref<f64x4x2x5>
        %A_fused = fuse %A[0,1] : memref<f64x4x2x5>
        for %k = 0, 5 {
          %b_entry = load %b[%k] : memref<f64x5>
          %A_fused_view = subview %A_fused[:, %k] : memref<f64x8x5>
          %C_fused_view = subview %C_fused[:, %k] : memref<f64x8x5>
          axpby.n %b_entry, %A_fused_view, 0.0, %C_fused_view : f64, memref<f64x8>, f64, memref<f64x8>
        }
        """,
    ),
    "an outer product of tensors is one ger": (
        "%A: memref<f64x4x2>, %b: memref<f64x5>, %C: memref<f64x5x4x2>",
        "product {ij, k to kij} 1.0, %A, %b, 0.0, %C : memref<f64x4x2>, memref<f64x5> to memref<f64x5x4x2>",
        """\
        %C_fused = fuse %C[1,2] : memref<f64x5x4x2>
        %A_fused = fuse %A[0,1] : memref<f64x4x2>
        ger 1.0, %b, %A_fused, 0.0, %C_fused : f64, memref<f64x5>, memref<f64x8>, f64, memref<f64x5x8>
        """,
    ),
    # -- sum -----------------------------------------------------------------------------------------------------------
    "row sums are taken of matrices; other summed modes accumulate": (
        "%A: memref<f64x4x2x5>, %b: memref<f64x2>",
        "sum {ijk to j} 1.0, %A, 0.0, %b : memref<f64x4x2x5> to memref<f64x2>",
        """\
        %A_view = subview %A[:, :, 0] : memref<f64x4x2x5>
        sum.t 1.0, %A_view, 0.0, %b : f64, memref<f64x4x2>, f64, memref<f64x2>
        for %k = 1, 5 {
          %A_view_1 = subview %A[:, :, %k] : memref<f64x4x2x5>
          sum.t 1.0, %A_view_1, 1.0, %b : f64, memref<f64x4x2>, f64, memref<f64x2>
        }
        """,
    ),
    "the sum of all entries is the sum of one vector": (
        "%A: memref<f64x4x2x5>, %b: memref<f64>",
        "sum {ijk to _} 1.0, %A, 1.0, %b : memref<f64x4x2x5> to memref<f64>",
        """\
        %A_fused = fuse %A[0,2] : memref<f64x4x2x5>
        sum.n 1.0, %A_fused, 1.0, %b : f64, memref<f64x40>, f64, memref<f64>
        """,
    ),
    # -- axpby, broadcast, fill ----------------------------------------------------------------------------------------
    "a copy of a packed tensor is one vector": (
        "%A: memref<f64x4x2x5>, %B: memref<f64x4x2x5>",
        "axpby {ijk to ijk} 1.0, %A, %B : memref<f64x4x2x5> to memref<f64x4x2x5>",
        """\
        %A_fused = fuse %A[0,2] : memref<f64x4x2x5>
        %B_fused = fuse %B[0,2] : memref<f64x4x2x5>
        axpby.n 1.0, %A_fused, 0.0, %B_fused : f64, memref<f64x40>, f64, memref<f64x40>
        """,
    ),
    "a permutation transposes the fastest mode of either side": (
        "%A: memref<f64x4x2x5>, %B: memref<f64x5x2x4>",
        "axpby {ijk to kji} 1.0, %A, 1.0, %B : memref<f64x4x2x5> to memref<f64x5x2x4>",
        """\
        for %j = 0, 2 {
          %A_view = subview %A[:, %j, :] : memref<f64x4x2x5>
          %B_view = subview %B[:, %j, :] : memref<f64x5x2x4>
          axpby.t 1.0, %A_view, 1.0, %B_view : f64, memref<f64x4x5,strided<1,8>>, f64, memref<f64x5x4,strided<1,10>>
        }
        """,
    ),
    "an index of the target alone repeats a vector": (
        "%a: memref<f64x4>, %B: memref<f64x4x5>",
        "broadcast {i to ij} 1.0, %a, 1.0, %B : memref<f64x4> to memref<f64x4x5>",
        """\
        for %j = 0, 5 {
          %B_view = subview %B[:, %j] : memref<f64x4x5>
          axpby.n 1.0, %a, 1.0, %B_view : f64, memref<f64x4>, f64, memref<f64x4>
        }
        """,
    ),
    "where the source lacks the fastest mode of the target, work-items share that mode": (
        "%a: memref<f64x5>, %B: memref<f64x4x5>",
        "broadcast {j to ij} 1.0, %a, 0.0, %B : memref<f64x5> to memref<f64x4x5>",
        """\
        for %j = 0, 5 {
          foreach %i = 0, 4 {
            %a_entry = load %a[%j] : memref<f64x5>
            store %a_entry, %B[%i, %j] : memref<f64x4x5>
          }
        }
        """,
    ),
    "a diagonal is walked entry by entry": (
        "%a: memref<f64x4>, %B: memref<f64x4x4>",
        "broadcast {i to ii} 1.0, %a, 0.0, %B : memref<f64x4> to memref<f64x4x4>",
        """\
        foreach %i = 0, 4 {
          %a_entry = load %a[%i] : memref<f64x4>
          store %a_entry, %B[%i, %i] : memref<f64x4x4>
        }
        """,
    ),
    "strided memory is filled along its fastest mode": (
        "%B: memref<f64x4x5,strided<1,6>>",
        "fill 0.0, 0.0, %B : memref<f64x4x5,strided<1,6>>",
        """\
        for %i1 = 0, 5 {
          foreach %i0 = 0, 4 {
            %value = cast 0.0 : f64 -> f64
            store %value, %B[%i0, %i1] : memref<f64x4x5,strided<1,6>>
          }
        }
        """,
    ),
    # -- control, views, batches ---------------------------------------------------------------------------------------
    "integers become indices where they are used": (
        "%A: memref<f64x4x5>, %o: i32",
        """for u8 %i = 0 to 4 {
             %v = subview %A[u8 %i, 1:3] : memref<f64x4x5> to memref<f64x2,strided<4>>
             %w = subview %v[i32 %o] : memref<f64x2,strided<4>> to memref<f64>
             barrier
           }""",
        """\
        for %i = 0, 4 {
          %v = subview %A[%i, 1:2] : memref<f64x4x5>
          %o_index = cast %o : i32 -> index
          %w = subview %v[%o_index] : memref<f64x2,strided<4>>
          barrier
        }
        """,
    ),
    "a group at a distance that is taken with an offset is flat memory": (
        "%A: group<memref<f64x4x5>,distance<24>>, %o: i64",
        "%0 = get_work_item %A, i64 %o : group<memref<f64x4x5>,distance<24>>",
        """\
        %group = group_id
        %o_index = cast %o : i64 -> index
        %A_start = arith.mul %group, 24 : index
        %A_start_1 = arith.add %A_start, %o_index : index
        %A_flat = subview %A[%A_start_1:20] : memref<f64x?>
        %0 = expand %A_flat[0->4x5] : memref<f64x20>
        """,
    ),
    "so is what stands behind the pointers of a group": (
        "%A: group<memref<f64x4>,pointers>, %o: i64",
        """%0 = get_work_item %A, i64 %o : group<memref<f64x4>,pointers>
           %1 = get_work_item %A : group<memref<f64x4>,pointers>""",
        """\
        %group = group_id
        %o_index = cast %o : i64 -> index
        %A_memory = load %A[%group] : group<memref<f64x?>>
        %0 = subview %A_memory[%o_index:4] : memref<f64x?>
        %A_memory_1 = load %A[%group] : group<memref<f64x?>>
        %1 = subview %A_memory_1[0:4] : memref<f64x?>
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_lowering(name: str) -> None:
    arguments, line, expected = CASES[name]
    assert lowered_body(arguments, line) == dedent(expected)


def test_new_names_never_hide_a_name_of_the_text() -> None:
    arguments = "%A: memref<f64x4x3x5>, %A_view: memref<f64x5x3x4>, %j: f64"
    line = "axpby {ijk to kji} %j, %A, %A_view : memref<f64x4x3x5> to memref<f64x5x3x4>"
    first, second, *_ = lowered_body(arguments, line).splitlines()
    assert first == "for %j_1 = 0, 3 {"
    assert second == "  %A_view_1 = subview %A[:, %j_1, :] : memref<f64x4x3x5>"
