"""The matrices of the next element are asked for, all of them and not much more, if they are large."""

import re
from dataclasses import replace

import pytest

from einsum_front.core.machines import ZEN5
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.register_blocks import choose_blocks, split
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import TARGET, compare, function_of, integers

GROUP = Tuning(ScheduleKind.WORK_GROUP)
SHALLOW = replace(DEFAULT, vector_bytes=64, vector_registers=32, machine=ZEN5)
LINE = 64


def product(m: int, n: int, k: int, left: str = "batched") -> Function:
    """A product for each element; the left factor can be the same for all."""
    whole, position = ("x?", ":, :, %g") if left == "batched" else ("", ":, :")
    return function_of(f"""func @product(%A: memref<f64x{m}x{k}{whole}>, %B: memref<f64x{k}x{n}x?>,
                            %C: memref<f64x{m}x{n}x?>) {{
      %g = group_id
      %a = subview %A[{position}] : memref<f64x{m}x{k}{whole}>
      %b = subview %B[:, :, %g] : memref<f64x{k}x{n}x?>
      %c = subview %C[:, :, %g] : memref<f64x{m}x{n}x?>
      gemm.n.n 1.0, %a, %b, 1.0, %c : f64, memref<f64x{m}x{k}>, memref<f64x{k}x{n}>, f64, memref<f64x{m}x{n}>
    }}""")


def asked_for(text: str, name: str) -> list[int]:
    """The bytes behind a pointer that the first block asks for."""
    return [int(offset) for offset in re.findall(rf"\(ulong\){name} \+ \((\d+) \+ \d+ \* block\)", text)]


@pytest.mark.parametrize(("m", "n", "k"), [(32, 32, 32), (33, 40, 35), (56, 9, 56)])
def test_every_block_asks_for_its_share_of_the_lines(m: int, n: int, k: int) -> None:
    text = emit(product(m, n, k), DEFAULT, GROUP).source
    block = text[text.index("int block = 0") :].split("block += 1")[0]
    parts = choose_blocks(-(-m // DEFAULT.vector_width(Scalar.F64)), n, k, DEFAULT)
    blocks = sum(part.vectors.pieces * piece.pieces for part in parts for piece in split(n, part.columns))
    for name, size in (("a", 8 * m * k), ("b", 8 * k * n), ("c", 8 * m * n)):
        offsets = asked_for(block, name)
        assert offsets == [size + LINE * line for line in range(len(offsets))]
        assert len(offsets) == -(-size // LINE // blocks)


@pytest.mark.parametrize(("m", "n", "k"), [(36, 20, 16), (40, 8, 9)])
def test_blocks_that_are_too_few_ask_at_each_depth(m: int, n: int, k: int) -> None:
    function = product(m, n, k)
    text = emit(function, SHALLOW, GROUP).source
    parts = choose_blocks(-(-m // SHALLOW.vector_width(Scalar.F64)), n, k, SHALLOW)
    blocks = sum(part.vectors.pieces * piece.pieces for part in parts for piece in split(n, part.columns))
    assert "int block = -1" in text
    loop = text.split("int block = -1", 1)[1].split("for (int k", 1)[1].split("}", 1)[0]
    for name, size in (("a", 8 * m * k), ("b", 8 * k * n), ("c", 8 * m * n)):
        calls = re.findall(rf"\(ulong\){name} \+ \((\d+) \+ (\d+) \* \({k} \* block \+ k\)\)", loop)
        asked = {int(first) + int(step) * at for first, step in calls for at in range(blocks * k)}
        assert asked == set(range(size, size + LINE * len(asked), LINE))  # that of the next element, line by line
        assert LINE * len(asked) >= size
    shapes = {"A": (m, k), "B": (k, n), "C": (m, n)}
    arrays = {name: integers(ScalarType.F64, *shape, 3) for name, shape in shapes.items()}
    compare(function, arrays, 3, target=replace(TARGET, machine=SHALLOW.machine))


def test_deep_products_leave_that_to_the_core() -> None:
    assert "int block = -1" not in emit(product(36, 20, 17), SHALLOW, GROUP).source


def test_small_matrices_and_what_is_the_same_for_all_elements_are_not_asked_for() -> None:
    assert "__builtin_prefetch" not in emit(product(31, 31, 31), DEFAULT, GROUP).source
    text = emit(product(48, 48, 48, left="constant"), DEFAULT, GROUP).source
    assert asked_for(text, "A") == []
    assert asked_for(text, "b") != []


def test_smaller_matrices_are_asked_for_if_the_blocks_have_time_for_it() -> None:
    assert asked_for(emit(product(56, 9, 21, left="constant"), DEFAULT, GROUP).source, "c") != []
    assert asked_for(emit(product(24, 9, 9, left="constant"), DEFAULT, GROUP).source, "c") == []  # 1728 bytes
    assert asked_for(emit(product(20, 20, 20), DEFAULT, GROUP).source, "c") == []  # 18 lines for each block


def test_a_part_that_is_spread_over_a_tensor_is_not_asked_for() -> None:
    spread = function_of("""func @product(%A: memref<f64x48x4x48x?>, %B: memref<f64x48x48x?>, %C: memref<f64x48x48x?>) {
      %g = group_id
      %a = subview %A[:, 1, :, %g] : memref<f64x48x4x48x?>
      %b = subview %B[:, :, %g] : memref<f64x48x48x?>
      %c = subview %C[:, :, %g] : memref<f64x48x48x?>
      gemm.n.n 1.0, %a, %b, 0.0, %c
        : f64, memref<f64x48x48,strided<1,192>>, memref<f64x48x48>, f64, memref<f64x48x48>
    }""")
    text = emit(spread, DEFAULT, GROUP).source
    assert asked_for(text, "a") == []
    assert asked_for(text, "b") != []


def test_a_target_without_the_function_is_not_asked() -> None:
    quiet = replace(DEFAULT, has_prefetch=False)
    assert "prefetch" not in emit(product(48, 48, 48), quiet, GROUP).source


def test_the_last_element_has_none_behind_it() -> None:
    arrays = {name: integers(ScalarType.F64, 33, 33, 3, seed=seed) for seed, name in enumerate("ABC")}
    compare(product(33, 33, 33), arrays, 3)
