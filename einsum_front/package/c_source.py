"""The C source of a kernel of target c: its functions for each set of instructions, and the one that callers call."""

from collections.abc import Iterable, Iterator

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.driver.c_functions import HEADER, INSTRUCTION_SETS, Functions, c_functions
from einsum_front.package.host import C
from einsum_front.package.model import PackagedKernel, Setting, known_scratch
from einsum_front.package.names import C_TYPES
from einsum_front.package.text import comment, function_head, operations_text, pointer_checks, size_checks, values_table
from einsum_front.runtime import ELEMENT_TYPES, KernelArgument, Kind, kernel_arguments, span
from einsum_front.runtime.artifact import Artifact, TensorParameter

LINE = 64
"""Bytes that memory of the library is aligned to."""


def c_source(kernel: PackagedKernel) -> str:
    """`src/KERNEL.c`."""
    functions = tuple(c_functions(kernel.stages))
    memory = _Memory(kernel)
    parts = [
        f"/* `{kernel.stages.name}`: {comment(operations_text(kernel))}, for each element. */\n{HEADER}",
        *(artifact.source.rstrip() for each in functions for artifact in (each.batch, each.one) if artifact),
        '#include "internal.h"',
        *memory.values(),
        _arguments(kernel),
        *(_calls(each, memory) for each in functions),
        _about(kernel, functions, memory),
        _function(kernel),
    ]
    return "\n\n".join(parts) + "\n"


def c_launch(text: str) -> str:
    """`src/launch.c`: the sets of instructions."""
    names = "\n".join(_guarded(each.guard, f'    "{each.name}",') for each in INSTRUCTION_SETS)
    tests = "\n".join(
        _guarded(each.guard, f"    if (set == number++)\n        return {each.has};") for each in INSTRUCTION_SETS
    )
    return text.replace("@instruction_sets@", names).replace("@tests_of_sets@", tests)


def _guarded(guard: str, text: str) -> str:
    return f"#if {guard}\n{text}\n#endif"


class _Memory:
    """What a kernel takes from the library: known constants, and what the prologue computes, each at its place."""

    def __init__(self, kernel: PackagedKernel) -> None:
        own = kernel_arguments(kernel.artifact)
        self._kernel = kernel
        self._settings = {_place(own[each.position]): each for each in kernel.settings}
        self._known = {each.parameter.name: f"values_{number}" for number, each in enumerate(kernel.known)}
        self._results: dict[str, int] = {}
        self.size = 0
        for name, parameter in kernel.artifact.owned.items():
            self._results[name] = self.size
            bytes_ = span(parameter) * ELEMENT_TYPES[parameter.type].itemsize
            self.size += -(-bytes_ // LINE) * LINE

    def values(self) -> Iterator[str]:
        """The constants."""
        for each in self._kernel.known:
            declared = f"static const {C_TYPES[each.parameter.type]} {self._known[each.parameter.name]}"
            yield values_table(each.parameter, declared, f" __attribute__((aligned({LINE})))")

    def given(self, argument: KernelArgument, artifact: Artifact, batch: str) -> str:
        """What a function gets for an argument; `batch` is the number of elements."""
        parameter = next((each for each in artifact.parameters if each.name == argument.parameter), None)
        match argument.kind:
            case Kind.ELEMENTS:
                return batch
            case Kind.SCRATCH:
                return f"given->memory + {self.size}"
            case Kind.MEMORY if argument.parameter in self._results and isinstance(parameter, TensorParameter):
                return f"({C_TYPES[parameter.type]} *)(given->memory + {self._results[parameter.name]})"
            case Kind.MEMORY if argument.parameter in self._known:
                return self._known[argument.parameter]
        found = self._settings.get(_place(argument))
        if found is None:
            raise CompilerBug(f"nothing supplies {argument}")
        if argument.kind is Kind.ADDRESSES:
            return f"(const uint64_t *)own->{_member(found)}"
        return f"own->{_member(found)}"


def _place(argument: KernelArgument) -> tuple[Kind, str | None, int | None]:
    """The same for a prologue, which has parts where the kernel has complex numbers."""
    return argument.kind, argument.parameter, argument.mode


def _member(setting: Setting) -> str:
    """The name of an argument in the struct of a call."""
    return f"n_{setting.position}" if setting.memory is None else f"m_{setting.memory.name}"


def _arguments(kernel: PackagedKernel) -> str:
    members = ["    @name@_call call;"]
    for each in kernel.settings:
        type_ = f"{C_TYPES[each.type]} " if each.memory is None else C.c_type(each.memory)
        members.append(f"    {type_}{_member(each)};")
    return "\n".join(["/* The arguments of a call. */", "typedef struct {", *members, "} all_arguments;"])


def _calls(functions: Functions, memory: _Memory) -> str:
    """The functions with arguments from the struct."""
    name = functions.instructions.name
    texts = [_call(f"call_{role}_{name}", each, memory, role) for role, each in _roles(functions)]
    return _guarded(functions.instructions.guard, "\n\n".join(texts))


def _roles(functions: Functions) -> Iterator[tuple[str, Artifact]]:
    """What a set of instructions has a function for."""
    yield "batch", functions.batch
    if functions.one is not None:
        yield "one", functions.one
    if functions.batch.prologue is not None:
        yield "prologue", functions.batch.prologue


def _call(name: str, artifact: Artifact, memory: _Memory, role: str) -> str:
    batch = "1" if role == "prologue" else "given->batch"
    given = ["group", "groups", *(memory.given(each, artifact, batch) for each in kernel_arguments(artifact))]
    return "\n".join(
        [
            f"static void {name}(const @name@_call *given, int64_t group, int64_t groups)",
            "{",
            "    const all_arguments *const own = (const all_arguments *)given;",
            f"    {artifact.entry}({', '.join(given)});",
            "}",
        ]
    )


def _about(kernel: PackagedKernel, functions: Iterable[Functions], memory: _Memory) -> str:
    variants = "\n".join(_guarded(each.instructions.guard, _variant(each)) for each in functions)
    return "\n".join(
        [
            "static const @name@_variant variants[] = {",
            variants,
            "};",
            "",
            f'static const @name@_kernel about = {{"{kernel.stages.name}", variants, {memory.size}}};',
        ]
    )


def _variant(functions: Functions) -> str:
    name = functions.instructions.name
    members = [
        f"     .{role} = {{call_{role}_{name}, {each.elements_per_group}, {each.groups_per_element},"
        f" {known_scratch(each)}}},"
        for role, each in _roles(functions)
    ]
    few = [f"     .few = {functions.few},"] if functions.one is not None else []
    return "\n".join(["    {", *members, *few, "    },"]).replace("{\n     ", "{", 1)


def _function(kernel: PackagedKernel) -> str:
    """Checks what the caller gives, and runs."""
    body = pointer_checks(kernel, C)
    if kernel.sizes:
        body.append("    @name@_status size_status;")
    body += size_checks(kernel, "size_status")
    body += [f"    const int64_t {name} = {value};" for name, value in kernel.locals]
    members = [f".{_member(each)} = {each.value}," for each in kernel.settings]
    room = "" if kernel.open_scratch == "0" else f", .scratch = {kernel.open_scratch}"
    first = f".call = {{.batch = batch{room}}},"
    body.append("    all_arguments own = {\n" + "\n".join(f"        {each}" for each in (first, *members)) + "\n    };")
    body.append("    return @name@_run(&about, &own.call, threads);")
    return f"{function_head(kernel, C)}\n{{\n" + "\n".join(body) + "\n}"
