"""The function as the first level of `--verify`: it runs on the kernel's arguments, and disagrees where it should."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.driver.stages import LinalgStages
from einsum_front.driver.verification import levels
from einsum_front.mlir import nodes as mlir
from einsum_front.runtime import find_device

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("path", ["tpp/perceptron.tpp", "linalg/layer.mlir", "linalg/volume.mlir"])
def test_the_function_is_the_first_level(path: str) -> None:
    for kernel in ef.compile(ef.parse(EXAMPLES / path)).values():
        comparisons = kernel.verify()
        assert [each.level for each in comparisons][:2] == ["graph", "yir"]
        assert all(each.agrees for each in comparisons)
        assert levels(kernel.translation, find_device("auto"), 1)[0][0] == "mlir"


def test_another_function_disagrees() -> None:
    (kernel,) = ef.compile(ef.parse(EXAMPLES / "tpp" / "perceptron.tpp")).values()
    stages = kernel.translation
    assert isinstance(stages, LinalgStages)
    body = tuple(
        replace(each, name="tanh") if isinstance(each, mlir.Primitive) and each.name == "relu" else each
        for each in stages.linalg.body or ()
    )
    other = replace(stages.linalg, body=body)
    wrong = replace(stages, module=replace(stages.module, functions=(other,)), linalg=other)
    numbers = np.random.default_rng(0)
    found = []
    for name, run in levels(wrong, find_device("auto"), 2)[:2]:
        shapes = {each.name: each.type.shape for each in stages.linalg.arguments}  # type: ignore[union-attr]  # memrefs
        numbers = np.random.default_rng(0)
        given: dict[str, object] = {
            argument: np.asarray(numbers.uniform(-1, 1, sizes), np.float32)
            for argument, shape in shapes.items()
            for sizes in [[*([] if argument in other.constants else [2]), *(size or 1 for size in shape)]]
        }
        run(given)
        found.append((name, np.asarray(given["y"], float)))
    assert [name for name, _ in found] == ["mlir", "graph"]
    assert abs(found[0][1] - found[1][1]).max() > 0.1
