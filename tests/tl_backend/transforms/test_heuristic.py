"""The recipe that is written where elements are neighbours."""

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import statements
from einsum_front.tl_backend.loops.nodes import Update, walk
from einsum_front.tl_backend.loops.parse import parse
from einsum_front.tl_backend.loops.unparse import unparse
from einsum_front.tl_backend.schedules.choice import is_possible, schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms.heuristic import Writer
from einsum_front.tl_backend.transforms.recipe import Line, Recipe
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.transforms import walks

PRODUCT = """loops product {
  tensor A: f64 13x13 strides 1,13 batch fastest
  tensor B: f64 13x13 strides 1,13 batch fastest
  tensor C: f64 13x13 strides 1,13 batch fastest
  for e in elements {
SET    for i2 in 13 {
      for j2 in 13 {
        for k in 13 {
          C[i2, j2; e] += A[i2, k; e] * B[k, j2; e]
        }
      }
    }
  }
}
"""
SET = "    for i in 13 {\n      for j in 13 {\n        C[i, j; e] = 0.0\n      }\n    }\n"


@pytest.mark.parametrize("before", [SET, ""])
def test_sums_of_a_column_are_inside_of_the_loop_over_what_is_summed(before: str) -> None:
    """Each has a register, and one does not wait for another. Rows may be shared with what sets the target."""
    writer = Writer("product", parse(Source("product.loops", PRODUCT.replace("SET", before))), 32)
    writer.write(8)
    lines = [line.strip() for line in unparse(writer.loops).splitlines()]
    assert lines[lines.index("for k in 13 {") + 1] == "for i2 in 13 unrolled {"


def test_rows_that_fit_into_registers_come_there_one_after_the_other() -> None:
    """A loop over them needs registers by number: LLVM keeps the array in memory then, and takes four times as long."""
    recipe = Recipe("rows", (Line("interleave e by 4"), Line("stage A, C")))
    kernel = schedule(walks.functions()["rows"], walks.TARGET, Tuning(ScheduleKind.LOOPS, recipe=recipe)).lower()
    assert "A_regs" in repr(kernel.file)
    every = statements(kernel.file.functions[-1].body)
    assert [each.over for each in every if isinstance(each, tree.For) and str(each.over).startswith("entries of")] == []


def test_split_rows_share_the_loop_of_what_sets_the_target() -> None:
    """Sums begin in registers then. Else the target is set to zero in memory, loaded again and added to."""
    text = PRODUCT.replace("SET", SET).replace("13x13 strides 1,13", "40x40 strides 1,40").replace("13", "40")
    writer = Writer("product", parse(Source("product.loops", text)), 32)
    writer.write(8)
    assert any(line.text.startswith("split i by") for line in writer.recipe.lines)
    assert "stage C fill nothing write set" in unparse(writer.loops)


@pytest.mark.parametrize(("elements", "asks"), [(None, True), (4096, True), (40, False)])
def test_rows_are_asked_for_ahead_where_elements_are_many(elements: int | None, asks: bool) -> None:
    writer = Writer("product", parse(Source("product.loops", PRODUCT.replace("SET", SET))), 32)
    writer.write(8, elements)
    assert any(line.text.startswith("prefetch") for line in writer.recipe.lines) is asks


FUNCTIONS = """loops functions {
  tensor x: f64 13x2 strides 1,13 batch fastest
  tensor y: f64 13x2 strides 1,13 batch fastest
  for e in elements {
    for i in 13 {
      for j in 2 {
        y[i, j; e] = max(x[i, j; e], 0.0)
      }
    }
    for i2 in 13 {
      for j2 in 2 {
        x[i2, j2; e] = y[i2, j2; e] * y[i2, j2; e]
      }
    }
  }
}
"""


def test_rows_that_are_computed_by_themselves_are_done_one_after_the_other() -> None:
    writer = Writer("functions", parse(Source("functions.loops", FUNCTIONS)), 32)
    writer.write(4)
    assert [line.text for line in writer.recipe.lines] == ["interleave e by 4", "sink e_o"]
    assert [len(list(around)) for node, around in walk(writer.loops.body) if isinstance(node, Update)] == [4, 4]


def operator(different: int, rows: int = 90) -> str:
    """A product of a constant, a third of which are so many different numbers, and elements in rows."""
    entries = range(rows * 50 // 3)
    numbers = " ".join(f"{3 * place}:{1.5 + place % different}" for place in entries)
    zeros = " ".join(f"{3 * place}:{3 * place + 1}" for place in entries)
    return f"""loops operator {{
  tensor K: f64 {rows}x50 strides 1,{rows} nonzeros {zeros} values {numbers}
  tensor B: f64 50 strides 1 batch fastest
  tensor C: f64 {rows} strides 1 batch fastest
  for e in elements {{
    SETfor i in {rows} {{
      for k in 50 {{
        C[i; e] += K[i, k] * B[k; e]
      }}
    }}
  }}
}}
"""


@pytest.mark.parametrize(("different", "is_written_out"), [(4, True), (2500, False)])
def test_numbers_are_written_out_where_few_are_different(different: int, is_written_out: bool) -> None:
    """Numbers in the code are loaded from memory: many of them take the caches from the operands."""
    text = operator(different, 150).replace("SET", "")
    writer = Writer("operator", parse(Source("operator.loops", text)), 32)
    writer.write(4)
    lines = [line.text for line in writer.recipe.lines]
    assert ("literals K" in lines) is is_written_out
    assert ("compress k of K" in lines) is not is_written_out


@pytest.mark.parametrize(
    ("different", "elements", "is_grouped"), [(100, 40, True), (100, None, False), (100, 1000, False), (20, 40, False)]
)
def test_rows_of_short_blocks_are_done_in_groups(different: int, elements: int | None, *, is_grouped: bool) -> None:
    """The numbers of a group fit into registers, but not those of all rows."""
    text = operator(different).replace("SET", "for z in 90 {\n      C[z; e] = 0.0\n    }\n    ")
    writer = Writer("operator", parse(Source("operator.loops", text)), 32)
    writer.write(8, elements)
    lines = [line.text for line in writer.recipe.lines]
    assert ("split z by 15" in lines) is is_grouped
    assert ("sink e_o" in lines) is is_grouped
    assert "literals K" in lines
    assert "stream C above 32" in lines


APART = """;! batched %a 0
;! batched %b 0
func @f(%a: memref<f64x?>, %b: memref<f64x?x4>, %s: f64) {
  %id = group_id
  %a_item = subview %a[%id] : memref<f64x?>
  %b_item = subview %b[%id, :] : memref<f64x?x4>
  %inverse = arith.div 1.0, %s : f64
  foreach %once = 0, 1 {
    store %inverse, %a_item[] : memref<f64>
  }
  axpby.n 2.0, %b_item, 0.0, %b_item : f64, memref<f64x4,strided<?>>, f64, memref<f64x4,strided<?>>
}
"""


def test_lanes_do_not_compute_what_lies_apart_without_a_stage() -> None:
    """That has no code: another schedule is taken, whether a product is written or a function of entries."""
    function = function_of(APART, (1, 1))
    assert is_possible(function, walks.TARGET, Tuning(ScheduleKind.WORK_GROUP))
    assert not is_possible(function, walks.TARGET, Tuning(ScheduleKind.LOOPS))
