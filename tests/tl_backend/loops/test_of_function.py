"""Functions of the tensor language as loops."""

from pathlib import Path

from einsum_front.core.diagnostics import Source
from einsum_front.driver import ready
from einsum_front.tl_backend.loops.nodes import Apply, Number, Product, updates
from einsum_front.tl_backend.loops.of_function import loops_of
from einsum_front.tl_backend.loops.parse import parse as parse_loops
from einsum_front.tl_backend.loops.unparse import unparse
from einsum_front.tl_backend.loops.verify import verify
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.transforms import walks


def powers(count: int) -> Product | Apply:
    """What sets an entry to another one that is squared so often."""
    squares = "".join(f"    %x{n + 1} = arith.mul %x{n}, %x{n} : f64\n" for n in range(count))
    text = (
        ";! batched %A\nfunc @f(%A: memref<f64x4x?>) {\n  %g = group_id\n  %a = subview %A[:, %g] : memref<f64x4x?>\n"
        "  foreach %i = 0, 4 {\n    %x0 = load %a[%i] : memref<f64x4>\n"
        f"{squares}    store %x{count}, %a[%i] : memref<f64x4>\n  }}\n}}\n"
    )
    (function,) = parse(Source("powers.tl", text)).functions
    (update,) = updates(loops_of(ready(function, walks.TARGET, Tuning(ScheduleKind.LOOPS))).body)
    return update


def test_a_few_factors_are_a_product() -> None:
    update = powers(2)
    assert isinstance(update, Product)
    assert len(update.factors) == 4


def test_values_that_are_squared_again_and_again_stay_values() -> None:
    """As factors of one product they would be 2 ** 40."""
    update = powers(40)
    assert isinstance(update, Apply)
    assert len(update.calls) == 40


def test_a_tensor_is_filled_with_a_number() -> None:
    (update,) = updates(walks.start("filled").body)
    assert isinstance(update, Product)
    assert update.factors == (Number(0.5),)


def test_a_temporary_of_a_loop_has_entries_for_each_iteration() -> None:
    """Else it would be set again in each, and no step would be legal."""
    loops = walks.start("inside")
    (temporary,) = (each for each in loops.tensors if each.is_temporary)
    assert temporary.shape == (4, 3)
    assert verify(loops) == ()


def test_a_kernel_whose_temporary_would_be_large_has_another_schedule() -> None:
    text = Path(walks.KERNELS).read_text(encoding="utf-8")
    inside = text[text.index(";! batched %A\n;! batched %z") :]
    large = inside.replace("f64x4", "f64x2000").replace("batched %A", "batched %A 0")
    large = large.replace("f64x2000x3x?", "f64x?x2000x3").replace("[:, %i, %g]", "[%g, :, %i]")
    strided = "memref<f64x2000,strided<?>>"
    large = large.replace("0, %a, %x, 0.0, %t : f64, memref<f64x2000>", f"0, %a, %x, 0.0, %t : f64, {strided}")
    function, *_ = parse(Source("large.tl", large)).functions
    chosen = choose(ready(function, walks.TARGET, None), walks.TARGET)
    assert chosen.kind is ScheduleKind.WORK_GROUP
    assert "is set for each i again" in str(chosen.rivals[ScheduleKind.LOOPS])


STORED = """
;! batched %A 0
;! batched %C 0
func @f(%A: memref<f32x?x4>, %C: memref<f16x?x4>) {
  %g = group_id
  %a = subview %A[%g, :] : memref<f32x?x4>
  %c = subview %C[%g, :] : memref<f16x?x4>
  %a_wide = alloca -> memref<f64x4>
  %c_wide = alloca -> memref<f64x4>
  axpby.n 1.0, %a, 0.0, %a_wide : f64, memref<f32x4,strided<?>>, f64, memref<f64x4>
  axpby.n 2.0, %a_wide, 0.0, %c_wide : f64, memref<f64x4>, f64, memref<f64x4>
  axpby.n 3.0, %a_wide, 1.0, %c_wide : f64, memref<f64x4>, f64, memref<f64x4>
  axpby.n 1.0, %c_wide, 0.0, %c : f64, memref<f64x4>, f64, memref<f16x4,strided<?>>
}
"""


def test_a_copy_that_converts_is_kept_of_what_is_written_only() -> None:
    """What is read is converted where it is used; what is written is rounded once."""
    (function,) = parse(Source("stored.tl", STORED)).functions
    loops = loops_of(ready(function, walks.TARGET, Tuning(ScheduleKind.LOOPS)))
    kept = {each.name: (each.element.value, each.memory and each.memory.value) for each in loops.tensors}
    assert kept == {"A": ("f64", "f32"), "C": ("f64", "f16"), "c_wide": ("f64", None)}
    assert [each.accesses[1].tensor for each in updates(loops.body)] == ["A", "A", "c_wide"]
    assert parse_loops(Source("f.loops", unparse(loops))) == loops
