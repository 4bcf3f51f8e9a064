"""Kernels of a script, and the program that they become.

`generate` writes into the folder that the script names: `kernel.ein`, which every command of einsum-front reads, and
`kernel.npz`, what the script says of the entries of tensors; and C++: `tensor.h` and `init.h` (`headers`), `kernel.h`
(`kernels`), `subroutine.h` (`subroutines`), `test-kernel.cpp` (`unit_tests`).
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from einsum_front.driver import Session
from einsum_front.files import replacing, write_text
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram
from einsum_front.notation.unparse import placed
from einsum_front.yateto.arch import Architecture
from einsum_front.yateto.formula import Assign, entries_of, scalars_of
from einsum_front.yateto.headers import write_headers
from einsum_front.yateto.identifiers import BASE_NAME, GROUP_INDEX, IdentifiedType, joined
from einsum_front.yateto.kernels import Member, Struct, write_kernels
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.session import Generated, GeneratedKernel, current
from einsum_front.yateto.stored import stored
from einsum_front.yateto.subroutines import (
    Function,
    gpu_session,
    gpu_subroutine,
    session_for,
    subroutine,
    write_subroutines,
)
from einsum_front.yateto.translation import Statements, Translated, translate
from einsum_front.yateto.type import Tensor
from einsum_front.yateto.unit_tests import write_tests

PROGRAM, PATTERNS = "kernel.ein", "kernel.npz"
_SESSIONS: dict[str, Callable[[Architecture], Session | None]] = {"cpu": session_for, "gpu": gpu_session}
TARGETS = tuple(_SESSIONS)

_NAME = re.compile(rf"({BASE_NAME})(?:\(({GROUP_INDEX})\))?", re.ASCII)
_FOLDER = str(Path(__file__).parent)

Statement = Assign | Sequence[Assign]
Point = tuple[int, ...]
Prefetch = Tensor | list[Tensor] | None


class Kernel:
    """Statements that run in order, `ast`; `number` is that in its family."""

    def __init__(
        self,
        name: str,
        ast: Statement,
        prefetch: Prefetch,
        namespace: str | None,
        target: str,
        number: int | None = None,
    ) -> None:
        self.name = name if number is None else f"_{name}_{number}"
        self.base, self.number = name, number
        self.ast = [ast] if isinstance(ast, Assign) else list(ast)
        self.namespace = namespace or ""
        self.target = target
        self._prefetch = _prefetched(name, prefetch)
        self.place = _place_in_script(sys._getframe(1))
        if target not in TARGETS:
            raise rejected(
                "E0175", f"`{target}` is no target of kernel `{name}`", f"the targets are {', '.join(TARGETS)}"
            )
        for each in self.ast:
            if not isinstance(each, Assign):
                words = f"kernel `{name}` has {each!r} among its statements"
                raise rejected("E0175", words, "a statement is an assignment such as Q['kp'] <= I['kp']")

    def prefetch(self) -> list[Tensor] | None:
        """Tensors whose memory, as `_prefetch` says where it is, is fetched while the kernel runs."""
        return self._prefetch

    def statements(self) -> Statements:
        """The kernel for its translation."""
        name = self.base if self.number is None else f"{self.base}_{self.number}"
        return Statements(joined(self.namespace, name), tuple(self.ast), self.place)

    def spelling(self) -> str:
        """Its name in C++: `dynamicRupture::nodalFlux(3)`."""
        return joined(self.namespace, self.base) + ("" if self.number is None else f"({self.number})")


class Generator:
    """Collects kernels, and generates them."""

    def __init__(self, arch: Architecture) -> None:
        self._arch = arch
        self._kernels: list[Kernel] = []
        self._families: dict[tuple[str, str], dict[int, Kernel]] = {}
        self._strides: dict[tuple[str, str], tuple[int, ...]] = {}

    def arch(self) -> Architecture:
        """Architecture of the generated code."""
        return self._arch

    def kernels(self) -> list[Kernel]:
        """All kernels, members of families last, by their numbers."""
        members = (family[number] for family in self._families.values() for number in sorted(family))
        return [*self._kernels, *members]

    def add(
        self, name: str, ast: Statement, prefetch: Prefetch = None, namespace: str | None = None, target: str = "cpu"
    ) -> None:
        """A kernel, or the member of a family: `derivative(1)`."""
        found = _NAME.fullmatch(name)
        if found is None:
            note = "a name is a letter, then letters, digits and `_`, then the number in a family such as `(0)` if any"
            raise rejected("E0170", f"`{name}` is no name of a kernel", note)
        if found.group(2) is None:
            kernel = Kernel(name, ast, prefetch, namespace, target)
            if kernel.spelling() in {each.spelling() for each in self._kernels}:
                raise rejected("E0170", f"the kernel `{kernel.spelling()}` is added twice")
            self._kernels.append(kernel)
        else:
            self._add_member(found.group(1), int(found.group(2)), ast, prefetch, namespace, target)

    def addFamily(
        self,
        name: str,
        parameterSpace: Iterable[Point],
        astGenerator: Callable[..., Statement],
        prefetchGenerator: Callable[..., Prefetch] | None = None,
        namespace: str | None = None,
        target: str = "cpu",
    ) -> None:
        """A kernel for each point of a space; of its numbers the first one runs fastest in that of the member."""
        points = list(parameterSpace)
        if _NAME.fullmatch(name) is None or not points:
            raise rejected("E0170", f"`{name}` is no name of a family of kernels, or the family has no members")
        strides = [1]
        for numbers in zip(*points, strict=True):
            strides.append(strides[-1] * (max(numbers) + 1))
        self._strides[namespace or "", name] = tuple(strides[:-1]) or (1,)
        for point in points:
            member = sum(number * stride for number, stride in zip(point, strides, strict=False))
            prefetch = None if prefetchGenerator is None else prefetchGenerator(*point)
            self._add_member(name, member, astGenerator(*point), prefetch, namespace, target)

    def _add_member(
        self, name: str, number: int, ast: Statement, prefetch: Prefetch, namespace: str | None, target: str
    ) -> None:
        family = self._families.setdefault((namespace or "", name), {})
        family[number] = Kernel(name, ast, prefetch, namespace, target, number)
        if len(targets := sorted({member.target for member in family.values()})) > 1:
            raise rejected("E0181", f"members of the family `{name}` have several targets: {' and '.join(targets)}")

    def generate(
        self,
        outputDir: str,
        namespace: str = "yateto",
        gemm_cfg: object = None,
        cost_estimator: object = None,
        include_tensors: Iterable[Tensor] = (),
        routine_cache: object = None,
        routine_exporters: object = None,
    ) -> dict[str, Any]:
        """Writes the program of all kernels into a folder, and says what is in it.

        Raises `CompileError` with all mistakes. Tools for matrix products, estimators of costs and exporters of
        routines are tokens: the planner and the schedules of einsum-front take their place.
        """
        if not (routine_cache is None or isinstance(routine_cache, GlobalRoutineCache)):
            raise rejected("E0175", f"`routine_cache` is {routine_cache!r}", "it is a `GlobalRoutineCache`")
        kernels = self.kernels()
        real = "f64" if self._arch.precision == "D" else "f32"
        statements = [kernel.statements() for kernel in kernels]
        translated = translate(statements, real, PATTERNS, promises_values=current().promises_values)
        path = Path(outputDir).resolve() / PROGRAM
        with replacing(path.with_name(PATTERNS)) as file:
            np.savez_compressed(file, **dict(translated.arrays), allow_pickle=False)
        source, program = placed(translated.program, PROGRAM)
        write_text(path, source.text)
        checked = check(program, directory=path.parent)
        used = self._used(include_tensors)
        write_headers(path.parent, namespace, used, self._arch)
        self._write_program(path.parent, namespace, translated, checked, routine_cache)
        made = (
            GeneratedKernel(kernel.spelling(), called, kernel.target, len(kernel.ast))
            for kernel, called in zip(kernels, translated.kernels, strict=True)
        )
        current().generated.append(Generated(namespace, path, tuple(made)))
        return {
            "namespace": namespace,
            "tensors": {each.baseNameWithNamespace() for each in used},
            "kernels": {joined(kernel.namespace, kernel.base) for kernel in kernels},
        }

    def _write_program(
        self, folder: Path, namespace: str, translated: Translated, program: CheckedProgram, cache: object
    ) -> None:
        """The kernels for C++, with their tests."""
        sessions = {
            target: _SESSIONS[target](self._arch) for target in sorted({each.target for each in self.kernels()})
        }
        names: dict[IdentifiedType, str] = {each: name for name, each in translated.tensors.items()}
        names |= {each: name for name, each in translated.scalars.items()}
        families: dict[tuple[str, str], dict[int | None, Member]] = {}
        for kernel, called in zip(self.kernels(), translated.kernels, strict=True):
            session = sessions[kernel.target]
            if session is None:
                continue
            found = next(each for each in program.kernels if each.name == called)
            lowered = stored(session, found, program, translated.tensors, self._prefetched(kernel))
            if kernel.target == "cpu":
                function: Function = subroutine(namespace, called, lowered)
            else:
                function = gpu_subroutine(namespace, lowered, names, session, self._arch.backend)
            member = Member(kernel.ast, kernel.prefetch() or (), lowered, function, names)
            families.setdefault((kernel.namespace, kernel.base), {})[kernel.number] = member
        structs = [
            Struct(name, space, members, () if None in members else self._strides.get((space, name), (1,)))
            for (space, name), members in families.items()
        ]
        functions = [member.function for struct in structs for member in struct.members.values()]
        if isinstance(cache, GlobalRoutineCache):
            cache.register(folder, functions)
        else:
            write_subroutines(folder, namespace, functions)
        write_kernels(folder, namespace, structs, self._arch)
        write_tests(folder, namespace, [each for each in structs if not each.is_on_gpu], self._arch)

    def _prefetched(self, kernel: Kernel) -> Sequence[Tensor]:
        """What a kernel prefetches; none do for a host that is defined with `prefetch=False`."""
        is_on = self._arch.prefetches or kernel.target != "cpu"
        return kernel.prefetch() or () if is_on else ()

    def _used(self, others: Iterable[Tensor]) -> list[IdentifiedType]:
        assignments = [each for kernel in self.kernels() for each in kernel.ast]
        tensors = [e.tensor for each in assignments for e in entries_of(each) if isinstance(e.tensor, Tensor)]
        return [
            *others,
            *(t for t in tensors if not t.temporary),
            *(t for kernel in self.kernels() for t in kernel.prefetch() or ()),
            *(s for each in assignments for s in scalars_of(each)),
        ]


class NamespacedGenerator:
    """A generator whose kernels stand in a namespace."""

    def __init__(self, generator: "Generator | NamespacedGenerator", namespace: str) -> None:
        self.generator = generator
        self.namespace = namespace

    def add(
        self, name: str, ast: Statement, prefetch: Prefetch = None, namespace: str | None = None, target: str = "cpu"
    ) -> None:
        """`Generator.add` in the namespace."""
        self.generator.add(name, ast, prefetch, joined(self.namespace, namespace), target)

    def addFamily(
        self,
        name: str,
        parameterSpace: Iterable[Point],
        astGenerator: Callable[..., Statement],
        prefetchGenerator: Callable[..., Prefetch] | None = None,
        namespace: str | None = None,
        target: str = "cpu",
    ) -> None:
        """`Generator.addFamily` in the namespace."""
        space = joined(self.namespace, namespace)
        self.generator.addFamily(name, parameterSpace, astGenerator, prefetchGenerator, space, target)


class GlobalRoutineCache:
    """What several calls of `generate` share: the functions of their kernels stand in one file."""

    def __init__(self) -> None:
        self._functions: list[Function] = []
        self._folders: list[Path] = []

    def register(self, folder: Path, functions: Iterable[Function]) -> None:
        """Functions that the kernels in a folder call."""
        self._folders.append(folder)
        self._functions += functions

    def generate(self, outputDir: str, namespace: str = "yateto") -> None:
        """Writes the functions into a folder, and into those of the kernels a header that includes theirs."""
        folder = Path(outputDir).resolve()
        write_subroutines(folder, namespace, self._functions)
        for each in self._folders:
            if each != folder:
                header = os.path.relpath(folder / "subroutine.h", each)
                write_text(each / "subroutine.h", f'#include "{header}"\n')


def simpleParameterSpace(*args: int) -> list[Point]:
    """All numbers from 0 up to each of the arguments, excluded: `(2, 3)` gives `(0, 0)` to `(1, 2)`."""
    return list(product(*map(range, args)))


def parameterSpaceFromRanges(*args: Iterable[int]) -> list[Point]:
    """All numbers of some ranges."""
    return list(product(*args))


def _prefetched(kernel: str, prefetch: object) -> list[Tensor] | None:
    if prefetch is None:
        return None
    listed = prefetch if isinstance(prefetch, list) else [prefetch]
    tensors = [each for each in listed if isinstance(each, Tensor)]
    if len(tensors) < len(listed):
        note = "a kernel prefetches a tensor without indices, or a list of them"
        raise rejected("E0175", f"kernel `{kernel}` prefetches {prefetch!r}", note)
    return tensors


def _place_in_script(frame: FrameType | None) -> str:
    """The line of the script that calls us."""
    while frame is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
    return "no file" if frame is None else f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
