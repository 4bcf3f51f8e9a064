"""Names, patterns, layouts and collections, as scripts ask for them."""

import numpy as np
import pytest

from einsum_front.yateto import Alignment, CSCMemoryLayout, Scalar, Tensor, aspp, useArchitectureIdentifiedBy
from einsum_front.yateto.arch import DeviceArchDefinition, HostArchDefinition, deriveArchitecture
from einsum_front.yateto.memory import AlignedCSCMemoryLayout, DenseMemoryLayout
from einsum_front.yateto.util import create_collection


@pytest.mark.parametrize("name", ["A", "AB", "A_1", "A(0)", "A(10)", "A(0,1,2)"])
def test_names(name: str) -> None:
    assert Tensor(name, (2, 2)).name() == name
    assert Scalar(name).name() == name


@pytest.mark.parametrize("name", ["", "0A", "_A", "A(01)", "A()", "A(-1)", "A-B", "A(1,)", "A (1)", "A(0)\n"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="E0170"):
        Tensor(name, (2, 2))


def test_groups() -> None:
    tensor = Tensor("foo(1,2)", (2, 2), namespace="nodal")
    assert (tensor.baseName(), tensor.group()) == ("foo", (1, 2))
    assert tensor.nameWithNamespace() == "nodal::foo(1,2)"
    assert (tensor.prefix(), Tensor("foo", (2,)).prefix()) == ("nodal::", "")


def test_a_tensor_of_floats_has_values_and_one_of_bools_a_pattern() -> None:
    mask = np.eye(3)
    assert Tensor("A", (3, 3), mask).values() == {(0, 0): "1.0", (1, 1): "1.0", (2, 2): "1.0"}
    assert not Tensor("A", (3, 3), mask.astype(bool)).is_compute_constant()
    assert Tensor("A", (3, 3), mask.astype(bool)).spp().count_nonzero() == 3
    array = Tensor("A", (3, 3), {(0, 1): "2.5"}).values_as_ndarray()
    assert array is not None
    assert array[0, 1] == 2.5
    assert not Tensor("A", (3, 3), {(0, 1): True}).is_compute_constant()


def test_dense_memory_is_a_box_around_the_entries() -> None:
    useArchitectureIdentifiedBy("dhsw")
    columns, rows = np.zeros((20, 20), bool), np.zeros((20, 20), bool)
    columns[:, :10] = rows[:10, :] = True
    layout = Tensor("K", (20, 20), columns).memoryLayout()
    assert layout.requiredReals() == 200
    assert [(mode.start, mode.stop) for mode in layout.bbox()] == [(0, 20), (0, 10)]
    aligned = Tensor("K", (20, 20), rows, alignStride=True).memoryLayout()
    assert aligned.requiredReals() == 240
    assert aligned.bbox()[0].stop == 12
    assert aligned.address((3, 2)) == 3 + 2 * 12


@pytest.mark.parametrize(("mode", "rows"), [("Automatic", 10), ("Unaligned", 10), ("Aligned", 12)])
def test_modes_of_alignment(mode: str, rows: int) -> None:
    """As on YATeTo's branch `new_alignment_mode`: one of three modes pads."""
    alignment = Alignment[mode]
    layout = Tensor("K", (10, 4), alignStride=alignment).memoryLayout()
    assert isinstance(layout, DenseMemoryLayout)
    assert (layout.requiredReals(), layout.alignment()) == (rows * 4, alignment)
    assert layout.alignedStride() == (rows == 12)
    of_twelve = Tensor("K", (12, 4), alignStride=alignment)
    assert of_twelve.memoryLayout().alignedStride() == (mode != "Unaligned")
    pattern = np.zeros((12, 4), bool)
    pattern[:8] = True
    grouped = Tensor("K", (12, 4), pattern, alignStride=alignment)
    pattern[8:10] = True
    grouped.setGroupSpp(aspp.general(pattern))
    assert grouped.memoryLayout().requiredReals() == 4 * (12 if mode == "Aligned" else 10)


def test_tensors_of_one_name_have_one_mode_of_alignment() -> None:
    assert Tensor("K", (12, 4)) == Tensor("K", (12, 4), alignStride=Alignment.Automatic)
    with pytest.raises(AssertionError, match="E0176"):
        assert Tensor("K", (12, 4)) == Tensor("K", (12, 4), alignStride=Alignment.Unaligned)


def test_a_box_that_does_not_start_at_zero() -> None:
    mask = np.zeros((20, 20), bool)
    mask[5:9, 3:5] = True
    layout = Tensor("K", (20, 20), mask).memoryLayout()
    assert layout.requiredReals() == 8
    assert layout.address((6, 4)) == 1 + 4


def test_columns_of_entries() -> None:
    layout = Tensor("W", (4, 3), {(1, 0): "1", (3, 0): "1", (2, 2): "1"}, CSCMemoryLayout).memoryLayout()
    assert isinstance(layout, CSCMemoryLayout)
    assert layout.rowIndex().tolist() == [1, 3, 2]
    assert layout.colPointer().tolist() == [0, 2, 2, 3]
    assert (layout.requiredReals(), layout.address((2, 2)), layout.address((3, 0))) == (3, 2, 1)


def test_columns_of_blocks() -> None:
    useArchitectureIdentifiedBy("dsnb")
    layout = Tensor("W", (8, 2), {(1, 0): "1", (5, 1): "1", (6, 1): "1"}, AlignedCSCMemoryLayout).memoryLayout()
    assert isinstance(layout, CSCMemoryLayout)
    assert layout.rowIndex().tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert layout.colPointer().tolist() == [0, 4, 8]


def test_tensors_are_equal_by_name_and_must_not_differ() -> None:
    assert Tensor("A", (2, 2)) == Tensor("A", (2, 2))
    assert Tensor("A", (2, 2)) != Tensor("B", (2, 2))
    assert len({Tensor("A", (2, 2)), Tensor("A", (2, 2))}) == 1
    with pytest.raises(AssertionError, match="E0176"):
        assert Tensor("A", (2, 2)) != Tensor("A", (2, 3))


def test_a_group_shares_what_is_stored_and_keeps_its_own_pattern() -> None:
    tensor = Tensor("K(0)", (4, 4), {(0, 0): True})
    tensor.setGroupSpp(aspp.add(tensor.spp(), aspp.general(np.eye(4))))
    assert (tensor.spp().count_nonzero(), tensor.spp(groupSpp=False).count_nonzero()) == (4, 1)
    assert tensor.memoryLayout().requiredReals() == 16


def test_collections() -> None:
    db = create_collection({name: Tensor(name, (2,)) for name in ("v", "K(0)", "K(1)", "V(0,1)")})
    assert db.K[1].name() == "K(1)"
    assert db.V[0, 1] is db.byName("V(0,1)")
    assert db.byName("v") is db["v"]
    assert [db.containsName(name) for name in ("K(1)", "K(2)", "w", "v")] == [True, False, False, True]
    db.update(create_collection({"w": Tensor("w", (2,))}))
    assert "w" in db
    with pytest.raises(AttributeError, match="no tensor `x`: it has v, K, V, w"):
        _ = db.x


def test_architectures() -> None:
    arch = useArchitectureIdentifiedBy("sskx")
    assert (arch.alignment, arch.precision, arch.typename, arch.alignedReals, arch.backend) == (
        64,
        "S",
        "float",
        16,
        "cpp",
    )
    host = HostArchDefinition("hsw", "f64", None, None)
    gpu = deriveArchitecture(host, DeviceArchDefinition("sm_80", "nvidia", "cuda", "f64", None))
    assert (gpu.name, gpu.host_name, gpu.alignment, gpu.is_accelerator) == ("sm_80", "hsw", 64, True)
    assert deriveArchitecture(HostArchDefinition("sve512", "d", None, None), None).alignment == 64
    assert deriveArchitecture(HostArchDefinition("unheard", "d", 32, False), None).alignment == 32


def test_patterns() -> None:
    eye = aspp.general(np.eye(2))
    assert aspp.einsum("ij,jk->ik", eye, aspp.dense((2, 3))).is_dense()
    assert aspp.array_equal(aspp.add(eye, eye), eye)
    assert not aspp.array_equal(aspp.dense((2, 2)), eye)
    assert aspp.general(np.array([[0, 1], [0, 0]])).transposed((1, 0)).as_ndarray().tolist() == [[0, 0], [1, 0]]
    with pytest.raises(ValueError, match="not understood"):
        aspp.einsum("ij,jk", eye, eye)
