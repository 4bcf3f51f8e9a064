"""Programs of integers and of `bool` mean the same at every level and on devices, to the last bit, wherever they wrap.

The oracle computes with Python's integers, and wraps around once, at the end.
"""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.storage import ElementType
from einsum_front.driver import Session, translate_program
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.driver.verification import groups, levels
from einsum_front.ir.contraction.interpret import interpret as interpret_graph
from einsum_front.mlir import from_graph
from einsum_front.mlir.interpret import interpret as interpret_linalg
from einsum_front.mlir.parse import parse as parse_linalg
from einsum_front.mlir.unparse import unparse
from einsum_front.mlir.verify import check as check_linalg
from einsum_front.notation.parse import parse
from einsum_front.options import Options
from einsum_front.runtime.devices.device import Device, find_device
from tests.einsum_front.oracle import results_by_oracle, stored_integers
from tests.einsum_front.strategies import arguments_for, programs
from tests.mlir.test_from_kernels import lying
from tests.profiles import share

INTEGERS = tuple(each.value for each in ElementType if each.is_integer)

CASES = {
    "text": st.one_of(programs(computed=INTEGERS), programs(computed=INTEGERS, types=INTEGERS)),
    "batch": st.integers(0, 3),
    "seed": st.integers(0, 2**16),
}


@pytest.mark.generated
@settings(share(1))
@given(**CASES)
def test_every_level_is_exact(text: str, batch: int, seed: int) -> None:
    _check(text, batch, seed, find_device(), lambda level: level != "device")


@pytest.mark.generated
@pytest.mark.parametrize("device", ["c", "PoCL"])
@settings(share(0.3))
@given(**CASES)
def test_so_are_devices(device: str, text: str, batch: int, seed: int) -> None:
    _check(text, batch, seed, find_device(device), lambda level: level == "device")


def _check(text: str, batch: int, seed: int, device: Device, chosen: Callable[[str], bool]) -> None:
    program = parse(Source("random.ein", text))
    (translation,) = translate_program(Session(target_of(device.facts), Options()), program)
    checked = translation.program
    names = {parameter.name for parameter in translation.artifact.arguments}
    said = arguments_for(checked, batch, seed)  # a scalar that is multiplied by 0 is no argument, but in the text
    exact = results_by_oracle(program, checked, said, batch)
    arguments = {n: a for n, a in said.items() if n in names}
    tensors = {tensor.name: tensor for tensor in checked.tensors}
    written = {
        parameter.name for parameter in translation.artifact.arguments if getattr(parameter, "is_written", False)
    }
    for level, run in levels(translation, device, groups(translation.artifact, batch)):
        if not chosen(level):
            continue
        values: dict[str, object] = {n: a.copy() if isinstance(a, np.ndarray) else a for n, a in arguments.items()}
        run(values)
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                expected = stored_integers(tensors[name], exact[name]) if name in written else arguments[name]
                assert np.array_equal(value, expected), f"{name} differs at level {level}"


OF_LINALG = """
integer {type}
tensor A[4,5]
tensor K[5,6] constant
tensor C[4,6]
tensor D[4]
tensor V[3,3] values<1, 127, 0, -128, 0, 0, 1, 1, 0>
tensor P[4,3]
tensor q[3]
scalar s
kernel f {{
    C[ij] += A[ik] * K[kj] * s - 7 * C[ij]
    D[i] = max(A[ij] * s, 3) + abs(C[ij]) - where(A[ij] < C[ik], A[ij], relu(C[ij]))
    P[ij] -= V[kj] * P[ik]
    q[j] = max{{i}}(P[i,j])
}}
"""


@pytest.mark.parametrize("type_", ["i8", "i16", "i32", "i64"])
def test_so_is_linalg(type_: str) -> None:
    """Printed as linalg and read back, a graph computes the same, to the last bit."""
    text = Source("f.ein", OF_LINALG.format(type=type_))
    (translation,) = translate_program(Session(DEFAULT, Options()), parse(text))
    graph = translation.planned.written
    module = parse_linalg(Source("f.mlir", unparse(from_graph.module_of(graph))))
    check_linalg(module)
    given_ = arguments_for(translation.program, 2, 3)
    expected = {name: np.copy(each) for name, each in given_.items()}
    interpret_graph(graph, expected)
    tensors = {tensor.name: tensor for tensor in graph.arguments}
    names = [argument.name for argument in module.functions[-1].arguments]
    results = interpret_linalg(
        module, graph.name, [lying(tensors[n], np.asarray(given_[n])) if n in tensors else given_[n] for n in names]
    )
    for (name, tensor), result in zip(graph.assigned.items(), results, strict=True):
        assert np.array_equal(result, lying(tensor, expected[name])), name


@pytest.mark.parametrize("device", ["c", "PoCL"])
@pytest.mark.parametrize("type_", [np.int8, np.uint16, np.int64, np.bool_])
def test_kernels_take_numpys_integers_in_place(type_: type[np.generic], device: str) -> None:
    a, b, c = ef.Tensor("A", (4, 5)), ef.Tensor("B", (5, 6)), ef.Tensor("C", (4, 6))
    word = "bool" if type_ is np.bool_ else np.dtype(type_).name.replace("uint", "u").replace("int", "i")
    program = ef.program(ef.kernel("f", c["ij"].add(a["ik"] * b["kj"])), integer=word)
    random = np.random.default_rng(1)
    left, right, total = (random.integers(0, 256, (7, *shape)).astype(type_) for shape in ((4, 5), (5, 6), (4, 6)))
    expected = total + np.einsum("bik,bkj->bij", left, right)
    ef.compile(program, device=device)["f"](A=left, B=right, C=total)
    np.testing.assert_array_equal(total, expected)


def test_what_a_program_and_linalg_refuse() -> None:
    a = ef.Tensor("A", (4,))
    kernel = ef.kernel("f", a["i"].add(a["i"]))
    with pytest.raises(TypeError, match="not of both"):
        ef.program(kernel, real="f32", integer="i8")
    (translation,) = translate_program(
        Session(DEFAULT, Options()), parse(Source("f.ein", "integer u8 tensor A[4] kernel f { A[i] += A[i] }"))
    )
    with pytest.raises(CompileError, match="E0842"):
        from_graph.module_of(translation.planned.graph)
