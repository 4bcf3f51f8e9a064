"""Kernels and families, and the program that they become."""

from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation import checked
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from einsum_front.yateto import (
    Generator,
    NamespacedGenerator,
    Scalar,
    Tensor,
    parameterSpaceFromRanges,
    simpleParameterSpace,
    useArchitectureIdentifiedBy,
)
from einsum_front.yateto.ast.node import Node, ScalarMultiplication
from einsum_front.yateto.session import session
from examples.ader_dg import matrices

ADER_DG = Path(__file__).parents[2] / "examples" / "ader_dg"
Q, I = Tensor("Q", (20, 9)), Tensor("I", (20, 9))  # noqa: E741 - the names of the field


@pytest.fixture
def generator() -> Generator:
    return Generator(useArchitectureIdentifiedBy("dhsw"))


@pytest.fixture(scope="module")
def known() -> dict[str, Tensor]:
    """Our own matrices of order 4, by the names of their arguments, as tensors of a script."""
    matrices.write(4)
    order, elastic = (np.load(ADER_DG / "matrices" / f"{name}.npz") for name in ("order4", "elastic"))
    found = {}
    for file in (order, elastic):
        for name in file.files:
            base, _, group = name.partition("_")
            entries = file[name] if file is order else file[name] != 0
            found[name] = Tensor(f"{base}({group.replace('_', ',')})" if group else base, entries.shape, entries)
    return found


def program(folder: Path) -> checked.CheckedProgram:
    return check(parse_file(folder / "kernel.ein"), directory=folder)


def statements(program: checked.CheckedProgram) -> list[tuple[checked.Assignment, ...]]:
    return [kernel.statements for kernel in program.kernels]


def test_a_script_builds_what_is_written_by_hand(
    generator: Generator, known: dict[str, Tensor], tmp_path: Path
) -> None:
    A, M = Tensor("AplusT", (9, 9)), Tensor("AminusT", (9, 9))
    volume: Node = Q["kp"]
    for d in range(3):
        volume += known[f"kDivM_{d}"]["kl"] * I["lq"] * known[f"star_{d}"]["qp"]
    generator.add("volume", Q["kp"] <= volume)
    generator.addFamily(
        "localFlux",
        simpleParameterSpace(4),
        lambda i: Q["kp"] <= Q["kp"] + known[f"rDivM_{i}"]["km"] * known[f"fMrT_{i}"]["ml"] * I["lq"] * A["qp"],
        lambda i: I if i == 0 else None,
    )
    generator.addFamily(
        "neighboringFlux",
        simpleParameterSpace(3, 4, 4),
        lambda h, j, i: (
            Q["kp"]
            <= Q["kp"] + known[f"rDivM_{i}"]["km"] * known[f"fP_{h}"]["mn"] * known[f"rT_{j}"]["nl"] * I["lq"] * M["qp"]
        ),
    )
    with session(promises_values=True):
        generator.generate(str(tmp_path))
    ours = program(tmp_path)
    by_hand = [
        check(parse_file(ADER_DG / f"{name}.ein"), directory=ADER_DG, only=only)
        for name, only in (("volume", None), ("local_flux", "localFlux"), ("neighboring_flux", None))
    ]
    tensors = {tensor.name: tensor for each in by_hand for tensor in each.tensors}
    assert {tensor.name: tensor for tensor in ours.tensors} == tensors
    families = {kernel.name: kernel for kernel in ours.kernels}
    volume_by_hand, local, neighboring = (each.kernels for each in by_hand)
    assert [added(kernel) for kernel in local] == [families[f"localFlux_{i}"].statements for i in range(4)]
    assert [added(kernel) for kernel in volume_by_hand] == [families["volume"].statements]
    numbers = [(h, j, i) for h in range(3) for j in range(4) for i in range(4)]
    assert [added(kernel) for kernel in neighboring] == [
        families[f"neighboringFlux_{h + 3 * j + 12 * i}"].statements for h, j, i in numbers
    ]


def added(kernel: checked.Kernel) -> tuple[checked.Assignment, ...]:
    """`Q += x` as scripts say it: `Q = Q + x`, in one sum."""
    (statement,) = kernel.statements
    terms = statement.value.terms if isinstance(statement.value, checked.Sum) else (statement.value,)
    value = checked.Sum((statement.target, *terms))
    return (checked.Assignment(statement.target, checked.AssignmentOperator.SET, value),)


def test_numbers_of_members(generator: Generator) -> None:
    generator.addFamily(
        "f", simpleParameterSpace(3, 4, 4), lambda h, j, i: Q["kp"] <= float(h + 3 * j + 12 * i + 1) * I["kp"]
    )
    generator.addFamily("g", parameterSpaceFromRanges(range(1, 3), [5]), lambda _a, _b: Q["kp"] <= I["kp"])
    generator.add("g(4)", Q["kp"] <= I["kp"])
    for number, kernel in enumerate(generator.kernels()[:48]):
        assert kernel.spelling() == f"f({number})"
        value = kernel.ast[0].value
        assert isinstance(value, ScalarMultiplication)
        assert value.scalar() == number + 1
    assert [kernel.spelling() for kernel in generator.kernels()[48:]] == ["g(4)", "g(16)", "g(17)"]


def test_what_is_told_of_a_program(generator: Generator, tmp_path: Path) -> None:
    inner = NamespacedGenerator(NamespacedGenerator(generator, namespace="a"), "b")
    inner.add("f", Q["kp"] <= Scalar("dt", namespace="n") * I["kp"], target="gpu")
    inner.addFamily("g", [(0,)], lambda _i: Q["kp"] <= I["kp"], namespace="c", target="gpu")
    generator.add("f", [Q["kp"] <= I["kp"], I["kp"] <= Q["kp"]], prefetch=[Q])
    with session(promises_values=False) as run:
        told = generator.generate(str(tmp_path), "ns", include_tensors={Tensor("more(1)", (2,), namespace="m")})
    assert told == {
        "namespace": "ns",
        "tensors": {"Q", "I", "n::dt", "m::more"},
        "kernels": {"f", "a::b::f", "a::b::c::g"},
    }
    (generated,) = run.generated
    assert [(each.name, each.called, each.target, each.statements) for each in generated.kernels] == [
        ("a::b::f", "a_b_f", "gpu", 1),
        ("f", "f", "cpu", 2),
        ("a::b::c::g(0)", "a_b_c_g_0", "gpu", 1),
    ]


def test_words_of_the_notation_get_an_underscore(generator: Generator, tmp_path: Path) -> None:
    real, kernel, dt = Tensor("real", (2,)), Tensor("kernel(1)", (2,)), Scalar("in")
    generator.add(
        "kernel", real["k"] <= dt * kernel[("sum",)].subslice("sum", 0, 2) * Tensor("T", (2, 2))[("k", "sum")]
    )
    generator.add("kernel_", real["2"] <= kernel["2"])
    generator.generate(str(tmp_path))
    assert (tmp_path / "kernel.ein").read_text(encoding="utf-8") == (
        "real f64\ntensor real_[2]\ntensor kernel_1[2] constant\n".replace(" constant", "") + "tensor T[2,2]\n"
        "scalar in_\n"
        "\nkernel kernel_ {\n    real_[k] = in_ * kernel_1[sum_,] * T[k,sum_]\n}\n"
        "\nkernel kernel__ {\n    real_[i] = kernel_1[i]\n}\n"
    )


def test_groups_with_gaps_or_of_several_shapes_are_no_families(generator: Generator, tmp_path: Path) -> None:
    d = [Tensor(f"d({n})", (n + 1,)) for n in range(2)]
    g = [Tensor(f"g({n})", (2,)) for n in (0, 2)]
    generator.add("f", [d[0]["i"] <= d[1]["j"].subslice("j", 0, 1) * Tensor("T", (1, 1))["ij"], g[0]["i"] <= g[1]["i"]])
    generator.generate(str(tmp_path))
    text = (tmp_path / "kernel.ein").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("tensor")] == [
        "tensor d_0[1]",
        "tensor d_1[2]",
        "tensor T[1,1]",
        "tensor g_0[2]",
        "tensor g_2[2]",
    ]


def test_what_is_written_outside_of_a_pattern_is_left_out(generator: Generator, tmp_path: Path) -> None:
    A, B = Tensor("A(3)", (3, 3), np.eye(3, dtype=bool)), Tensor("B", (3, 3))
    generator.add("f", A["ij"] <= B["ij"] + B["ji"])
    generator.generate(str(tmp_path))
    text = (tmp_path / "kernel.ein").read_text(encoding="utf-8")
    assert "A_3[i,j] = (B[i,j] + B[j,i]) * A_nonzeros_3[i,j]" in text
    assert 'tensor A_nonzeros_3[3,3] constant values "kernel.npz"' in text
    program(tmp_path)


def test_values_are_promises_only_if_somebody_says_so(generator: Generator, tmp_path: Path) -> None:
    K = Tensor("K", (20, 20), {(1, 0): "2.5"})
    generator.add("f", Q["kp"] <= K["kl"] * I["lp"])
    generator.generate(str(tmp_path))
    by_name = {tensor.name: tensor for tensor in program(tmp_path).tensors}
    assert by_name["K"].values is None
    assert by_name["K"].nonzeros == Pattern.of_positions((20, 20), [(1, 0)])
    assert by_name["K"].storage is Storage.CONSTANT
    with session(promises_values=True):
        generator.generate(str(tmp_path))
    values = {tensor.name: tensor for tensor in program(tmp_path).tensors}["K"].values
    assert values is not None
    assert values[1] == 2.5


def test_the_same_script_gives_the_same_bytes(generator: Generator, known: dict[str, Tensor], tmp_path: Path) -> None:
    generator.add("f", Q["kp"] <= known["kDivM_0"]["kl"] * I["lp"])
    written = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        generator.generate(str(tmp_path / name))
        written.append([(tmp_path / name / file).read_bytes() for file in ("kernel.ein", "kernel.npz")])
    assert written[0] == written[1]


def test_a_scaled_sum_takes_as_many_operations_as_yateto_counts(generator: Generator, tmp_path: Path) -> None:
    """Among them `alpha` in front of two kinds of sums, and sums in products, in sums and behind `/`."""
    a, b, c = Tensor("A", (4, 5)), Tensor("B", (4, 5)), Tensor("C", (4, 4))
    x, z, y = Tensor("x", (5,)), Tensor("z", (5,)), Tensor("y", (4,))
    dt, both = Scalar("dt"), a["ij"] * x["j"] + b["ij"] * z["j"]
    counted = {
        "half": (y["i"] <= 0.5 * both, 80),
        "added": (y["i"] <= y["i"] + dt * both, 84),
        "nested": (y["i"] <= 0.5 * (y["i"] + dt * both), 88),
        "divided": (y["i"] <= both / 2, 80),
        "in_a_product": (y["i"] <= c["ik"] * (0.5 * (a["kj"] * x["j"] + b["kj"] * z["j"])), 108),
    }
    for name, (statement, _) in counted.items():
        generator.add(name, statement)
    generator.generate(str(tmp_path))
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    found = [line.split("=")[1].strip(" ;") for line in header.splitlines() if " NonZeroFlops = " in line]
    assert sorted(map(int, found)) == sorted(operations for _, operations in counted.values())
