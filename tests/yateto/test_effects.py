"""Everything that a script or a program can set has a place in a table, and does what the table says.

`effects.txt` has a line for each function and class that scripts call: its parameters, and behind `without` those that
are taken and deliberately change nothing. Each of these stands with its reason in `docs/yateto.md`. A parameter that is
new fails the first test until it has its place; what is written shows that the others have an effect.
"""

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.yateto import (
    Collection,
    CSCMemoryLayout,
    Datatype,
    DenseMemoryLayout,
    DeviceArchDefinition,
    Eigen,
    Generator,
    GeneratorCollection,
    GlobalRoutineCache,
    HostArchDefinition,
    NamespacedGenerator,
    PSpaMM,
    Scalar,
    Tensor,
    deriveArchitecture,
    fixArchitectureGlobal,
    gemm_configuration,
    simpleParameterSpace,
    useArchitectureIdentifiedBy,
)
from einsum_front.yateto.ast.cost import ExactCost
from einsum_front.yateto.gemm_configuration import GemmTool
from einsum_front.yateto.input import memoryLayoutFromFile, parseJSONMatrixFile, parseXMLMatrixFile
from einsum_front.yateto.util import tensor_collection_from_constant_expression, tensor_from_constant_expression

TABLE = Path(__file__).with_name("effects.txt")
MANUAL = Path(__file__).parents[2] / "docs" / "yateto.md"
MODULES = (
    "arch", "generator", "gemm_configuration", "type", "identifiers", "formula", "memory", "input", "util", "aspp",
    "ast.cost", "ast.node", "ast.transformer", "ast.visitor", "codegen.code",
)  # fmt: skip
"""Those that scripts import, by the manual."""


def table() -> Iterator[tuple[str, list[str], list[str]]]:
    """The functions with the parameters that have an effect and those that have none."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition(":")
            works, _, idle = rest.partition("without")
            yield name, works.split(), idle.split()


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What scripts call, by name: functions, classes, and their public methods."""
    for module in (importlib.import_module(f"einsum_front.yateto.{each}") for each in MODULES):
        for name, found in vars(module).items():
            if name.startswith("_") or getattr(found, "__module__", None) != module.__name__:
                continue
            if isinstance(found, FunctionType):
                yield name, found
            elif inspect.isclass(found) and not issubclass(found, Enum) and not getattr(found, "_is_protocol", False):
                yield name, found
                methods = ((m, f) for m, f in vars(found).items() if not m.startswith("_"))
                yield from (
                    (f"{name}.{m}", getattr(f, "__func__", f)) for m, f in methods if callable(f) or _is_bound(f)
                )


def _is_bound(found: object) -> bool:
    return isinstance(found, classmethod | staticmethod)


def parameters(found: Callable[..., Any]) -> list[str]:
    """Without the object itself."""
    try:
        names = list(inspect.signature(found).parameters)
    except ValueError:
        return []
    return [name for name in names if name not in ("self", "cls", "args", "kwargs", "kwds")]


def test_every_parameter_has_its_place() -> None:
    """`python -m tests.yateto.test_effects` prints what there is."""
    listed = {name: sorted((*works, *idle)) for name, works, idle in table()}
    assert listed == {name: sorted(found) for name, each in callables() if (found := parameters(each))}


def test_the_manual_says_why_some_have_none() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    start = text.index("### Without effect")
    section = text[start : text.index("\n#", start + 5)]
    rows = [re.findall(r"`([^`]+)`", line.split("|")[1]) for line in section.splitlines() if line.startswith("| `")]
    said = {name for row in rows for name in row}
    tools = {
        name for name, each in vars(gemm_configuration).items() if inspect.isclass(each) and issubclass(each, GemmTool)
    }
    idle = {("GemmTool" if name in tools else name, each) for name, _, parameters in table() for each in parameters}
    assert {f"{name}({each})" for name, each in idle} <= said


# -- what is written ---------------------------------------------------------------------------------------------------

Script = Callable[[Path], object]


def formula(**more: Any) -> Any:
    """`A[i,j] = B[i,j]`, where B has some other arguments."""
    shape = more.pop("shape", (6, 6))
    B = Tensor(more.pop("name", "B"), shape, **more)
    return Tensor("A", shape)["ij"] <= B["ij"]


def add(arch: Any = None, **more: Any) -> Script:
    """A script that adds a kernel and generates."""

    def run(folder: Path) -> None:
        generator = Generator(useArchitectureIdentifiedBy("dskx", "dsm_90", "cuda") if arch is None else arch())
        generator.add(**{"name": "f", "ast": formula(), **more})
        generator.generate(str(folder))

    return run


def add_family(**more: Any) -> Script:
    """A script that adds a family."""

    def run(folder: Path) -> None:
        generator = Generator(useArchitectureIdentifiedBy("dskx", "dsm_90", "cuda"))
        given = {"name": "f", "parameterSpace": simpleParameterSpace(2), "astGenerator": lambda _i: formula()}
        generator.addFamily(**{**given, **more})
        generator.generate(str(folder))

    return run


def generate(**more: Any) -> Script:
    """A script whose `generate` is given more."""

    def run(folder: Path) -> None:
        generator = Generator(useArchitectureIdentifiedBy("dskx"))
        generator.add("f", formula())
        target = folder / more.pop("outputDir", "")
        target.mkdir(exist_ok=True)
        generator.generate(str(target), **more)
        cache = more.get("routine_cache")
        if cache is not None:
            (folder / "shared").mkdir()
            cache.generate(str(folder / "shared"))

    return run


def host(**more: Any) -> Script:
    """A script for a host that is defined so."""
    given = {"archname": "skx", "precision": "d", "alignment": None, "prefetch": None, **more}

    def arch() -> Any:
        made = deriveArchitecture(HostArchDefinition(**given), None)
        fixArchitectureGlobal(made)
        return made

    def run(folder: Path) -> None:
        made = arch()
        add(lambda: made, ast=formula(alignStride=True), prefetch=Tensor("I", (40,)))(folder)

    return run


def device(ast: Any = None, **more: Any) -> Script:
    """A script for a device that is defined so."""
    given = {
        "archname": "sm_90", "vendor": "nvidia", "backend": "cuda", "precision": "d", "alignment": None, **more
    }  # fmt: skip

    def run(folder: Path) -> None:
        made = deriveArchitecture(
            HostArchDefinition("skx", given["precision"], None, None), DeviceArchDefinition(**given)
        )
        fixArchitectureGlobal(made)
        add(lambda: made, ast=ast or formula(alignStride=True, shape=(17, 3)), target="gpu")(folder)

    return run


def tensor(**more: Any) -> Script:
    """A script with a tensor that is defined so."""

    def run(folder: Path) -> None:
        useArchitectureIdentifiedBy("dskx")
        B = Tensor(**{"name": "B", "shape": (6, 6), **more})
        letters = "ij"[: len(B.shape())]
        A = Tensor("A", B.shape())
        statements = [A[letters] <= B[letters]]
        if B.temporary:
            statements.insert(0, B[letters] <= 2.0 * Tensor("C", B.shape())[letters])
        add(lambda: useArchitectureIdentifiedBy("dskx"), ast=statements)(folder)

    return run


def scaled(*given: Any) -> Script:
    """A script with a scalar."""

    def run(folder: Path) -> None:
        useArchitectureIdentifiedBy("dskx")
        A = Tensor("A", (4,))
        add(lambda: useArchitectureIdentifiedBy("dskx"), ast=A["i"] <= Scalar(*given) * Tensor("B", (4,))["i"])(folder)

    return run


def read(parse: Callable[..., Collection], content: str, **more: Any) -> Script:
    """A script that reads a file of matrices."""

    def run(folder: Path) -> None:
        useArchitectureIdentifiedBy("dskx")
        file = folder / "matrices.txt"
        file.write_text(content, encoding="utf-8")
        db = parse(str(file), **more)
        for name, found in vars(db).items():
            each = found[0] if isinstance(found, dict) else found
            out = Tensor("A", each.shape())
            add(lambda: useArchitectureIdentifiedBy("dskx"), ast=out["ij"] <= each["ij"])(folder)
            assert name

    return run


PRODUCT = Tensor("A", (32, 32))["ij"] <= Tensor("B", (32, 32))["ik"] * Tensor("C", (32, 32))["kj"]
"""What some devices have instructions for."""

XML = '<m><matrix name="K" rows="3" columns="4"><entry row="1" column="2" value="2.5"/>\
<entry row="3" column="4" value="1"/></matrix></m>'
JSON = '[{"name": "K", "rows": 3, "columns": 4, "entries": [[1, 2, "2.5"], [3, 4, "1"]]}]'
I = Tensor("I", (20, 9))  # noqa: E741
GROUP = [Tensor(f"G({d})", (5,)) for d in range(2)]
WORKS: Mapping[str, tuple[Script, Script]] = {
    "add(name)": (add(), add(name="g")),
    "add(ast)": (add(), add(ast=formula(name="C"))),
    "add(prefetch)": (add(), add(prefetch=I)),
    "add(prefetch), a list": (add(prefetch=[I]), add(prefetch=[I, GROUP[1]])),
    "add(prefetch), on a GPU": (add(target="gpu"), add(target="gpu", prefetch=I)),
    "add(namespace)": (add(), add(namespace="inner")),
    "add(target)": (add(), add(target="gpu")),
    "addFamily(name)": (add_family(), add_family(name="g")),
    "addFamily(parameterSpace)": (add_family(), add_family(parameterSpace=simpleParameterSpace(3))),
    "addFamily(astGenerator)": (add_family(), add_family(astGenerator=lambda _i: formula(name="C"))),
    "addFamily(prefetchGenerator)": (add_family(), add_family(prefetchGenerator=lambda i: GROUP[i])),
    "addFamily(namespace)": (add_family(), add_family(namespace="inner")),
    "addFamily(target)": (add_family(), add_family(target="gpu")),
    "generate(outputDir)": (generate(), generate(outputDir="other")),
    "generate(namespace)": (generate(), generate(namespace="other")),
    "generate(include_tensors)": (generate(), generate(include_tensors={I})),
    "generate(routine_cache)": (generate(), generate(routine_cache=GlobalRoutineCache())),
    "HostArchDefinition(archname)": (host(), host(archname="hsw", alignment=64)),
    "HostArchDefinition(precision)": (host(), host(precision="s")),
    "HostArchDefinition(alignment)": (host(), host(alignment=32)),
    "HostArchDefinition(prefetch)": (host(), host(prefetch=False)),
    "DeviceArchDefinition(archname)": (device(ast=PRODUCT), device(ast=PRODUCT, archname="sm_75")),
    "DeviceArchDefinition(vendor)": (device(), device(vendor="amd")),
    "DeviceArchDefinition(backend)": (device(), device(backend="hip", archname="gfx90a")),
    "DeviceArchDefinition(precision)": (device(), device(precision="s")),
    "DeviceArchDefinition(alignment)": (device(), device(alignment=256)),
    "Tensor(name)": (tensor(), tensor(name="C")),
    "Tensor(shape)": (tensor(), tensor(shape=(6, 5))),
    "Tensor(spp)": (tensor(), tensor(spp=np.eye(6, dtype=bool))),
    "Tensor(spp), values": (tensor(spp=np.eye(6, dtype=bool)), tensor(spp=np.eye(6))),
    "Tensor(memoryLayoutClass)": (tensor(), tensor(memoryLayoutClass=CSCMemoryLayout)),
    "Tensor(datatype)": (tensor(), tensor(datatype=Datatype.F32)),
    "Tensor(alignStride)": (tensor(), tensor(alignStride=True)),
    "Tensor(namespace)": (tensor(), tensor(namespace="inner")),
    "Tensor(temporary)": (tensor(), tensor(temporary=True)),
    "Scalar(name)": (scaled("a"), scaled("b")),
    "Scalar(namespace)": (scaled("a(0)"), scaled("a(0)", "inner")),
    "parseXMLMatrixFile(clones)": (
        read(parseXMLMatrixFile, XML), read(parseXMLMatrixFile, XML, clones={"K": ["L(0)"]}),
    ),
    "parseXMLMatrixFile(transpose)": (
        read(parseXMLMatrixFile, XML), read(parseXMLMatrixFile, XML, transpose=lambda _name: True),
    ),
    "parseXMLMatrixFile(alignStride)": (
        read(parseXMLMatrixFile, XML), read(parseXMLMatrixFile, XML, alignStride=lambda _name: True),
    ),
    "parseXMLMatrixFile(namespace)": (read(parseXMLMatrixFile, XML), read(parseXMLMatrixFile, XML, namespace="inner")),
    "parseJSONMatrixFile(clones)": (
        read(parseJSONMatrixFile, JSON), read(parseJSONMatrixFile, JSON, clones={"K": ["L(0)"]}),
    ),
    "parseJSONMatrixFile(transpose)": (
        read(parseJSONMatrixFile, JSON), read(parseJSONMatrixFile, JSON, transpose=lambda _name: True),
    ),
    "parseJSONMatrixFile(alignStride)": (
        read(parseJSONMatrixFile, JSON), read(parseJSONMatrixFile, JSON, alignStride=lambda _name: True),
    ),
    "parseJSONMatrixFile(namespace)": (
        read(parseJSONMatrixFile, JSON), read(parseJSONMatrixFile, JSON, namespace="inner"),
    ),
}  # fmt: skip
"""Two scripts that differ in one argument, which write different files."""

IDLE: Mapping[str, tuple[Script, Script]] = {
    "generate(gemm_cfg)": (generate(), generate(gemm_cfg=GeneratorCollection([PSpaMM(None, "pspamm", 7)]))),  # type: ignore[arg-type]
    "generate(cost_estimator)": (generate(), generate(cost_estimator=ExactCost)),
    "generate(routine_exporters)": (generate(), generate(routine_exporters={"gpu": Eigen})),
    "Tensor(alignStride) of a temporary": (tensor(temporary=True), tensor(temporary=True, alignStride=True)),
}
"""The same, for arguments without effect: they write the same."""


def written(script: Script, folder: Path) -> dict[str, bytes]:
    """What a script writes."""
    before = DenseMemoryLayout.ALIGNMENT_ARCH
    folder.mkdir()
    script(folder)
    DenseMemoryLayout.ALIGNMENT_ARCH = before
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.name != "matrices.txt"}


@pytest.mark.parametrize("argument", WORKS)
def test_an_argument_changes_what_is_written(argument: str, tmp_path: Path) -> None:
    one, other = WORKS[argument]
    assert written(one, tmp_path / "one") != written(other, tmp_path / "other")


@pytest.mark.parametrize("argument", IDLE)
def test_an_argument_without_effect_changes_nothing(argument: str, tmp_path: Path) -> None:
    one, other = IDLE[argument]
    assert written(one, tmp_path / "one") == written(other, tmp_path / "other")


def test_what_is_lost_is_an_error() -> None:
    generator = Generator(useArchitectureIdentifiedBy("dskx"))
    generator.add("f", formula())
    generator.add("f", formula(), namespace="inner")
    with pytest.raises(ValueError, match=r"E0170.*: the kernel `f` is added twice"):
        generator.add("f", formula())
    with pytest.raises(CompileError, match=r"E0175.*: `routine_cache` is 'cache'"):
        generator.generate("unused", routine_cache="cache")


def test_families_of_several_namespaces_are_all_there(tmp_path: Path) -> None:
    generator = Generator(useArchitectureIdentifiedBy("dskx"))
    for number, space in enumerate(("one", "two"), start=1):
        inner = NamespacedGenerator(generator, space)
        inner.addFamily("f", simpleParameterSpace(number, 2), lambda _i, _j: formula())
    assert generator.generate(str(tmp_path))["kernels"] == {"one::f", "two::f"}
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    assert header.count("struct f {") == 2
    assert "ExecutePtrs[1*i0 + 1*i1]" in header
    assert "ExecutePtrs[1*i0 + 2*i1]" in header


def test_without_prefetches_the_members_stay(tmp_path: Path) -> None:
    host(prefetch=False)(tmp_path)
    assert "Prefetch _prefetch;" in (tmp_path / "kernel.h").read_text(encoding="utf-8")
    assert "prefetch" not in (tmp_path / "subroutine.cpp").read_text(encoding="utf-8")


def test_constant_expressions_and_layouts_take_what_they_are_given(tmp_path: Path) -> None:
    K = Tensor("K", (2, 3), np.array([[1.5, 0, 0], [0, 0, 2.5]]))
    useArchitectureIdentifiedBy("dskx")
    made = tensor_from_constant_expression("L", K["ij"], "ji", np.float32, {"alignStride": True, "namespace": "n"})
    assert (made.name(), made.shape(), made.namespace) == ("L", (3, 2), "n")
    assert made.memoryLayout().alignedStride()
    several = tensor_collection_from_constant_expression(
        "M", lambda i: float(i) * K["ij"], [(1,), (3,)], "ji", np.float32, {"namespace": "n"}
    )
    assert {number: (each.shape(), each.namespace) for number, each in several["M"].items()} == {
        1: ((3, 2), "n"), 3: ((3, 2), "n"),
    }  # fmt: skip
    file = tmp_path / "layout.xml"
    file.write_text('<m><matrix name="K" sparse="true"/><matrix name="other"/></m>', encoding="utf-8")
    db = Collection()
    db["K"] = K
    memoryLayoutFromFile(str(file), db, {})
    assert isinstance(K.memoryLayout(), CSCMemoryLayout)
    with pytest.raises(ValueError, match="E0177"):
        memoryLayoutFromFile(str(file), db, {}, strict=True)


if __name__ == "__main__":
    for name, each in callables():
        if found := parameters(each):
            sys.stdout.write(f"{name}: {' '.join(found)}\n")
