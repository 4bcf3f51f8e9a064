"""Loops as text; `parse` reads it."""

from collections.abc import Iterator

from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.loops.nodes import (
    VALUE,
    Access,
    Apply,
    Call,
    Elements,
    Loop,
    Loops,
    Node,
    Nodes,
    Number,
    Operand,
    Prefetch,
    Product,
    Result,
    Scalar,
    Stage,
    Tensor,
)


def unparse(loops: Loops) -> str:
    """The text of loops; equal loops have equal texts."""
    tensors = (f"  {_tensor(each)}" for each in loops.tensors)
    return "\n".join([f"loops {loops.name} {{", *tensors, *_lines(loops.body, 1), "}", ""])


def _tensor(tensor: Tensor) -> str:
    size, strides = ("x".join(map(str, tensor.shape)), ",".join(map(str, tensor.strides)))
    words = [f"tensor {tensor.name}: {tensor.element.value}"]
    words += [] if tensor.memory is None else ["in", tensor.memory.value]
    if tensor.shape:
        words += [size, "strides", strides]
    if tensor.batch is not None:
        words.append(f"batch {'fastest' if tensor.is_fastest else tensor.batch}")
    words += ["temporary"] * tensor.is_temporary + ["literals"] * tensor.is_literal
    words += [] if tensor.streamed is None else [f"streamed above {tensor.streamed}"]
    if tensor.nonzeros is not None:
        words += ["nonzeros", *(f"{start}:{stop}" for start, stop in tensor.nonzeros)]
    if tensor.values is not None:
        words += ["values", *(f"{position}:{value!r}" for position, value in tensor.values)]
    return " ".join(words)


def _lines(nodes: Nodes, depth: int) -> Iterator[str]:
    for node in nodes:
        indented = "  " * depth + node_text(node)
        if isinstance(node, Loop | Stage):
            yield f"{indented} {{"
            yield from _lines(node.body, depth + 1)
            yield "  " * depth + "}"
        elif isinstance(node, Apply) and not _is_one_call(node):
            yield f"{indented} {{"
            named = (f"{each.name} = {_call(each)}" for each in node.calls)
            yield from ("  " * (depth + 1) + each for each in (*named, _operand(node.value)))
            yield "  " * depth + "}"
        else:
            yield indented


def node_text(node: Node) -> str:
    """The first line of a node, without its bracket."""
    match node:
        case Loop(axis=axis, extent=extent, binding=binding, where=where):
            words = [f"for {axis} in {_extent(extent)}", binding.value, "" if where is None else f"where {where}"]
            return " ".join(filter(None, words))
        case Stage(tensor=tensor, fill=fill, write=write):
            return f"stage {tensor} fill {fill.value} write {write.value}"
        case Product(target=target, adds=adds, factors=factors):
            return f"{access_text(target)} {'+=' if adds else '='} {' * '.join(map(_operand, factors))}"
        case Apply(target=target):
            return (
                f"{access_text(target)} = {_call(node.calls[0])}" if _is_one_call(node) else f"{access_text(target)} ="
            )
        case Prefetch(tensor=tensor, distance=distance, first=first, stop=stop, axis=axis):
            over = "" if axis is None else f" over {axis}"
            return f"prefetch {tensor} distance {distance} lines {first}:{stop}{over}"


def _extent(extent: int | Elements) -> str:
    match extent:
        case Elements(block=block):
            return "elements" if block == 1 else f"elements / {block}"
        case int():
            return str(extent)


def _is_one_call(apply: Apply) -> bool:
    return [each.name for each in apply.calls] == [VALUE] and apply.value == Result(VALUE)


def _call(call: Call) -> str:
    return f"{call.function.value}({', '.join(map(_operand, call.operands))})"


def _operand(operand: Operand) -> str:
    match operand:
        case Access():
            return access_text(operand)
        case Result(name=name):
            return name
        case Number(value=value):
            return repr(value)
        case Scalar(name=name):
            return f"%{name}"


def access_text(access: Access) -> str:
    """`Q[k, 2*p + 1; e]`."""
    element = "" if access.element is None else f"; {affine_text(access.element)}"
    return f"{access.tensor}[{', '.join(map(affine_text, access.index))}{element}]"


def affine_text(affine: Affine) -> str:
    """`2*p + 1`."""
    parts = [name if factor == 1 else f"{factor}*{name}" for name, factor in sorted(affine.terms)]
    if affine.constant or not parts:
        parts.append(str(affine.constant))
    return " + ".join(parts)
