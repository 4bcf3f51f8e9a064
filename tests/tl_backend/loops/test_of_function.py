"""Functions of the tensor language as loops."""

from einsum_front.core.diagnostics import Source
from einsum_front.driver import ready
from einsum_front.tl_backend.loops.nodes import Apply, Product, updates
from einsum_front.tl_backend.loops.of_function import loops_of
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.transforms.walks import TARGET


def powers(count: int) -> Product | Apply:
    """What sets an entry to another one that is squared so often."""
    squares = "".join(f"    %x{n + 1} = arith.mul %x{n}, %x{n} : f64\n" for n in range(count))
    text = (
        ";! batched %A\nfunc @f(%A: memref<f64x4x?>) {\n  %g = group_id\n  %a = subview %A[:, %g] : memref<f64x4x?>\n"
        "  foreach %i = 0, 4 {\n    %x0 = load %a[%i] : memref<f64x4>\n"
        f"{squares}    store %x{count}, %a[%i] : memref<f64x4>\n  }}\n}}\n"
    )
    (function,) = parse(Source("powers.tl", text)).functions
    (update,) = updates(loops_of(ready(function, TARGET, Tuning(ScheduleKind.LOOPS))).body)
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
