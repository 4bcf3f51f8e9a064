"""Which functions keep one element for each work-group, and the words that say why."""

from dataclasses import replace

import pytest

from einsum_front.tl_backend import candidates
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import analyse, choose, is_possible
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.opencl.harness import function_of

HEAD = """func @f(%A: memref<f64x4x4>, %Q: memref<f64x4x4x?>, %P: group<memref<f64x4x4>>, %n: index) {
  %id = group_id
  %q = subview %Q[:, :, %id] : memref<f64x4x4x?>
  %p = load %P[%id] : group<memref<f64x4x4>>
  %x = load %q[0, 0] : memref<f64x4x4>
"""
MATRICES = "f64, memref<f64x4x4>, memref<f64x4x4>, f64, memref<f64x4x4>"

REASONS = [
    ("%v = subview %q[%n, :] : memref<f64x4x4>", "an index is not known when compiling"),
    ("%v = subview %q[0:%n, 0] : memref<f64x4x4>", "an index is not known when compiling"),
    ("for %i = 0, %n { }", "an index is not known when compiling"),
    ("for %i = 0, 4 { for %j = 0, %i { } }", "the bounds of the loop over `%j` are not constant"),
    ("for %i = 0, 300 { for %j = 0, 300 { } }", "its loops have more than 65536 iterations"),
    (
        "%next = arith.add %id, 1 : index\n  %v = subview %Q[:, :, %next] : memref<f64x4x4x?>",
        "`%Q` is not indexed by the group id alone",
    ),
    (
        "%v = subview %Q[:, 0, 0] : memref<f64x4x4x?>",
        "`%Q` is not indexed by the group id alone",
    ),
    (
        "%y = cast %id : index -> f64",
        "the number of the work-group is used for more than taking elements",
    ),
    (
        "%c = cmp.lt %n, 3 : index\n  for %i = 0, 9 { if %c { %v = load %q[0, %i] : memref<f64x4x4> } }",
        "`%q` leaves its memory in some iteration",
    ),
    (
        "%c = cmp.lt %n, 3 : index\n  if %c { for %i = -1, 3 { %v = subview %q[%i, :] : memref<f64x4x4> } }",
        "`%v` leaves its memory in some iteration",
    ),
    (f"gemm.n.n 1.0, %q, %p, 0.0, %A : {MATRICES}", "all elements write into `%A`"),
    (
        f"gemm.n.n.atomic 1.0, %A, %q, 1.0, %p : {MATRICES}",
        "it updates memory atomically, which elements may share",
    ),
    ("%c = cmp.lt %x, 0.0 : f64", "it compares what differs from element to element"),
    ("%y = cast %x : f64 -> i32", "it converts what differs from element to element"),
    ("%y = arith.rem %x, 2.0 : f64", "it takes remainders of what differs from element to element"),
    ("%m = alloca -> memref<f32x4>", "it mixes `f32` and `f64`"),
]


@pytest.mark.parametrize(("body", "reason"), REASONS, ids=[body.split(":")[0] for body, _ in REASONS])
def test_reasons(body: str, reason: str) -> None:
    assert analyse(function_of(f"{HEAD}  {body}\n}}"), DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)) == Reason(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("func @f(%A: memref<f64x4>) { }", "no argument is one for each element"),
        (
            "func @f(%Q: memref<i32x4x?>) {\n %id = group_id\n %q = subview %Q[:, %id] : memref<i32x4x?>\n}",
            "it computes with integers",
        ),
        (
            "func @f(%Q: memref<f64x?x?>) {\n %id = group_id\n %q = subview %Q[:, %id] : memref<f64x?x?>\n}",
            "`%Q` has sizes or strides that are known only at run time",
        ),
        (
            "func @f(%Q: memref<f64x900x900x?>, %K: memref<f64x900x900>) {\n %id = group_id\n"
            " %q = subview %Q[:, :, %id] : memref<f64x900x900x?>\n %t = alloca -> memref<f64x900x900>\n"
            " gemm.n.n 1.0, %K, %q, 0.0, %t"
            " : f64, memref<f64x900x900>, memref<f64x900x900>, f64, memref<f64x900x900>\n}",
            "a product is too large for the registers of one work-item",
        ),
    ],
)
def test_reasons_of_whole_functions(text: str, reason: str) -> None:
    assert analyse(function_of(text), DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)) == Reason(reason)


ADD = """func @add(%A: memref<f64x4>, %Q: memref<f64x4x?>) {
  %id = group_id
  %q = subview %Q[:, %id] : memref<f64x4x?>
  axpby.n 1.0, %A, 1.0, %q : f64, memref<f64x4>, f64, memref<f64x4>
}"""


def test_a_work_group_of_its_own() -> None:
    choice = choose(function_of(ADD, (16, 1)), DEFAULT)
    assert choice.reason == "no batch vectorization: the function asks for work-groups of its own"


PRODUCT = """;! nonzeros %K 0:{nonzeros}
func @product(%K: memref<f64x8x8>, %Q: memref<f64x8x8x?>, %T: memref<f64x8x8x?>) {{
  %id = group_id
  %q = subview %Q[:, :, %id] : memref<f64x8x8x?>
  %t = subview %T[:, :, %id] : memref<f64x8x8x?>
  gemm.n.n 1.0, %K, %q, 0.0, %t : f64, memref<f64x8x8>, memref<f64x8x8>, f64, memref<f64x8x8>
}}"""


@pytest.mark.parametrize(
    ("nonzeros", "kind", "reason"),
    [
        (
            64,
            ScheduleKind.WORK_GROUP,
            "512 multiplications, otherwise 512 multiplications and 128 entries to transpose",
        ),
        (
            8,
            ScheduleKind.WORK_GROUP,
            "512 multiplications, otherwise 64 multiplications and 72 entries to transpose",
        ),
    ],
)
def test_zeros_must_make_up_for_transposing(nonzeros: int, kind: ScheduleKind, reason: str) -> None:
    choice = choose(function_of(PRODUCT.format(nonzeros=nonzeros)), DEFAULT)
    assert (choice.kind, choice.reason) == (kind, reason)


def test_elements_that_do_not_fit_into_a_cache() -> None:
    """They would be on the stack of a thread: nobody gets that, the model as little as who asks for it or measures."""
    large = function_of(ADD.replace("f64x4", "f64x40000"))
    need = "the elements in the lanes would need 1250 KiB"
    assert choose(large, DEFAULT).reason == f"no batch vectorization: {need}"
    for tuning in (each for each in candidates(large, DEFAULT) if each.kind is ScheduleKind.BATCH_SIMD):
        assert analyse(large, DEFAULT, tuning) == Reason(need)


def test_a_device_that_is_no_cpu() -> None:
    target = replace(DEFAULT, name="a GPU", is_cpu=False)
    small = choose(function_of(ADD), target)
    assert (small.kind, small.reason) == (ScheduleKind.BATCH_SIMD, "the registers of a work-item hold an element")
    assert choose(function_of(ADD.replace("f64x4", "f64x400")), target).reason == "a GPU is no CPU"
    assert is_possible(function_of(ADD), target, Tuning(ScheduleKind.BATCH_SIMD))


def test_work_items_of_a_gpu_have_room_for_small_elements() -> None:
    target = replace(DEFAULT, name="a GPU", is_cpu=False, private_memory=16 * 1024)
    most, more = (
        analyse(function_of(ADD.replace("f64x4", f"f64x{n}")), target, Tuning(ScheduleKind.BATCH_SIMD))
        for n in (2048, 2049)
    )
    assert not isinstance(most, Reason)
    assert more == Reason("an element needs 16392 bytes, a work-item has 16384")


def test_the_choice_stands_in_the_source() -> None:
    def first_line(kind: ScheduleKind | None) -> str:
        return emit(function_of(ADD), DEFAULT, None if kind is None else Tuning(kind)).source.split("\n")[0]

    reason = "4 multiplications and 4 entries to transpose, otherwise 4 multiplications"
    assert first_line(None) == f"// schedule `batch_simd`: {reason}"
    assert first_line(ScheduleKind.BATCH_SIMD) == "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"
    assert first_line(ScheduleKind.WORK_GROUP) == "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"
