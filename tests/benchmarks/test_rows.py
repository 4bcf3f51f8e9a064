"""What a row says: bytes, floor, ratios, and the fields that others read."""

import pytest

from benchmarks.arguments import batch_of, line_bytes, moved_bytes
from benchmarks.case import FileSource, StringSource, WorkingSet
from benchmarks.ours import translate
from benchmarks.peaks import Peaks, floor_seconds
from benchmarks.row import Row
from benchmarks.sets.batched import FILE
from einsum_front.data import element_bytes
from einsum_front.runtime.devices.device import find_device
from examples.ader_dg import matrices

ROW = Row(
    set="batched",
    kernel="C = A B, 4x4, in cache",
    dtype="f64",
    device="a device",
    command="python -m benchmarks --set batched",
    working_set="in cache",
    elements=1000,
    ours_ns=8.0,
    spread=0.01,
    peers={"other": 12.0},
    operations=112.0,
    bytes=384.0,
    line_bytes=400.0,
    floor_share=0.5,
    bound="bytes",
    peak=1e11,
    bandwidth=1e10,
    compile_ms=20.0,
    build_s=0.5,
    source_bytes=4000,
)


def test_the_floor_is_the_slower_of_the_two_limits() -> None:
    assert floor_seconds(operations=200.0, moved=100.0, peak=1e9, bandwidth=1e9) == 2e-7
    assert floor_seconds(operations=100.0, moved=200.0, peak=1e9, bandwidth=1e9) == 2e-7
    assert floor_seconds(operations=100.0, moved=200.0, peak=1e9, bandwidth=1e10) == 1e-7


def test_ratios_and_rate() -> None:
    assert ROW.ratios == {"other": 1.5}
    assert ROW.traffic == 50e9
    assert ROW.rate == 14e9


def test_a_row_has_the_documented_fields() -> None:
    documented = {"set", "kernel", "dtype", "device", "ours_ns", "peers", "operations", "bytes", "floor_share"}
    assert documented <= ROW.as_data().keys()
    assert ROW.as_data()["peers"] == {"other": 12.0}


def test_bytes_are_those_of_the_batch_without_constants() -> None:
    both = translate(FileSource(FILE, "both", {"N": 4}), "f64", "auto").kernel.artifact
    left = translate(FileSource(FILE, "left", {"N": 4}), "f32", "auto").kernel.artifact
    assert moved_bytes(both, 10, with_constants=False) == 10 * 3 * 16 * 8
    assert moved_bytes(left, 10, with_constants=False) == 10 * 2 * 16 * 4
    assert element_bytes(left) == 2 * 16 * 4


def test_declared_zeros_are_not_moved_and_accumulators_twice() -> None:
    matrices.write(2)
    source = FileSource(matrices.HERE / "volume.ein", "volume", {"O": 2})
    artifact = translate(source, "f64", "auto").kernel.artifact
    q, i, star, basis = 2 * 4 * 9, 4 * 9, 3 * 24, 4
    assert moved_bytes(artifact, 1, with_constants=False) == (q + i + star) * 8
    non_zeros_of_stiffness = 1 + 2 + 3
    assert moved_bytes(artifact, 1, with_constants=True) == (q + i + star + non_zeros_of_stiffness) * 8
    assert element_bytes(artifact) == (2 * basis * 9 + 3 * 81) * 8


def test_memory_moves_whole_lines() -> None:
    both = translate(FileSource(FILE, "both", {"N": 4}), "f64", "auto").kernel.artifact
    assert line_bytes(both) == 3 * 16 * 8
    odd = translate(FileSource(FILE, "both", {"N": 3}), "f64", "auto").kernel.artifact
    assert line_bytes(odd) == 3 * 9 * 8
    matrices.write(2)
    source = FileSource(matrices.HERE / "volume.ein", "volume", {"O": 2})
    artifact = translate(source, "f64", "auto").kernel.artifact
    assert line_bytes(artifact) > moved_bytes(artifact, 1, with_constants=False)
    assert line_bytes(artifact) <= element_bytes(artifact) + 4 * 9 * 8


def test_an_index_string_says_how_large_its_batch_is() -> None:
    product = translate(StringSource("ik,kj->ij", ((3, 4), (4, 5))), "f64", "auto")
    batched = translate(StringSource("bik,kj->bij", ((7, 3, 4), (4, 5))), "f64", "auto")
    assert (product.batch, product.is_single) == (1, True)
    assert (batched.batch, batched.is_single) == (7, False)
    assert moved_bytes(product.kernel.artifact, 1, with_constants=True) == (12 + 20 + 15) * 8


@pytest.mark.parametrize("where", [WorkingSet.CACHE, WorkingSet.MEMORY])
def test_the_batch_fills_the_working_set_evenly(where: WorkingSet) -> None:
    artifact = translate(FileSource(FILE, "both", {"N": 8}), "f64", "auto").kernel.artifact
    facts = find_device().facts
    in_cache = 4 * 1024 * 1024 * facts.compute_units if facts.is_cpu else 32 * 1024 * 1024
    total = in_cache if where is WorkingSet.CACHE else 200_000_000
    batch = batch_of(artifact, where, facts)
    assert batch % facts.compute_units == 0
    assert 0.8 * total < batch * element_bytes(artifact) <= total
    assert batch_of(artifact, WorkingSet.SINGLE, facts) == 1


def test_limits_do_the_work_that_they_say() -> None:
    peaks = Peaks(find_device())
    for limit in (peaks.operations("f64"), peaks.operations("f32"), peaks.copying(100_000)):
        assert limit.work > 0
        assert limit.run() > 0
    assert peaks.copying(100_000) is peaks.copying(131_072)
