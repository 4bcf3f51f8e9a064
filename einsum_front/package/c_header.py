"""The C header of a package: one function for each kernel."""

from collections.abc import Iterator, Sequence

from einsum_front.package.host import Host
from einsum_front.package.model import PackagedKernel
from einsum_front.package.tensors import PackagedTensor
from einsum_front.package.text import (
    aligned,
    argument_text,
    comment,
    function_head,
    operations_text,
    template,
)


def c_header(kernels: Sequence[PackagedKernel], tensors: Sequence[PackagedTensor], host: Host) -> str:
    """`NAME.h`."""
    text = template(f"{host.name}/header.h")
    text = text.replace("@sizes@", "\n".join(_sizes(tensors)))
    return text.replace("@kernels@", "\n\n".join(_declaration(kernel, host) for kernel in kernels))


def _sizes(tensors: Sequence[PackagedTensor]) -> Iterator[str]:
    """Macros: entries from one element to the next."""
    known = [tensor for tensor in tensors if tensor.size]
    rows = [(f"#define @NAME@_SIZE_{tensor.name} INT64_C({tensor.size})", tensor.text) for tensor in known]
    if rows:
        yield "/* Entries of memory for each element, or for all of them where they share it. */"
        yield aligned(rows, "")


def _declaration(kernel: PackagedKernel, host: Host) -> str:
    words = [f" * {comment(operations_text(kernel))}, for each element."]
    named = [f" *   {each.name}: {comment(argument_text(each))}" for each in kernel.arguments]
    head = f"/* `{kernel.stages.name}`:\n" + "\n".join(words)
    if not kernel.takes_struct:
        return "\n".join([head, " *", *named, " */", f"{function_head(kernel, host)};"])
    rows = [(f"{host.c_type(each)}{each.name};", argument_text(each)) for each in kernel.arguments]
    rows.append(("int64_t batch;", "number of elements"))
    struct = "\n".join(["typedef struct {", aligned(rows, "    "), f"}} @name@_{kernel.name}_arguments;"])
    return "\n".join([f"{head} */", struct, "", f"{function_head(kernel, host)};"])
