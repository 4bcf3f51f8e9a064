"""How a contraction is cut: whole lines of memory in a panel, and tiles for the compute units that there are."""

from dataclasses import replace

import pytest

from einsum_front.tl_backend.analysis.contraction import Contraction, find_contraction
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.packed.schedule import analyse
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, choose_sizes
from einsum_front.tl_backend.schedules.schedule import Reason, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.opencl.harness import function_of
from tests.tl_backend.schedules.packed.test_meaning import gemm


def sizes_of(text: str, units: int = DEFAULT.compute_units) -> Sizes:
    """The sizes on a CPU with so many compute units."""
    contraction = find_contraction(function_of(text))
    assert isinstance(contraction, Contraction)
    return choose_sizes(contraction, replace(DEFAULT, compute_units=units))


def lines(length: int, count: int) -> str:
    """`C = A B` whose depths are so many lines in the memory of the right factor."""
    right = f"memref<f64x{length}x40x{count}>"
    first, each = (
        f"""%b{name} = subview %B[:, :, {place}] : {right}
        %a{name} = subview %A[:, :, {place}] : memref<f64x40x{length}x{count}>
        gemm.n.n 1.0, %a{name}, %b{name}, {beta}, %C
          : f64, memref<f64x40x{length}>, memref<f64x{length}x40>, f64, memref<f64x40x40>"""
        for name, place, beta in (("0", "0", "0.0"), ("1", "%d", "1.0"))
    )
    return f"""func @f(%A: memref<f64x40x{length}x{count}>, %B: {right}, %C: memref<f64x40x40>) {{
      {first}
      for %d = 1, {count} {{
        {each}
      }}
    }}"""


@pytest.mark.parametrize(("length", "count", "depth"), [
    (125, 83, 250),  # two lines, though 250 is no multiple of a vector
    (64, 10, 256),
    (100, 9, 200),
    (31, 12, 248),
])  # fmt: skip
def test_a_panel_has_whole_lines(length: int, count: int, depth: int) -> None:
    assert sizes_of(lines(length, count)).depth == depth


@pytest.mark.parametrize(("units", "least"), [(1, 2), (2, 4), (3, 6), (4, 4), (16, 16)])
def test_every_compute_unit_has_about_as_many_tiles(units: int, least: int) -> None:
    sizes = sizes_of(gemm(301, 305, 299), units)
    tiles = sizes.tiles_down * sizes.tiles_across
    assert tiles >= least
    assert tiles % units == 0 or tiles >= 8 * units


def test_copies_of_long_depths_make_tiles_few() -> None:
    """97 x 138 entries of 10,375 depths: a tile for each of two units copies 60% of what two tiles for each do."""
    sizes = sizes_of(gemm(97, 138, 10375), 2)
    assert (sizes.tiles_down, sizes.tiles_across) == (1, 2)


def test_panels_are_for_cpus() -> None:
    subject = Subject(function_of(gemm(64, 64, 64)), replace(DEFAULT, name="a GPU", is_cpu=False))
    reason = Reason("a GPU has no caches of its own for panels", is_of_device=True)
    assert analyse(subject, Tuning(ScheduleKind.PACKED)) == reason
