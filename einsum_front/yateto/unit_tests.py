"""`test-kernel.cpp` and `KernelTest.t.h`: each kernel on generated entries, against loops that follow the script.

The first is for doctest, the second for CxxTest. The loops carry the sum of absolute values with each entry, from
which the bound of the difference follows.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from math import prod
from pathlib import Path

from einsum_front.core.storage import Storage
from einsum_front.package.loops import Loops, accesses, points, result_size, roundings
from einsum_front.yateto.arch import Architecture
from einsum_front.yateto.codegen.code import Cpp
from einsum_front.yateto.identifiers import joined
from einsum_front.yateto.kernels import Member, Struct
from einsum_front.yateto.stored import entry_type, stored_runs
from einsum_front.yateto.subroutines import spelled
from einsum_front.yateto.type import Tensor

MOST_POINTS = 2**28
"""Of the loops of a kernel; one with more has no test."""

Runs = list[tuple[int, int, int]]
"""Place in memory, position in the packed tensor, and number of entries."""


def write_tests(folder: Path, namespace: str, structs: Sequence[Struct], arch: Architecture) -> None:
    """Writes both files into a folder."""
    tests = [_Test(namespace, struct, number, member, arch) for struct, number, member in _members(structs)]
    tested = [each for each in tests if points(each.kernel) <= MOST_POINTS]
    with Cpp(str(folder / "test-kernel.cpp")) as cpp:
        _write_functions(cpp, tested, len(tests))
        cpp.include("doctest.h")
        with cpp.Function("TEST_CASE", f'"yateto kernels for \\"{namespace}\\""', ""):
            for each in tested:
                cpp(f'SUBCASE("{each.title}") {{ CHECK({each.name}() <= 1.0); }}')
    with Cpp(str(folder / "KernelTest.t.h")) as cpp, cpp.HeaderGuard(f"{_guard(namespace)}_KERNELTEST_T_H"):
        _write_functions(cpp, tested, len(tests))
        cpp.includeSys("cxxtest/TestSuite.h")
        with cpp.Namespace(joined(namespace, "unit_test")):
            cpp("class KernelTestSuite : public CxxTest::TestSuite {")
            cpp("public:")
            for each in tested:
                cpp(f"  void {each.name}() {{ TS_ASSERT_LESS_THAN_EQUALS(::{each.name}(), 1.0); }}")
            cpp("};")


def _guard(namespace: str) -> str:
    return namespace.upper().replace("::", "_")


def _members(structs: Iterable[Struct]) -> Iterator[tuple[Struct, int | None, Member]]:
    for struct in structs:
        for number, member in struct.members.items():
            yield struct, number, member


def _write_functions(cpp: Cpp, tests: "Sequence[_Test]", count: int) -> None:
    """Everything but what the framework of tests says."""
    for header in ("kernel.h", "init.h"):
        cpp.include(header)
    for header in ("cmath", "cstddef", "cstdint", "limits"):
        cpp.includeSys(header)
    cpp(files(__package__).joinpath("templates", "kernel_test.h").read_text(encoding="utf-8"))
    if len(tests) < count:
        cpp(f"// {count - len(tests)} kernels have no test: their loops would take too long")
    cpp("namespace {")
    for each in tests:
        cpp.emptyline()
        each.write(cpp)
    cpp("} // namespace")


class _Test:
    """The test of one kernel."""

    def __init__(self, namespace: str, struct: Struct, number: int | None, member: Member, arch: Architecture) -> None:
        self.member, self.kernel = member, member.stored.kernel
        self.title = joined(struct.namespace, struct.name) + ("" if number is None else f"({number})")
        suffix = "" if number is None else f"_{number}"
        self.name = "test_" + "_".join([*struct.namespace.split("::"), struct.name]).strip("_") + suffix
        self._class = joined(namespace, struct.namespace, "kernel", struct.name)
        self._execute = f"execute{'' if number is None else number}"
        self._real, self._alignment = arch.typename, arch.cacheline
        # what a kernel has built in, it does not read
        self._known = {each.name for each in member.stored.program.tensors if each.values is not None}

    def write(self, cpp: Cpp) -> None:
        """Its function: the most that an entry differs, as a multiple of what it may."""
        member, names = self.member, self.member.names
        with cpp.Function(self.name, "", "double"):
            cpp("std::uint64_t state = 1;")
            for tensor in member.tensors:
                name, real = names[tensor], entry_type(tensor, self._real)
                if name in self._known:
                    cpp(f"alignas({self._alignment}) static {real} m_{name}[1];")
                    continue
                cpp(f"static constexpr run entries_{name}[] = {_runs(tensor, only_nonzero=True)};")
                size = tensor.memoryLayout().requiredReals()
                cpp(f"alignas({self._alignment}) static {real} m_{name}[{size}];")
                cpp(f"static entry t_{name}[{prod(tensor.shape())}];")
                cpp(f"fill(m_{name}, t_{name}, entries_{name}, state);")
            for scalar in member.scalars:
                cpp(f"double const s_{names[scalar]} = next(state);")
            cpp(f"{self._class} krnl;")
            for scalar in member.scalars:
                cpp(f"krnl.{spelled(scalar)} = static_cast<{self._real}>(s_{names[scalar]});")
            for tensor in member.tensors:
                cpp(f"krnl.{spelled(tensor)} = m_{names[tensor]};")
            cpp(f"krnl.{self._execute}();")
            self._write_loops(cpp)
            cpp("double worst = 0;")
            for tensor in member.tensors:
                name, is_written = names[tensor], tensor in member.written
                if name in self._known:
                    continue
                allowed = roundings(self.kernel) if is_written else 0
                runs = f"entries_{name}"
                if is_written:
                    runs = f"stored_{name}"
                    cpp(f"static constexpr run {runs}[] = {_runs(tensor, only_nonzero=False)};")
                cpp(f"worst = std::fmax(worst, difference<{self._real}>(m_{name}, t_{name}, {runs}, {allowed}));")
            cpp("return worst;")

    def _write_loops(self, cpp: Cpp) -> None:
        """The statements of the script on packed tensors; temporaries begin as zeros."""
        used = dict.fromkeys(access.tensor for access in accesses(self.kernel))
        declared = {each.name: each for each in self.member.stored.program.tensors if each.name in used}
        for tensor in declared.values():
            if tensor.storage is Storage.TEMPORARY:
                cpp(f"static entry t_{tensor.name}[{prod(tensor.shape)}];")
                cpp(f"for (entry& each : t_{tensor.name}) each = {{0, 0}};")
            elif tensor.values is not None:
                entries = ", ".join(f"{{{value!r}, {abs(value)!r}}}" for value in tensor.values)
                cpp(f"static constexpr entry t_{tensor.name}[] = {{{entries}}};")
        cpp(f"static entry result[{result_size(self.kernel)}];")
        cpp("int count;")
        scalars = {self.member.names[scalar]: f"s_{self.member.names[scalar]}" for scalar in self.member.scalars}
        loops = Loops(declared, {name: f"t_{name}" for name in declared}, scalars)
        cpp(loops.text(self.kernel.statements))


def _runs(tensor: Tensor, *, only_nonzero: bool) -> str:
    """The stored entries of a tensor, all or those that may differ from zero."""
    found = stored_runs(tensor, only_nonzero=only_nonzero)
    return "{" + ", ".join(f"{{{place}, {packed}, {count}}}" for place, packed, count in found) + "}"
