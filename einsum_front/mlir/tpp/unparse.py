"""Functions with primitives as text, in either of the two spellings.

    tpp.add ins(%a, %b) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>, memref<4x5xf32>)             reference
    tpp.add ins(%a : memref<4x5xf32>, %b : memref<4x5xf32>) outs(%c : memref<4x5xf32>)             implemented

On tensors they end with `-> tensor<4x5xf32>`, and the second has no `ins`. `parse` reads both back as the same module.
Operations that are no primitives are written in the generic form, the frequent ones in that of MLIR's printers.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import argument_attributes, attributes_of, function_attributes, quoted, type_text
from einsum_front.mlir.unparse import defined_text, names_of, operation_lines

LINE = 120
"""The length of a line."""


class Spelling(Enum):
    """Where the types stand: behind all operands, or behind each."""

    REFERENCE = "reference"
    IMPLEMENTED = "implemented"


def unparse(module: mlir.Module, spelling: Spelling = Spelling.REFERENCE) -> str:
    """The text of a module; `parse` reads it back as the same module."""
    functions = [line for function in module.functions for line in _function(function, spelling)]
    if not module.name:
        return "\n".join([*functions, ""])
    return "\n".join([f"module @{module.name} {{", *(f"  {line}" for line in functions), "}", ""])


def _function(function: mlir.Function, spelling: Spelling) -> Iterator[str]:
    listed = [
        f"%{each.name}: {type_text(each.type)} {argument_attributes(function, each.name)}".rstrip()
        for each in function.arguments
    ]
    arguments, separator = ", ".join(listed), ",\n    "
    results = [type_text(each) for each in function.results]
    arrow = "" if not results else f" -> {results[0]}" if len(results) == 1 else f" -> ({', '.join(results)})"
    private = "private " if function.is_private else ""
    said = function_attributes(function)
    arrow += f" attributes{said}" if said else ""
    head = f"func.func {private}@{function.name}({arguments}){arrow}"
    if len(head) > LINE:
        head = f"func.func {private}@{function.name}(\n    {separator.join(listed)}){arrow}"
    if function.body is None:
        yield head
        return
    yield f"{head} {{"
    taken = frozenset(names_of(function))
    yield from (f"  {line}" for each in function.body for line in _operation(each, spelling, taken))
    yield "}"


def _operation(operation: mlir.Operation, spelling: Spelling, taken: frozenset[str]) -> Iterator[str]:
    location = f" loc({quoted(operation.location)})" if operation.location else ""
    match operation:
        case mlir.Primitive():
            yield _primitive(operation, spelling) + location
        case mlir.Group(body=body, yields=yields, results=results):
            yield f"{defined_text(results)}tpp.group {{"
            yield from (f"  {line}" for each in body for line in _operation(each, spelling, taken))
            yield f"  tpp.yield{_listed(yields)}"
            yield f"}}{location}"
        case mlir.Return(values=values):
            yield f"return{_listed(values)}{location}"
        case mlir.Allocate(result=result, sizes=(), is_stack=is_stack):
            name = "memref.alloca" if is_stack else "memref.alloc"
            name = name if isinstance(result.type, mlir.MemrefType) else "tensor.empty"
            yield f"%{result.name} = {name}() : {type_text(result.type)}{location}"
        case mlir.Slice(result=result, source=source):
            name = "memref.subview" if isinstance(source.type, mlir.MemrefType) else "tensor.extract_slice"
            lists = "".join(f" [{_numbers(each)}]" for each in (operation.offsets, operation.sizes, operation.strides))
            types = f"{type_text(source.type)} to {type_text(result.type)}"
            yield f"%{result.name} = {name} %{source.name}{lists} : {types}{location}"
        case mlir.Free(memory=memory):
            yield f"memref.dealloc %{memory.name} : {type_text(memory.type)}{location}"
        case mlir.Literal(result=result, value=int() | float()):
            _, attributes, _ = attributes_of(operation)
            yield f"%{result.name} = arith.constant {attributes['value']}{location}"
        case mlir.Reshape(result=result, source=source, groups=groups, is_expansion=is_expansion, sizes=sizes):
            name = f"memref.{'expand' if is_expansion else 'collapse'}_shape"
            name = name if isinstance(source.type, mlir.MemrefType) else name.replace("memref", "tensor")
            listed = ", ".join(f"[{', '.join(map(str, group))}]" for group in groups)
            shape = f" output_shape [{_numbers(sizes)}]" if is_expansion else ""
            types = f"{type_text(source.type)} into {type_text(result.type)}"
            yield f"%{result.name} = {name} %{source.name} [{listed}]{shape} : {types}{location}"
        case (
            mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.InsertSlice() | mlir.Permute()
            | mlir.Cast() | mlir.Extent() | mlir.Copy() | mlir.Pack() | mlir.For() | mlir.Call()
        ):  # fmt: skip
            yield from operation_lines(operation, taken)


def _primitive(operation: mlir.Primitive, spelling: Spelling) -> str:
    is_memory, is_implemented = bool(operation.outputs), spelling is Spelling.IMPLEMENTED
    head = f"{defined_text(operation.results)}tpp.{operation.name}{_words(operation)}"
    written = _operands if is_implemented else _names
    if operation.inputs:
        bare = is_implemented and not is_memory
        head += f"{' ' if not bare else ''}{'' if bare else 'ins'}({written(operation.inputs)})"
    if is_memory:
        head += f" outs({written(operation.outputs)})"
    if operation.alpha is not None:
        head += f" {{alpha = {operation.alpha!r}}}"
    if not is_implemented:
        types = [type_text(each.type) for each in operation.operands]
        head += f" : {types[0]}" if len(types) == 1 else f" : ({', '.join(types)})"
    return head if is_memory else f"{head} -> {_types(operation.results)}"


def _words(operation: mlir.Primitive) -> str:
    options = ("unary", "binary", "unary_a", "unary_b")
    words = [f"{option} = {word}" for option in options if (word := getattr(operation, option))]
    return f" [{', '.join(words)}]" if words else ""


def _operands(values: Iterable[mlir.Value]) -> str:
    return ", ".join(f"%{each.name} : {type_text(each.type)}" for each in values)


def _names(values: Iterable[mlir.Value]) -> str:
    return ", ".join(f"%{each.name}" for each in values)


def _listed(values: tuple[mlir.Value, ...]) -> str:
    """Names, then their types."""
    return f" {_names(values)} : {', '.join(type_text(each.type) for each in values)}" if values else ""


def _types(values: tuple[mlir.Value, ...]) -> str:
    types = [type_text(each.type) for each in values]
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def _numbers(numbers: Iterable[int | mlir.Value]) -> str:
    return ", ".join(str(each) if isinstance(each, int) else f"%{each.name}" for each in numbers)
