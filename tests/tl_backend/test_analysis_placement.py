"""Where buffers are: memory that is alive together has different places."""

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.analysis.placement import Placement, lifetimes, needed_lifetimes, place_buffers
from einsum_front.tl_backend.parse import parse


def placed(body: str) -> Placement:
    return place_buffers(parse(Source("test.tl", f"func @f(%n: index) {{\n{body}\n}}\n")).functions[0])


def test_nothing_needs_no_memory() -> None:
    assert placed("") == Placement({}, 0)


def test_buffers_that_are_alive_together_stand_side_by_side() -> None:
    found = placed("%a = alloca -> memref<f32x16>\n %b = alloca -> memref<f64x3,strided<2>>")
    assert found == Placement({"a": range(64), "b": range(64, 128)}, 128)


def test_a_buffer_takes_the_place_of_one_that_is_given_up() -> None:
    found = placed(
        """%a = alloca -> memref<f64x8>
           %b = alloca -> memref<f64x16>
           lifetime_stop %a
           %c = alloca -> memref<f64x8>
           lifetime_stop %b
           %d = alloca -> memref<f64x16>"""
    )
    assert found == Placement({"a": range(128, 192), "b": range(128), "c": range(128, 192), "d": range(128)}, 192)


def test_a_small_buffer_fills_a_gap() -> None:
    found = placed(
        """%a = alloca -> memref<f64x24>
           lifetime_stop %a
           %b = alloca -> memref<f64x8>
           %c = alloca -> memref<f64x16>
           lifetime_stop %c
           %d = alloca -> memref<f64x8>
           %e = alloca -> memref<f64x8>"""
    )
    assert found.size == 192
    assert {found.places[name] for name in "bde"} == {range(64), range(64, 128), range(128, 192)}


def test_regions_that_do_not_run_together_share() -> None:
    found = placed(
        """%c = cmp.eq %n, 0 : index
           %a = alloca -> memref<f64x8>
           if %c {
             %b = alloca -> memref<f64x8>
             for %i = 0, %n {
               %d = alloca -> memref<f64x8>
             }
           } else {
             %e = alloca -> memref<f64x8>
           }"""
    )
    assert found.size == 3 * 64
    assert found.places["b"] == found.places["e"]


def test_memory_is_needed_to_its_last_use() -> None:
    body = """%a = alloca -> memref<f64x8>
      %b = alloca -> memref<f64x8>
      %view = subview %a[0:4] : memref<f64x8>
      for %i = 0, 3 {
        %c = alloca -> memref<f64x8>
        axpby.n 1.0, %c, 0.0, %b : f64, memref<f64x8>, f64, memref<f64x8>
        %x = load %view[0] : memref<f64x4>
      }
      barrier
      axpby.t 1.0, %b, 1.0, %b : f64, memref<f64x8>, f64, memref<f64x8>
      barrier"""
    function = parse(Source("test.tl", f"func @f() {{\n{body}\n}}\n")).functions[0]
    assert needed_lifetimes(function) == {"a": range(7), "b": range(1, 9), "c": range(4, 6)}
    assert lifetimes(function) == {"a": range(10), "b": range(1, 10), "c": range(4, 7)}
