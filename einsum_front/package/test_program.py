"""The test program of a package: each kernel on generated data, against naive loops."""

from collections.abc import Mapping, Sequence
from math import prod

from einsum_front.core import binding
from einsum_front.core.extent import static_shape
from einsum_front.core.storage import Storage
from einsum_front.driver import NotationStages
from einsum_front.notation.checked import CheckedProgram, Kernel, Tensor
from einsum_front.notation.parts.program import real_program
from einsum_front.package.extents import nonzero_runs, user_order
from einsum_front.package.host import Host
from einsum_front.package.loops import Loops, accesses, has_gathers, points, result_size, roundings
from einsum_front.package.model import Argument, PackagedKernel
from einsum_front.package.names import listed, literal
from einsum_front.package.text import comment, template
from einsum_front.runtime import declared_layout, distance, element_text, has_run_time_extents, span
from einsum_front.runtime.artifact import (
    COMPLEX,
    ArrayParameter,
    GroupParameter,
    ScalarParameter,
    SizeLimit,
    TensorParameter,
)

MOST_POINTS = 2**28
"""Of the loops of an element; a kernel with more is run, and not compared."""

MOST_OF_BATCH = 2**24
"""Points of all elements: the batch is a little more than a work-group has, if that is no more work."""

LARGEST_TEST_SIZE = 64
"""What a size is at most that only the launch knows."""


def test_main(kernels: Sequence[PackagedKernel]) -> str:
    """`test/main.c`."""
    tested = [kernel for kernel in kernels if has_loops(kernel)]
    left = [kernel for kernel in kernels if not has_loops(kernel)]
    text = template("main.c")
    declared = "\n".join(f"extern const test_kernel test_of_{kernel.name};" for kernel in tested)
    entries = "\n".join(f"    &test_of_{kernel.name}," for kernel in tested)
    reasons = "\n".join(f'    "{kernel.stages.name}: left out, {_why_left_out(kernel)}",' for kernel in left)
    return text.replace("@declared@", declared).replace("@tests@", entries).replace("@untested@", reasons)


def has_loops(kernel: PackagedKernel) -> bool:
    """True if there is a text to make loops of, and their work is bounded."""
    if not isinstance(kernel.stages, NotationStages) or has_gathers(kernel.stages.checked) or _other_type(kernel):
        return False
    return points(_bound(kernel, kernel.stages)[0]) <= MOST_POINTS


def _other_type(kernel: PackagedKernel) -> str | None:
    """The type of an argument in which loops do not compute: they have f32 and f64, and parts of these."""
    parameters = (each.parameter for each in kernel.arguments)  # an argument that is a group has the type of addresses
    types = (COMPLEX.get(each.type, each.type) for each in parameters if each is not None)
    return next((type_ for type_ in types if type_ not in ("f32", "f64")), None)


def _why_left_out(kernel: PackagedKernel) -> str:
    """For a kernel that has no loops."""
    if not isinstance(kernel.stages, NotationStages):
        return "its text is below the notation and has no loops to compare with"
    if has_gathers(kernel.stages.checked):
        return "it reads where integers say, which loops on generated data do not"
    if (type_ := _other_type(kernel)) is not None:
        return f"it has numbers of {type_}, and the loops to compare with compute in f32 and f64"
    return f"loops to compare with would take {points(_bound(kernel, kernel.stages)[0])} steps for an element"


def kernel_test(kernel: PackagedKernel, host: Host) -> str:
    """`test/KERNEL.c`: the tensors, the loops, and how the kernel is called."""
    stages = kernel.stages
    if not isinstance(stages, NotationStages) or not has_loops(kernel):
        return f"/* `{kernel.stages.name}` has no loops: it is run by programs only. */\ntypedef int nothing;\n"
    program = real_program(stages.checked, stages.program)[1]
    bound, tensors = _bound(kernel, stages)
    arrays = [each.parameter for each in kernel.arguments if each.is_memory]
    given = [each for each in arrays if isinstance(each, TensorParameter | GroupParameter)]
    batch = kernel.artifact.elements_per_group + 3
    if any(isinstance(each, TensorParameter) and not each.batched and each.is_written for each in given):
        batch = 1
    elif points(bound) * batch > MOST_OF_BATCH:
        batch = 3
    parts = [
        f'/* `{kernel.stages.name}` against loops. */\n#include "harness.h"',
        *(_runs(each, tensors, batch) for each in given),
        "static const test_tensor tensors[] = {\n"
        + "\n".join(_tensor(each, tensors, batch) for each in given)
        + "\n};",
        *(_values(tensors[name]) for name in _accessed(bound) if tensors[name].values is not None),
        _reference(bound, program, tensors, kernel, given),
        _launch(kernel, host),
        _description(kernel, roundings(bound), batch),
    ]
    return "\n\n".join(parts) + "\n"


def _bound(kernel: PackagedKernel, stages: NotationStages) -> tuple[Kernel, dict[str, Tensor]]:
    """The kernel and its tensors with sizes of the test in the place of those of the launch."""
    checked, program = real_program(stages.checked, stages.program)
    sizes = {limit.name: _test_size(limit) for limit, _ in kernel.sizes}
    names = {access.tensor for access in accesses(checked)}
    tensors = {each.name: binding.bound(each, sizes) for each in program.tensors if each.name in names}
    return binding.bound(checked, sizes), tensors


def _test_size(limit: SizeLimit) -> int:
    wanted = min(limit.hint or LARGEST_TEST_SIZE, LARGEST_TEST_SIZE)
    return max(limit.least, wanted if limit.most is None else min(wanted, limit.most))


def _accessed(kernel: Kernel) -> list[str]:
    return list(dict.fromkeys(access.tensor for access in accesses(kernel)))


def _shape(
    parameter: ArrayParameter, tensors: Mapping[str, Tensor], batch: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Shape and strides in the order of the text, and entries from one element to the next, for the test's sizes.

    Parts of complex numbers are the last mode, as in the loops.
    """
    shape, strides, apart = _shape_of_numbers(parameter, tensors, batch)
    if parameter.type not in COMPLEX:
        return shape, strides, apart
    return (*shape, 2), (*(2 * stride for stride in strides), 1), 2 * apart


def _shape_of_numbers(
    parameter: ArrayParameter, tensors: Mapping[str, Tensor], batch: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    if isinstance(parameter, TensorParameter) and has_run_time_extents(parameter):
        shape = static_shape(tensors[parameter.name].shape)[: len(parameter.modes)]
        layout = declared_layout(parameter, (batch, *shape) if parameter.batched else shape)
        lead = 1 if parameter.batched else 0
        return shape, layout.array_strides[lead:], layout.array_strides[0] if parameter.batched else layout.span
    shape = tuple(size or 1 for size in user_order(parameter, parameter.shape))
    strides = tuple(stride or 1 for stride in user_order(parameter, parameter.strides))
    if isinstance(parameter, TensorParameter) and parameter.batched:
        return shape, strides, distance(parameter)
    return shape, strides, span(parameter)


def _runs(parameter: ArrayParameter, tensors: Mapping[str, Tensor], batch: int) -> str:
    shape, _, _ = _shape(parameter, tensors, batch)
    total = prod(shape)
    runs = ((0, total),) if parameter.nonzeros is None else nonzero_runs(parameter)
    if parameter.nonzeros is not None and parameter.type in COMPLEX:
        runs = (*runs, *((start + total // 2, stop + total // 2) for start, stop in runs))
    words = [f"{{{start}, {stop}}}" for start, stop in runs] or ["{0, 0}"]
    return f"static const range nonzeros_{parameter.name}[] = {{\n{listed(words, '    ')}\n}};"


def _tensor(parameter: ArrayParameter, tensors: Mapping[str, Tensor], batch: int) -> str:
    shape, strides, distance = _shape(parameter, tensors, batch)
    storage = "GROUPED" if isinstance(parameter, GroupParameter) else "BATCHED" if parameter.batched else "SHARED"
    runs = f"nonzeros_{parameter.name}"
    sizes = ", ".join(map(str, shape)) or "0"
    steps = ", ".join(map(str, strides)) or "0"
    flags = f"{int(parameter.type in ('f32', 'c32'))}, {int(parameter.is_read)}, {int(parameter.is_written)}"
    return (
        f'    {{"{parameter.name}", {storage}, {flags}, {len(shape)}, {{{sizes}}}, {{{steps}}}, {distance},'
        f" {runs}, sizeof {runs} / sizeof {runs}[0]}}, /* {comment(element_text(parameter))} */"
    )


def _values(tensor: Tensor) -> str:
    words = (literal(value, tensor.element_type.value) for value in tensor.values or ())
    count = len(tensor.values or ())
    return f"static const double values_{tensor.name}[{count}] = {{\n{listed(words, '    ')}\n}};"


def _reference(
    bound: Kernel,
    program: CheckedProgram,
    tensors: Mapping[str, Tensor],
    kernel: PackagedKernel,
    given: Sequence[ArrayParameter],
) -> str:
    """The loops for one element; temporaries and known constants are arrays of the function."""
    places = {parameter.name: f"given[{place}]" for place, parameter in enumerate(given)}
    lines, names = [], {}
    for name in _accessed(bound):
        tensor = tensors[name]
        count = prod(static_shape(tensor.shape))
        names[name] = f"t_{name}"
        if name in places:
            lines.append(f"    entry *const t_{name} = {places[name]};")
            continue
        known = tensor.values is not None
        # what the kernel does not take does not change the result, whatever it is
        first = f"values_{name}[i]" if known else "0" if tensor.storage is Storage.TEMPORARY else "0.5"
        lines.append(f"    static entry t_{name}[{count}];")
        lines.append(f"    for (int i = 0; i < {count}; ++i)\n        t_{name}[i] = number({first});")
    scalars = {each.name: f"scalars[{place}]" for place, each in enumerate(_scalars(kernel))}
    scalars |= {each.name: "0.5" for each in program.scalars if each.name not in scalars}
    loops = Loops(tensors, names, scalars).text(bound.statements)
    head = "static void loops(entry *const *given, const double *scalars)"
    unused = "    (void)given;\n    (void)scalars;"
    result = f"    static entry result[{result_size(bound)}];\n    int count;"
    return "\n".join([head, "{", unused, result, *lines, loops, "}"])


def _scalars(kernel: PackagedKernel) -> list[ScalarParameter]:
    return [each.parameter for each in kernel.arguments if isinstance(each.parameter, ScalarParameter)]


def _launch(kernel: PackagedKernel, host: Host) -> str:
    """Calls the kernel with memory and numbers in the order of its arguments."""
    sizes = {given: _test_size(limit) for limit, given in kernel.sizes}
    memory = scalars = 0
    words = []
    for each in kernel.arguments:
        if each.is_memory:
            words.append(f"memory[{memory}]")
            memory += 1
        elif isinstance(each.parameter, ScalarParameter):
            words.append(f"({_number_type(each)})scalars[{scalars}]")
            scalars += 1
        else:
            words.append(str(sizes[each.name]))
    head = "static @name@_status start(const place *where, void *const *memory, const double *scalars, int64_t batch)"
    unused = "    (void)memory;\n    (void)scalars;"
    if kernel.takes_struct:
        struct = f"    const @name@_{kernel.name}_arguments all = {{{', '.join([*words, 'batch'])}}};"
        return f"{head}\n{{\n{unused}\n{struct}\n    return @name@_{kernel.name}({host.test_given}, &all);\n}}"
    call = f"    return @name@_{kernel.name}({host.test_given}, {', '.join([*words, 'batch'])});"
    return f"{head}\n{{\n{unused}\n{call}\n}}"


def _number_type(argument: Argument) -> str:
    return "float" if argument.type == "f32" else "double"


def _description(kernel: PackagedKernel, roundings_: int, batch: int) -> str:
    return "\n".join(
        [
            f"extern const test_kernel test_of_{kernel.name};",
            f"const test_kernel test_of_{kernel.name} = {{",
            f'    .name = "{kernel.stages.name}",',
            "    .tensors = tensors,",
            "    .tensor_count = sizeof tensors / sizeof tensors[0],",
            f"    .scalar_count = {len(_scalars(kernel))},",
            f"    .batch = {batch},",
            f"    .roundings = {roundings_},",
            "    .loops = loops,",
            "    .start = start,",
            "};",
        ]
    )
