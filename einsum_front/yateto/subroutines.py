"""`subroutine.h` and `subroutine.cpp`: a function for each kernel, for the processor that the script names.

namespace seissol::subroutine {
void volume(double* Q, double const* I, double const* kDivM_0, ...);
}

Kernels for GPUs are in `gpulike_subroutine.cpp`, with functions that start them in a stream; the file is always there.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.machines import ZEN4_C, ZEN5_C
from einsum_front.driver import Session
from einsum_front.driver.c_functions import (
    HEADER,
    INSTRUCTION_SETS,
    SharedFunction,
    one_element,
)
from einsum_front.package.extents import values_in_memory
from einsum_front.package.names import C_TYPES, listed, literal
from einsum_front.runtime import Kind, kernel_arguments
from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter
from einsum_front.yateto.arch import Architecture
from einsum_front.yateto.codegen.code import Cpp
from einsum_front.yateto.identifiers import IdentifiedType, joined
from einsum_front.yateto.stored import StoredKernel
from einsum_front.yateto.type import Tensor

if TYPE_CHECKING:
    from einsum_front.exporter.routine import Routine

SPACE = "subroutine"
"""The namespace of the functions, inside of that of the program."""

C_AS_CPP = """// words of C that C++ spells otherwise; arguments may share memory, since statements run in their order
#define restrict
#define _Bool bool
#pragma GCC diagnostic ignored "-Wpedantic"
"""


@dataclass(frozen=True, slots=True)
class Subroutine:
    """A function: its name with all namespaces, the arguments of the program that it takes, and its C.

    `routines` are the functions that it calls; others may call the same.
    """

    namespace: str
    name: str
    arguments: tuple[str, ...]
    artifact: Artifact
    routines: tuple[SharedFunction, ...]

    @property
    def qualified(self) -> str:
        """What calls it from everywhere."""
        return f"::{joined(self.namespace, SPACE, self.name)}"


@dataclass(frozen=True, slots=True)
class GpuSubroutine:
    """A function that starts a kernel on a GPU; `backend` is `cuda` or `hip`."""

    namespace: str
    backend: str
    routine: "Routine"

    @property
    def call(self) -> str:
        """The statement in a kernel's `execute`."""
        return f"::{joined(self.namespace, SPACE, self.routine.call)}"


def subroutine(namespace: str, name: str, kernel: StoredKernel) -> Subroutine:
    """The function of a kernel."""
    artifact, routines = kernel.artifact, kernel.routines
    given = (each.name for each in artifact.parameters if not _is_known(each))
    return Subroutine(namespace, name, tuple(given), artifact, routines)


HOSTS = {
    "avx512": "skx bergamo turin avx10-512",
    "avx2": "hsw knl naples rome milan avx2-256 avx10-256",
    "neon": "neon thunderx2t99 a64fx apple-m1 apple-m2 apple-m3 apple-m4 sve128 sve256 sve512 sve1024 sve2048",
}
"""The processors that have a set of instructions for sure, by the names of architectures; others have the basic one."""


MACHINES = {"bergamo": ZEN4_C, "turin": ZEN5_C}
"""The processors that are known better than by their instructions."""


def session_for(arch: Architecture) -> Session:
    """A compiler for the host of an architecture, one element a call."""
    name = next((name for name, hosts in HOSTS.items() if arch.host_name in hosts.split()), "basic")
    return one_element(next(each for each in INSTRUCTION_SETS if each.name == name), MACHINES.get(arch.host_name))


Function = Subroutine | GpuSubroutine
"""What a kernel's `execute` calls."""


def gpu_subroutine(
    namespace: str, kernel: StoredKernel, names: Mapping[IdentifiedType, str], session: Session, backend: str
) -> GpuSubroutine:
    """The function of a kernel for GPUs; `names` are those of the program for tensors and scalars of the script."""
    from einsum_front.exporter.routine import routine_from  # noqa: PLC0415 - few scripts have kernels for GPUs

    members = {name: spelled(each) for each, name in names.items()}
    members |= {name: spelled(tensor) for name, tensor in kernel.entries.items()}
    members |= {name: prefetch_member(tensor) for name, tensor in kernel.prefetched.items()}
    routine = routine_from(kernel.artifact, members, session, backend, kernel.copies)
    return GpuSubroutine(namespace, backend, routine)


def spelled(named: IdentifiedType) -> str:
    """A member of a kernel's struct: `Q`, `star(0)`."""
    group = ", ".join(map(str, named.group()))
    return f"{named.baseName()}({group})" if group else named.baseName()


def prefetch_member(tensor: Tensor) -> str:
    """The member that says where the memory of a tensor is that is prefetched: `_prefetch.I`."""
    return f"_prefetch.{spelled(tensor)}"


def gpu_session(arch: Architecture) -> Session | None:
    """A compiler for the GPU of an architecture; None if it has none that there are kernels for.

    Raises `CompileError` (E0165) for a GPU that is not known.
    """
    from einsum_front.driver import gpu_target  # noqa: PLC0415 - few scripts have kernels for GPUs
    from einsum_front.exporter.routine import HEADERS  # noqa: PLC0415 - as above

    return Session(gpu_target(arch.name, arch.backend)) if arch.backend in HEADERS else None


def write_subroutines(folder: Path, namespace: str, functions: Sequence[Function]) -> None:
    """Writes `subroutine.h`, `subroutine.cpp` and `gpulike_subroutine.cpp` into a folder.

    `namespace` names the guard of the header. The last file is there without kernels for GPUs, too: builds name it.
    """
    subroutines = [each for each in functions if isinstance(each, Subroutine)]
    known = {(each.namespace, each.routine.name): each for each in functions if isinstance(each, GpuSubroutine)}
    on_gpu = list(known.values())
    with (
        Cpp(str(folder / "subroutine.h")) as cpp,
        cpp.HeaderGuard(f"{namespace.upper().replace('::', '_')}_SUBROUTINE_H"),
    ):
        for each in subroutines:
            with cpp.Namespace(joined(each.namespace, SPACE)):
                cpp(f"void {each.name}({_parameters(each)});")
        for one in on_gpu:
            with cpp.Namespace(joined(one.namespace, SPACE)):
                cpp(one.routine.declaration)
    _write_gpu(folder / "gpulike_subroutine.cpp", on_gpu)
    with Cpp(str(folder / "subroutine.cpp")) as cpp:
        cpp.includeSys("memory")
        cpp(C_AS_CPP)
        cpp(HEADER)
        cpp.include("subroutine.h")
        routines = {routine.name: routine.source for each in subroutines for routine in each.routines}
        cpp("namespace {")
        for source in routines.values():
            cpp(source)
        cpp("} // namespace")
        for each in subroutines:
            with cpp.Namespace(joined(each.namespace, SPACE)):
                _write(cpp, each)


def _write_gpu(path: Path, on_gpu: Sequence[GpuSubroutine]) -> None:
    """The kernels, which the compiler of the back end takes as one file."""
    with Cpp(str(path)) as cpp:
        if not on_gpu:
            cpp("// There are no kernels for GPUs.")
            return
        from einsum_front.exporter.routine import HEADERS, SUPPORT  # noqa: PLC0415 - few scripts have kernels for GPUs

        for backend in dict.fromkeys(each.backend for each in on_gpu):
            cpp.includeSys(HEADERS[backend])
            cpp(SUPPORT.replace("PREFIX", backend))
        cpp.include("subroutine.h")
        for each in on_gpu:
            with cpp.Namespace(joined(each.namespace, SPACE)):
                cpp(each.routine.definition)


def _write(cpp: Cpp, each: Subroutine) -> None:
    """The C of a kernel in a namespace of its own, and the function that calls it."""
    with cpp.Namespace(f"of_{each.name}"):
        for parameter in each.artifact.parameters:
            if isinstance(parameter, TensorParameter) and parameter.values is not None:
                words = listed((literal(value, parameter.type) for value in values_in_memory(parameter)), "")
                cpp(f"static const {C_TYPES[parameter.type]} values_of_{parameter.name}[] = {{{words}}};")
        cpp(each.artifact.source)
    with cpp.Function(each.name, _parameters(each)):
        if each.artifact.scratch:
            cpp(f"std::unique_ptr<unsigned char[]> const scratch(new unsigned char[{each.artifact.scratch}]);")
        cpp(f"of_{each.name}::{each.artifact.entry}({', '.join(_given(each))});")


def _given(each: Subroutine) -> Iterator[str]:
    """The arguments of the only work-group."""
    yield from ("0", "1")
    parameters = {parameter.name: parameter for parameter in each.artifact.parameters}
    for argument in kernel_arguments(each.artifact):
        match argument.kind:
            case Kind.SCALAR | Kind.MEMORY:
                parameter = parameters[argument.parameter or ""]
                yield f"of_{each.name}::values_of_{parameter.name}" if _is_known(parameter) else f"{parameter.name}_"
            case Kind.ELEMENTS:
                yield "1"
            case Kind.SCRATCH:
                yield "scratch.get()"
            case _:
                raise CompilerBug(f"a kernel of one element has an argument {argument}")


def _parameters(each: Subroutine) -> str:
    return ", ".join(_declared(each, name) for name in each.arguments)


def _declared(each: Subroutine, name: str) -> str:
    """Names have an underscore behind them: a script may use any word of C++."""
    parameter = next(one for one in each.artifact.parameters if one.name == name)
    type_ = C_TYPES[parameter.type]
    if isinstance(parameter, ScalarParameter):
        return f"{type_} {name}_"
    return f"{type_}* {name}_" if parameter.is_written else f"{type_} const* {name}_"


def _is_known(parameter: object) -> bool:
    return isinstance(parameter, TensorParameter) and parameter.values is not None
