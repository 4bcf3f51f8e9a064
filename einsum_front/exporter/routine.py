"""The C++ of a kernel that YATeTo exports: the device code, and the function that `execute()` calls.

    void einsum_front_1a2b3c(double *const *Q, int offset_Q, const double *K, …, unsigned elements,
                             const unsigned *flags, void *stream)

A block computes one element, so that one that is switched off costs a comparison. What is computed before the kernel
is in memory of the stream. `PREFIX` stands for `cuda` or `hip`, whose functions have the same names otherwise.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.driver import Session, compile_alone, dynamic_memory
from einsum_front.exporter.copies import Copy
from einsum_front.exporter.operations import Operations, graph_of, refused
from einsum_front.package.names import C_TYPES
from einsum_front.runtime import ELEMENT_TYPES, Kind, kernel_arguments, span
from einsum_front.runtime.artifact import Artifact, GroupParameter, Parameter, ScalarParameter, TensorParameter

ENTRY = "fused"

HEADERS = {"cuda": "cuda_runtime.h", "hip": "hip/hip_runtime.h"}
"""Of the back ends of YATeTo that there are kernels for."""

SUPPORT = """\
#include <cstdio>
#include <cstdlib>

namespace {
void einsum_front_check(PREFIXError_t error, const char *function, const char *call)
{
    if (error == PREFIXSuccess)
        return;
    std::fprintf(stderr, "%s: %s gives %s\\n", function, call, PREFIXGetErrorString(error));
    std::abort();
}
} // namespace
#define EINSUM_FRONT_TRY(call) einsum_front_check(call, __func__, #call)
"""


@dataclass(frozen=True, slots=True)
class Routine:
    """A function of C++: its name, its declaration, its definition, and the call in a kernel of YATeTo."""

    name: str
    declaration: str
    definition: str
    call: str


def routine_of(operations: Operations, element: ir.ElementType, session: Session, prefix: str) -> Routine:
    """The function for some operations."""
    artifact = compile_alone(session, graph_of(operations, ENTRY, element)).artifact
    spelled = {name: each.spelling for name, each in operations.tensors.items()} | operations.scalars
    return routine_from(artifact, spelled, session, prefix)


def routine_from(
    artifact: Artifact,
    spelled: Mapping[str, str],
    session: Session,
    prefix: str,
    copies: Mapping[str, Copy] | None = None,
) -> Routine:
    """The function for a kernel of one element for each work-group; what is equal has one name.

    `spelled` is how the caller calls arguments, `prefix` is `cuda` or `hip`; constants with `copies` are copied there
    first. Raises `CompileError` (E0166) for a kernel whose temporaries have no room.
    """
    if artifact.scratch:
        raise refused(f"temporaries need more than {session.target.most_local_memory} bytes of shared memory")
    text = _definition(artifact, spelled, prefix, copies or {})
    name = f"einsum_front_{sha256(text.encode()).hexdigest()[:16]}"
    given = [each for parameter in artifact.arguments for each in _given(parameter, spelled)]
    call = ", ".join([*given, "numElements", "flags", "streamPtr"])
    declaration = f"void {name}({_parameters(artifact)});"
    return Routine(name, declaration, text.replace("NAME", name), f"{name}({call});")


def _given(parameter: Parameter, spelled: Mapping[str, str]) -> Iterator[str]:
    """What the caller hands over for a parameter."""
    yield spelled[parameter.name]
    if isinstance(parameter, GroupParameter):
        yield f"extraOffset_{spelled[parameter.name]}"


def _parameters(artifact: Artifact) -> str:
    """Of the function that is called."""
    found = []
    for each in artifact.arguments:
        match each:
            case GroupParameter():
                const = "" if each.is_written else "const "
                found += [f"{const}{C_TYPES[each.type]} *const *{each.name}", f"int offset_{each.name}"]
            case TensorParameter():
                found.append(f"const {C_TYPES[each.type]} *{each.name}")
            case ScalarParameter():
                found.append(f"{C_TYPES[each.type]} {each.name}")
    return ", ".join([*found, "unsigned elements", "const unsigned *flags", "void *stream"])


def _kernel_parameters(artifact: Artifact) -> list[tuple[str, str]]:
    """Types and names of the parameters of the kernel; a batch size is that of no array here."""
    found = []
    for each in kernel_arguments(artifact):
        match each.kind:
            case Kind.ADDRESSES:
                found.append(("const unsigned long long *", f"{each.parameter}"))
            case Kind.OFFSET:
                found.append(("long long ", f"offset_{each.parameter}"))
            case Kind.SCALAR:
                found.append((f"{C_TYPES[each.type]} ", f"{each.parameter}"))
            case Kind.MEMORY:
                parameter = next(one for one in artifact.parameters if one.name == each.parameter)
                const = "" if isinstance(parameter, TensorParameter) and parameter.is_written else "const "
                found.append((f"{const}{C_TYPES[each.type]} *", f"{each.parameter}"))
            case _:
                raise refused(f"a kernel has an argument of the kind `{each.kind.value}`")
    return found


def _wrappers(artifact: Artifact, *, is_masked: bool) -> str:
    """The kernels around the device code."""
    return "".join(_wrapper(artifact, entry, is_masked=is_masked) for entry in artifact.entries)


def _wrapper(artifact: Artifact, entry: str, *, is_masked: bool) -> str:
    rows, columns = artifact.work_group_size
    parameters = _kernel_parameters(artifact)
    declared = ", ".join(f"{type_}{name}" for type_, name in parameters)
    call = f"{entry}({', '.join(name for _, name in parameters)});"
    head = f"__global__ __launch_bounds__({rows * columns}) void {entry}_kernel("
    if not is_masked:
        return f"{head}{declared})\n{{\n    {call}\n}}\n"
    body = f"    if (flags == nullptr || flags[blockIdx.x] != 0)\n        {call}"
    return f"{head}{declared}, const unsigned *flags)\n{{\n{body}\n}}\n"


def _definition(artifact: Artifact, spelled: Mapping[str, str], prefix: str, copies: Mapping[str, Copy]) -> str:
    """Everything of a function; its name is `NAME`."""
    prologue = artifact.prologue
    wrappers = _wrappers(artifact, is_masked=True)
    if prologue is not None:
        wrappers = _wrappers(prologue, is_masked=False) + wrappers
    lines = ["    if (elements == 0)", "        return;", f"    const auto on = ({prefix}Stream_t)stream;"]
    for each in artifact.owned.values():
        lines += _allocated(each.name, each.type, span(each), prefix)
    types = {each.name: each.type for each in artifact.arguments if isinstance(each, TensorParameter)}
    for name, copy in copies.items():
        wrappers += _spreading(name, C_TYPES[types[name]], copy)
        lines += [
            *_allocated(f"{name}_box", types[name], copy.size, prefix),
            f"    {name}_spread<<<1, {SPREADING}, 0, on>>>({name}, {name}_box);",
            f"    EINSUM_FRONT_TRY({prefix}GetLastError());",
        ]
    if prologue is not None:
        lines += (_launch(prologue, entry, "1", prefix, "", copies) for entry in prologue.entries)
    lines += (_launch(artifact, entry, "elements", prefix, ", flags", copies) for entry in artifact.entries)
    owned = [*(each.name for each in artifact.owned.values()), *(f"{name}_box" for name in copies)]
    lines += [f"    EINSUM_FRONT_TRY({prefix}FreeAsync({name}, on));" for name in owned]
    body = "\n".join(lines)
    named = (spelled[each.name] for each in artifact.arguments if not isinstance(each, ScalarParameter))
    return (
        f"// of {', '.join(named)}\nnamespace NAME_device {{\n"
        "#undef KERNEL\n#define KERNEL(threads) static __device__ __forceinline__\n"
        f"{artifact.source}{wrappers}}} // namespace NAME_device\n"
        f"void NAME({_parameters(artifact)})\n{{\n    using namespace NAME_device;\n{body}\n}}\n\n"
    )


def _allocated(name: str, element: str, count: int, prefix: str) -> Iterator[str]:
    """Memory of the stream for so many entries, zero at first."""
    size = count * ELEMENT_TYPES[element].itemsize
    yield f"    {C_TYPES[element]} *{name};"
    yield f"    EINSUM_FRONT_TRY({prefix}MallocAsync((void **)&{name}, {size}, on));"
    yield f"    EINSUM_FRONT_TRY({prefix}MemsetAsync({name}, 0, {size}, on));"


SPREADING = 256
"""Threads that copy the entries of a matrix."""


def _spreading(name: str, type_: str, copy: Copy) -> str:
    """The kernel that copies entries to their places."""
    places = ", ".join(str(-1 if place is None else place) for place in copy.places)
    count = len(copy.places)
    return (
        f"static __device__ const int {name}_places[{count}] = {{{places}}};\n"
        f"__global__ void {name}_spread(const {type_} *from, {type_} *to)\n{{\n"
        f"    for (int entry = threadIdx.x; entry < {count}; entry += {SPREADING})\n"
        f"        if ({name}_places[entry] >= 0)\n            to[{name}_places[entry]] = from[entry];\n}}\n"
    )


def _launch(artifact: Artifact, entry: str, blocks: str, prefix: str, more: str, copies: Mapping[str, Copy]) -> str:
    """One function of a launch."""
    names = [(type_, f"{name}_box" if name in copies else name) for type_, name in _kernel_parameters(artifact)]
    given = ", ".join(
        f"(const unsigned long long *){name}" if type_ == "const unsigned long long *" else name
        for type_, name in names
    )
    rows, columns = artifact.work_group_size
    kernel, shared = f"{entry}_kernel", dynamic_memory(artifact)
    lines = [
        f"    {kernel}<<<{blocks}, dim3({rows}, {columns}), {shared}, on>>>({given}{more});",
        f"    EINSUM_FRONT_TRY({prefix}GetLastError());",
    ]
    if shared:
        attribute = f"{prefix}FuncAttributeMaxDynamicSharedMemorySize"
        set_ = f"{prefix}FuncSetAttribute((const void *){kernel}, {attribute}, {shared})"
        lines.insert(0, f"    EINSUM_FRONT_TRY({set_});")
    return "\n".join(lines)
