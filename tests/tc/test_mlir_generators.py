"""MLIR's generators of named operations, as judges of definitions of tc.

`mlir-linalg-ods-gen` of LLVM 13 is the program that the syntax comes from; `mlir-linalg-ods-yaml-gen` reads the YAML of
today. `make tc` compares 200 definitions; without the programs nothing here runs.
"""

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import map_text
from einsum_front.tc.declared import function_of, structured
from einsum_front.tc.nodes import Definition, Program
from einsum_front.tc.ods_yaml import ods_yaml
from einsum_front.tc.unparse import definition_text
from tests.tc.strategies import Case, cases

ODS_GEN = next(filter(None, map(shutil.which, ("mlir-linalg-ods-gen-13", "mlir-linalg-ods-gen"))), None)
YAML_GEN = next(filter(None, map(shutil.which, ("mlir-linalg-ods-yaml-gen-22", "mlir-linalg-ods-yaml-gen"))), None)
EXAMPLES = int(os.environ.get("TC_DEFINITIONS", "20"))
"""Definitions that are compared; `make tc` asks for 200."""

MAP = re.compile(r"AffineMap::get\((\d+), \d+, \{([^}]*)\}")
ITERATOR = re.compile(r"get(Parallel|Reduction)IteratorTypeName")
YAML_MAP = re.compile(r"affine_map<\(([^)]*)\)(?:\[[^]]*\])? -> \(([^>]*)\)>")

judged = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


def output_of(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr, done.stderr
    return done.stdout


def ours(definition: Definition) -> tuple[list[str], list[str]]:
    function = function_of(definition)
    count = len(definition.inputs)
    node = structured(definition, function.arguments[:count], function.arguments[count:])
    kinds = ["Parallel" if each is mlir.IteratorType.PARALLEL else "Reduction" for each in node.iterators]
    return kinds, [map_text(each) for each in node.maps]


def whole(dims: int, results: str) -> str:
    return f"affine_map<({', '.join(f'd{n}' for n in range(dims))}) -> ({results})>"


@pytest.mark.skipif(ODS_GEN is None, reason="mlir-linalg-ods-gen is not installed (mlir-13-tools)")
@judged
@given(case=cases())
def test_iterators_and_maps_are_those_of_the_original(tmp_path_factory: pytest.TempPathFactory, case: Case) -> None:
    definition = replace(case.definition, ods_name="FooOp")
    path = tmp_path_factory.mktemp("tc") / "foo.tc"
    path.write_text(definition_text(definition))
    text = output_of(ODS_GEN or "", "-gen-impl=1", path)
    head, _, rest = text.partition("indexing_maps()")
    maps = [whole(int(dims), results) for dims, results in MAP.findall(rest.partition("getAffineMapArrayAttr")[0])]
    assert (ITERATOR.findall(head), maps) == ours(definition)


@pytest.mark.skipif(YAML_GEN is None, reason="mlir-linalg-ods-yaml-gen is not installed (mlir-22-tools)")
@judged
@given(case=cases())
def test_the_generator_of_today_reads_what_we_write(tmp_path_factory: pytest.TempPathFactory, case: Case) -> None:
    folder = tmp_path_factory.mktemp("yaml")
    (folder / "ops.yaml").write_text(ods_yaml(Program((case.definition,))))
    implementation = folder / "ops.cpp"
    output_of(YAML_GEN or "", folder / "ops.yaml", f"-o-ods-decl={folder / 'ops.td'}", f"-o-impl={implementation}")
    text = implementation.read_text()
    maps = [whole(len(dims.split(", ")) if dims else 0, results) for dims, results in YAML_MAP.findall(text)]
    kinds = ["Parallel" if each == "parallel" else "Reduction" for each in re.findall(r"IteratorType::(\w+)", text)]
    assert (kinds, maps) == ours(case.definition)
