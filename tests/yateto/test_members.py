"""What a program can set in the struct of a kernel: each member has its place, and its effect or a reason for none."""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from einsum_front.yateto import Generator, Scalar, Tensor, useArchitectureIdentifiedBy

MANUAL = Path(__file__).parents[2] / "docs" / "yateto.md"
MEMBERS = {
    "double* A": "works", "double const* B": "works", "double a": "works", "Prefetch _prefetch": "works",
    "double* const* A": "works", "} _batch": "works",
}  # fmt: skip
GPU_MEMBERS = {
    "double** A": "works", "double const* B": "works", "double a": "works", "Prefetch _prefetch": "works",
    "unsigned numElements": "works", "void* streamPtr": "works", "unsigned* flags": "works",
    "int extraOffset_A": "works", "int extraOffset_B": "without",
    "yateto::LinearAllocatorT<double> linearAllocator": "without",
}  # fmt: skip
"""`test_prefetch`, `test_cpp` and `test_on_gpu` run those that work."""


@pytest.mark.parametrize(("target", "members"), [("cpu", MEMBERS), ("gpu", GPU_MEMBERS)])
def test_members_of_structs_have_their_places(target: str, members: Mapping[str, str], tmp_path: Path) -> None:
    arch = useArchitectureIdentifiedBy("dskx", "dsm_90", "cuda")
    B = Tensor("B", (4, 4), np.eye(4))
    generator, formula = Generator(arch), Tensor("A", (4, 4))["ij"] <= Scalar("a") * B["ij"]
    generator.add("f", formula, prefetch=Tensor("I", (20, 9)), target=target)
    generator.generate(str(tmp_path))
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    lines = header[header.index("struct f {") : header.index("return", header.index("struct f {"))].splitlines()
    found = [
        line.strip().removesuffix(";") for line in lines if line.endswith(";") and not line.strip().startswith("con")
    ]
    plain = {re.sub(r"( = .*|\{\})$", "", each) for each in found if each != "}"}
    assert plain - {"double const* I"} == set(members)
    text = MANUAL.read_text(encoding="utf-8")
    section = text[text.index("### Without effect") :]
    for member, effect in members.items():
        name = member.split()[-1].replace("extraOffset_B", "extraOffset_K")
        assert effect == "works" or f"`{name}`" in section
