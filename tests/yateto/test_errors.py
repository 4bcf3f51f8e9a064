"""What scripts are told, and the kind of exception that YATeTo raises for it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.yateto import CSCMemoryLayout, Generator, Scalar, Tensor, useArchitectureIdentifiedBy
from einsum_front.yateto.ast.node import Add
from einsum_front.yateto.ast.transformer import DeduceIndices, EquivalentSparsityPattern
from einsum_front.yateto.formula import Assign, Node
from einsum_front.yateto.util import tensor_from_constant_expression

A, B, C, x = Tensor("A", (4, 5)), Tensor("B", (5, 6)), Tensor("C", (4, 6)), Tensor("x", (4,))
s = Scalar("s")


def generate(*statements: Assign) -> Callable[[Path], object]:
    def run(folder: Path) -> object:
        generator = Generator(useArchitectureIdentifiedBy("dhsw"))
        for number, statement in enumerate(statements):
            generator.add(f"f{number}", statement)
        return generator.generate(str(folder))

    return run


def add(*arguments: object, **named: object) -> Callable[[Path], object]:
    return lambda _folder: Generator(useArchitectureIdentifiedBy("dhsw")).add(*arguments, **named)  # type: ignore[arg-type]


def several(*kernels: tuple[str, Assign, str]) -> Callable[[Path], object]:
    def run(_folder: Path) -> None:
        generator = Generator(useArchitectureIdentifiedBy("dhsw"))
        for name, statement, target in kernels:
            generator.add(name, statement, target=target)

    return run


def nested(levels: int) -> Callable[[Path], object]:
    def run(folder: Path) -> object:
        formula: Node = C["ij"]
        for _ in range(levels):
            formula = 0.5 * (formula + C["ij"])
        return generate(C["ij"] <= formula)(folder)

    return run


MISTAKES: dict[str, tuple[Callable[[Path], object], type[Exception], str]] = {
    "name": (lambda _: Tensor("0A", (2,)), ValueError, "E0170]: `0A` is no name of a tensor or a scalar"),
    "name of a kernel": (add("a b", C["ij"] <= C["ij"]), ValueError, "E0170]: `a b` is no name of a kernel"),
    "shape": (lambda _: Tensor("A", [2]), ValueError, "E0171]: the shape of `A` must be a tuple"),  # type: ignore[arg-type]
    "extent": (lambda _: Tensor("A", (2, 0)), ValueError, "smaller than 1"),
    "shape of a pattern": (lambda _: Tensor("A", (2, 2), np.eye(3)), ValueError, "has shape (3, 3), not (2, 2)"),
    "entry outside": (lambda _: Tensor("A", (2, 2), {(2, 0): 1.0}), ValueError, "entry (2, 0) of `A` is outside"),
    "no entries": (lambda _: Tensor("A", (2, 2), {}), ValueError, "no entry that may differ from zero"),
    "no facts": (lambda _: Tensor("A", (2, 2), "dense"), ValueError, "E0171]: what is said"),  # type: ignore[arg-type]
    "columns of a vector": (lambda _: Tensor("A", (2,), None, CSCMemoryLayout), ValueError, "is for matrices"),
    "index twice": (lambda _: A["ii"], AssertionError, "E0172]: an index stands twice in `ii`"),
    "number of indices": (lambda _: A["ijk"], AssertionError, "`ijk` has 3 indices for 2 modes, of shape (4, 5)"),
    "slice outside": (
        lambda _: A["ij"].subslice("j", 3, 6),
        AssertionError,
        "slice 3:6 of `j` is empty or outside of 0:5",
    ),
    "slice of no index": (lambda _: A["ij"].subslice("k", 0, 1), AssertionError, "no index `k`"),
    "one factor alone": (generate(x["i"] <= A["ij"]), ValueError, "E0173]: index `j` of `A[ij]` is in no other factor"),
    "two sizes": (
        generate(C["ij"] <= A["ij"] * x["k"] * B["kj"]),
        ValueError,
        "index `j` has size 5 in `A[ij]`, but 6",
    ),
    "two sizes in a product": (generate(C["ij"] <= A["ik"] * C["kj"]), ValueError, "`k` has size 4 in `C[kj]`, but 5"),
    "target": (lambda _: DeduceIndices("ijk").visit(A["ij"]), ValueError, "the formula has indices `ij`, not `ijk`"),
    "pattern first": (lambda _: EquivalentSparsityPattern().visit(A["ij"] * B["jk"]), ValueError, "are not known"),
    "empty sum": (generate(x["i"] <= Add()), ValueError, "E0174]: a sum has no terms"),
    "number added": (lambda _: A["ij"] + 1, ValueError, "E0174]: cannot add `1`: a formula is expected"),
    "scalar added": (lambda _: A["ij"] + s, ValueError, "cannot add the scalar `s`"),
    "bare tensor": (lambda _: A["ij"] * B, ValueError, "multiplied by the tensor `B` without its indices"),
    "two scalars": (lambda _: 2.0 * (s * A["ij"]), ValueError, "E0174]: a formula is multiplied by two scalars"),
    "scaled factors": (lambda _: (s * A["ij"]) * (s * B["jk"]), ValueError, "multiplied by two scalars"),
    "quotient of formulas": (lambda _: A["ij"] / x["i"], ValueError, "E0174]: the divisor of `/` is a formula"),
    "inverse of a formula": (lambda _: 1 / A["ij"], ValueError, "E0174]: the divisor of `/` is a formula"),
    "divided by zero": (lambda _: A["ij"] / 0, ValueError, "E0174]: a formula is divided by zero"),
    "divided by a tensor": (lambda _: A["ij"] / B, ValueError, "is divided by the tensor `B` without its indices"),
    "subtracted from a number": (lambda _: 1 - A["ij"], ValueError, "E0174]: cannot subtract from `1`"),
    "alignment": (lambda _: Tensor("A", (2,), alignStride="no"), ValueError, "E0171]: `alignStride` is 'no'"),  # type: ignore[arg-type]
    "number assigned": (lambda _: A["ij"] <= 0, ValueError, "cannot assign `0`"),
    "precision": (lambda _: useArchitectureIdentifiedBy("qhsw"), ValueError, "`q` is no precision"),
    "half a device": (lambda _: useArchitectureIdentifiedBy("dhsw", "dsm_80"), ValueError, "both are given or none"),
    "left-hand side": (lambda _: A["ij"] * B["jk"] <= C["ik"], ValueError, "E0175]: the left-hand side"),
    "target of a kernel": (add("f", C["ij"] <= C["ij"], target="tpu"), ValueError, "E0175]: `tpu` is no target"),
    "prefetch": (add("f", C["ij"] <= C["ij"], C["ij"]), ValueError, "E0175]: kernel `f` prefetches"),
    "statement": (add("f", [C["ij"]]), ValueError, "E0175]: kernel `f` has"),
    "two tensors": (
        generate(C["ij"] <= Tensor("C", (4, 6), np.eye(4, 6))["ij"]),
        AssertionError,
        "E0176]: two tensors `C`",
    ),
    "groups of other lengths": (
        generate(A["ij"] <= Tensor("G(0)", (4, 5))["ij"] + Tensor("G(0,1)", (4, 5))["ij"]),
        ValueError,
        "E0180]: members of `G` differ in how many numbers their group has: `G(0)`, `G(0,1)`",
    ),
    "targets of a family": (
        several(("f(0)", A["ij"] <= A["ij"], "cpu"), ("f(1)", A["ij"] <= A["ij"], "gpu")),
        RuntimeError,
        "E0181]: members of the family `f` have several targets: cpu and gpu",
    ),
    "nested deeper than a text": (nested(40), CompileError, "E0110]: expressions nest at most 32 levels deep"),
    "nested deeper than Python's stack": (
        nested(2000),
        CompileError,
        "E0110]: expressions nest at most 32 levels deep",
    ),
    "no values": (lambda _: tensor_from_constant_expression("D", A["ij"] * B["jk"], "ik"), AssertionError, "E0178]"),
    "architecture": (
        lambda _: useArchitectureIdentifiedBy("dpdp11"),
        NotImplementedError,
        "E0179]: the architecture `pdp11`",
    ),
    "architecture in the order of 2021": (
        lambda _: useArchitectureIdentifiedBy("dnvidia", "dsm_60", "dhsw"),
        NotImplementedError,
        "the host comes first since November 2021",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str, tmp_path: Path) -> None:
    mistake, kind, words = MISTAKES[name]
    with pytest.raises(CompileError) as error:
        mistake(tmp_path)
    assert isinstance(error.value, kind)
    assert words in str(error.value)


def test_every_code_is_shown() -> None:
    shown = "".join(words for _, _, words in MISTAKES.values())
    known = {code for code in TITLES if code.startswith(("E017", "E018"))} - {"E0177"}  # test_files.py
    assert {code for code in known if code not in shown} == set()


def test_all_statements_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as error:
        generate(x["i"] <= A["ij"], C["ij"] <= C["ij"], x["j"] <= A["ij"])(tmp_path)
    assert [each.code for each in error.value.diagnostics] == ["E0173", "E0173"]
    first = error.value.diagnostics[0]
    assert first.notes[-1].startswith("in kernel `f0`, which test_errors.py:")
