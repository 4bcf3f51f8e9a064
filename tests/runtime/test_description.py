"""The JSON of kernels: it is as its schema says, and says all that a host needs."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from jsonschema import Draft202012Validator

from einsum_front.cli import main
from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.targets import DEFAULT
from einsum_front.driver.texts import artifacts_as_json
from einsum_front.options import Level
from einsum_front.runtime.arrays.signature import NUMBERS, Kind
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.launches.launch import Kernel
from examples.ader_dg import matrices
from tests.corpus.kernels import TARGETS
from tests.runtime.kernels import DEVICE, IN_STAGES

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "artifact.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
EXAMPLES = sorted((ROOT / "examples").rglob("*.ein"))

KINDS = """
size n <= 9
size m <= 8 ~ 5
size r >= 2
tensor Q[6, 4]
tensor R[6, 4]   row_major
tensor V[6, 4]   strided<1, 8>
tensor A[6, 6]   constant
tensor C[6, 6]   constant
tensor D[4, 4]   strided<6, 1> constant values<1, 2, 0, 4, 5, 6, 0, 8, 9, 10, 11, 0, 0, 14, 15, 16>
tensor H[n, m]
tensor K[m, m]   constant
tensor W[r, 3]
tensor P[6, 4]   grouped
tensor L[370, 370]
tensor M[370, 370]
temp   X[370, 370]
tensor Z[r]      shared
tensor at[4]     i32
scalar dt
kernel prologue { Q[k,p] += A[k,l] * C[l,j] * R[j,q] * D[q,p] }
kernel layouts  { R[k,p] = dt * V[k,p] - 0.5 * R[k,p] * D[p,p] }
kernel sizes    { H[k,p] = H[k,q] * K[q,p] / dt }
kernel open     { W[k,p] = dt * W[k,p] }
kernel group    { P[k,p] += dt * P[k,q] * D[q,p] }
kernel sums     { Z[at[p]] += dt * Q[k,p] }
kernel scratch  { X[i,j] = L[i,k] * L[k,j]  M[i,j] += X[i,l] * L[l,j] }
"""
BATCH = 37


def mistakes(described: object) -> list[str]:
    return [f"{each.json_path}: {each.message}" for each in VALIDATOR.iter_errors(described)]


def artifacts(target: str = "avx2") -> dict[str, Artifact]:
    stages = translate_text(Session(TARGETS[target]), Source("kinds.ein", KINDS), Level.EIN)
    found = {each.name: each.at(Level.CL) for each in stages}
    return {name: each for name, each in found.items() if isinstance(each, Artifact)}


def described(target: str = "avx2") -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(artifacts_as_json(artifacts(target).values()))
    return loaded


def test_the_schema_is_one_and_knows_every_kind_of_argument() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    kinds = {name: SCHEMA["$defs"][name]["properties"]["kind"]["enum"] for name in ("number", "memory")}
    assert set(kinds["number"]) == {kind.value for kind in NUMBERS}
    assert set(kinds["memory"]) == {kind.value for kind in set(Kind) - NUMBERS}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_as_the_schema_says(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matrices.write(2)
    small = ["-D", "O=2"] if re.search(r"^param\s+O\b", path.read_text(encoding="utf-8"), re.MULTILINE) else []
    assert main(["compile", str(path), "--emit", "json", *small]) == 0
    assert mistakes(json.loads(capsys.readouterr().out)) == []


@pytest.mark.parametrize("target", TARGETS)
def test_kernels_of_every_kind_are_as_the_schema_says(target: str) -> None:
    kernels = described(target)
    assert mistakes(kernels) == []
    found = {each["kind"] for kernel in kernels for each in kernel["arguments"]}
    assert found >= {"scalar", "memory", "size", "stride", "addresses"}


def test_memory_says_its_bytes_and_the_way_to_the_next_element() -> None:
    found = {
        (kernel["name"], each["parameter"], each["kind"]): (each["bytes"], each["distance"], each["supplier"])
        for kernel in described()
        for each in kernel["arguments"]
    }
    assert found["group", "P", "addresses"] == (8, 8, "caller")
    assert found["group", "dt", "scalar"] == (None, None, "caller")
    assert found["group", "D", "memory"] == ((6 * 3 + 4) * 8, 0, "values")
    assert found["prologue", "Q", "memory"] == (6 * 4 * 8, 6 * 4 * 8, "caller")
    assert found["prologue", "A_C", "memory"] == (6 * 6 * 8, 0, "prologue")
    assert found["prologue", "Q", "size"] == (None, None, "batch")
    assert found["prologue", None, "elements"] == (None, None, "batch")
    assert found["layouts", "V", "memory"] == ((8 * 3 + 6) * 8, 8 * 4 * 8, "caller")
    assert found["open", "W", "memory"] == (None, None, "caller")
    assert found["sums", "Z_parts", "memory"] == (4 * 8, 4 * 8, "host")
    scratch, apart, supplier = found["scratch", None, "scratch"]
    assert (scratch, supplier) == (apart, "host")
    assert scratch >= 370 * 370 * 8


def test_the_manual_shows_the_arguments_of_its_example() -> None:
    manual = (ROOT / "docs" / "opencl.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## The description for other hosts\n(.*?)^## ", manual, re.MULTILINE | re.DOTALL)
    (text,) = re.findall(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    (stages,) = translate_text(Session(DEFAULT), Source("text", text), Level.EIN)
    artifact = stages.at(Level.CL)
    assert isinstance(artifact, Artifact)
    (kernel,) = json.loads(artifacts_as_json([artifact]))
    columns, *rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in re.findall(r"^\|(?!---).*", section, re.M)
    ]
    arguments = [*kernel["arguments"], *kernel["prologue"]["arguments"]]
    shown = [["" if each[name] is None else str(each[name]) for name in columns] for each in arguments]
    assert [row for row in rows if row != columns] == shown


def objects(value: object) -> Iterator[dict[str, object]]:
    """All objects, outer ones first."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(each)


def test_the_schema_refuses_every_object_with_a_field_less_or_more() -> None:
    kernels = [each for each in described() if each["name"] in ("prologue", "group", "sums")]
    for kernel in kernels:
        for place, content in enumerate(objects([kernel])):
            for name in (*content, None):
                changed = [deepcopy(kernel)]
                its = next(each for number, each in enumerate(objects(changed)) if number == place)
                if name is None:
                    its["new"] = 1
                else:
                    del its[name]
                assert not VALIDATOR.is_valid(changed), (place, name)


class Host:
    """A host that has the JSON and the manual of OpenCL, and nothing of the runtime."""

    def __init__(self, kernel: dict[str, Any], given: dict[str, Any], batch: int) -> None:
        self.context, self.device, self.batch = DEVICE.context, DEVICE.handle, batch
        self.queue = cl.CommandQueue(self.context, self.device)
        self.kernel, self.given = kernel, given
        rounds = self.device.single_fp_config & cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT
        options = [kernel["build_options"], *([kernel["rounded_option"]] if rounds else [])]
        self.program = cl.Program(self.context, kernel["source"]).build(options)
        self.parameters = {each["name"]: each for each in kernel["parameters"]}
        self.buffers: dict[str, cl.Buffer] = {}
        self.host = {name: self.laid_out(name) for name in given if self.parameters[name]["kind"] != "scalar"}

    def extents(self, name: str) -> tuple[list[int], list[int]]:
        """Sizes and strides, the batch last."""
        parameter = self.parameters[name]
        sizes, strides, least = [], [], 1
        for mode, size in enumerate(parameter["shape"]):
            last = mode == len(parameter["modes"])
            known = self.batch if last else size or self.given[name].shape[parameter["modes"][mode] - self.rank(name)]
            sizes.append(known)
            strides.append(parameter["strides"][mode] or least)
            least = sizes[-1] * strides[-1]
        if parameter["kind"] == "group":
            return [*sizes, self.batch], [*strides, least]
        return sizes, strides

    def rank(self, name: str) -> int:
        return len(self.parameters[name]["modes"])

    def view(self, name: str, memory: np.ndarray) -> np.ndarray:
        """The entries in memory, modes as in the text behind the batch."""
        sizes, strides = self.extents(name)
        bytes_ = [stride * memory.itemsize for stride in strides]
        seen = np.lib.stride_tricks.as_strided(memory, sizes, bytes_)
        rank, modes = self.rank(name), self.parameters[name]["modes"]
        return seen.transpose(*range(rank, seen.ndim), *np.argsort(modes))

    def laid_out(self, name: str) -> np.ndarray:
        sizes, strides = self.extents(name)
        memory = np.zeros(1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True)))
        self.view(name, memory)[...] = self.given[name]
        return memory

    def buffer(self, argument: dict[str, Any]) -> cl.Buffer:
        """Memory for an argument, once for the kernel and its prologue."""
        name, flags = argument["parameter"], cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        if name in self.buffers:
            return self.buffers[name]
        match argument["kind"], argument["supplier"]:
            case "scratch", "host":
                size = argument["bytes"] + argument["distance"]  # for two work-groups
                return cl.Buffer(self.context, cl.mem_flags.READ_WRITE, size)
            case "memory", "prologue":
                content = np.zeros(argument["bytes"], np.uint8)
            case "memory", "values":
                parameter = self.parameters[name]
                content = np.zeros(argument["bytes"] // 8)
                shape = [size for size, _ in zip(parameter["shape"], parameter["modes"], strict=False)]
                for position, value in enumerate(parameter["values"]):
                    index = np.unravel_index(position, shape, order="F")
                    content[np.dot(index, parameter["strides"])] = value
            case "memory", "caller":
                content = self.host[name]
                if argument["bytes"] is not None:
                    expected = argument["bytes"] + (self.batch - 1) * argument["distance"]
                    assert content.nbytes == expected
            case "addresses", "caller":
                distance = self.extents(name)[1][-1] * 8
                content = self.host[name].ctypes.data + distance * np.arange(self.batch, dtype=np.uint64)
            case _:
                pytest.fail(f"nobody supplies {argument}")
        self.buffers[name] = cl.Buffer(self.context, flags, hostbuf=content)
        return self.buffers[name]

    def number(self, argument: dict[str, Any], batch: int) -> np.generic:
        name, mode, kind = argument["parameter"], argument["mode"], argument["kind"]
        if argument["supplier"] == "batch":
            return np.int64(batch)
        if kind == "scalar":
            return {"f64": np.float64, "i64": np.int64}[argument["type"]](self.given[name])
        return np.int64(self.extents(name)[("size", "stride").index(kind)][mode])

    def start(self, function: dict[str, Any], batch: int) -> None:
        kernels = [cl.Kernel(self.program, entry) for entry in (function["entry"], *function["later"])]
        for each in function["arguments"]:
            value = self.buffer(each) if each["is_memory"] else self.number(each, batch)
            for kernel in kernels:
                kernel.set_arg(each["position"], value)
        groups = -(-batch // function["elements_per_group"]) * function["groups_per_element"]
        groups = min(groups, 2) if function["scratch"] else groups
        m, n = function["work_group_size"]
        for kernel in kernels:
            cl.enqueue_nd_range_kernel(self.queue, kernel, (m, n, groups), (m, n, 1))

    def run(self) -> dict[str, np.ndarray]:
        """What the kernel has written."""
        if self.kernel["prologue"] is not None:
            self.start(self.kernel["prologue"], 1)
        self.start(self.kernel, self.batch)
        self.queue.finish()
        written = {name for name, each in self.parameters.items() if each.get("is_written")}
        for name in written:
            if self.parameters[name]["kind"] == "tensor":
                cl.enqueue_copy(self.queue, self.host[name], self.buffers[name])
        return {name: self.view(name, self.host[name]) for name in written}


def test_a_host_launches_stages_one_after_the_other() -> None:
    (kernel,) = json.loads(artifacts_as_json([IN_STAGES]))
    VALIDATOR.validate([kernel])
    a = 1.0 + np.arange(111.0).reshape(37, 3)
    np.testing.assert_array_equal(Host(kernel, {"dt": 0.5, "A": a, "C": 0 * a}, 37).run()["C"], 5 * a + 0.5)


SHAPES = {"H": (7, 5), "K": (5, 5), "W": (11, 3)}


@pytest.mark.parametrize("name", ["prologue", "layouts", "sizes", "open", "group", "scratch"])
def test_a_host_that_knows_the_json_only_computes_the_same(name: str) -> None:
    if not DEVICE.facts.is_cpu:
        pytest.skip("addresses of the host, and kernels for CPUs")
    artifact = artifacts()[name]
    (kernel,) = (each for each in described() if each["name"] == name)
    assert [kernel["prologue"] is not None, kernel["scratch"] > 0] == [name == "prologue", name == "scratch"]
    batch = 3 if name == "scratch" else BATCH
    random = np.random.default_rng(7)
    given: dict[str, Any] = {}
    for each in kernel["arguments"]:
        parameter = next((other for other in kernel["parameters"] if other["name"] == each["parameter"]), None)
        if each["supplier"] != "caller" or parameter is None or each["kind"] not in ("scalar", "memory", "addresses"):
            continue
        if parameter["kind"] == "scalar":
            given[parameter["name"]] = 0.75
            continue
        modes = parameter["modes"]
        shape = SHAPES.get(parameter["name"]) or tuple(parameter["shape"][modes.index(i)] for i in range(len(modes)))
        batched = parameter["kind"] == "group" or parameter["batched"]
        given[parameter["name"]] = random.random((batch, *shape) if batched else shape)
    found = Host(kernel, given, batch).run()
    before = {written: given[written].copy() for written in found}
    Kernel(artifact, DEVICE)(**given)
    for written, result in found.items():
        assert not np.array_equal(before[written], given[written])
        np.testing.assert_array_equal(result, given[written])
