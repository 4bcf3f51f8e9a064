"""Nodes to text: the generic form, which every release of MLIR reads."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import argument_attributes, attributes_of, function_attributes, quoted, type_text


def unparse(module: mlir.Module) -> str:
    """The text of a module in the generic form; `parse` reads it back as the same module."""
    symbol = f" <{{sym_name = {quoted(module.name)}}}>" if module.name else ""
    body = [f"  {line}" for function in module.functions for line in _function(function)]
    return "\n".join([f'"builtin.module"(){symbol} ({{', *body, "}) : () -> ()", ""])


# -- functions ---------------------------------------------------------------------------------------------------------


def _function(function: mlir.Function) -> Iterator[str]:
    inputs = ", ".join(type_text(argument.type) for argument in function.arguments)
    type_ = f"({inputs}) -> {_types(function.results)}"
    private = ', sym_visibility = "private"' if function.is_private else ""
    said = [argument_attributes(function, each.name) for each in function.arguments]
    marked = f"arg_attrs = [{', '.join(each or '{}' for each in said)}], " if any(said) else ""
    yield f'"func.func"() <{{{marked}function_type = {type_}, sym_name = {quoted(function.name)}{private}}}> ({{'
    if function.body is not None:
        yield _label(function.arguments)
        taken = frozenset(names_of(function))
        yield from _indented(line for operation in function.body for line in operation_lines(operation, taken))
    yield f"}}){function_attributes(function)} : () -> (){_location(function.location)}"


def names_of(function: mlir.Function) -> Iterator[str]:
    """The names of all values outside of payloads."""
    yield from (each.name for each in function.arguments)
    yield from _defined(function.body or ())


def _defined(operations: Iterable[mlir.Operation]) -> Iterator[str]:
    for operation in operations:
        yield from (each.name for each in mlir.results_of(operation))
        if isinstance(operation, mlir.For):
            yield from (each.name for each in (operation.variable, *operation.carried))
        if isinstance(operation, mlir.For | mlir.Group):
            yield from _defined(operation.body)


def operation_lines(operation: mlir.Operation | mlir.IndexOf, taken: frozenset[str] = frozenset()) -> Iterator[str]:
    """The lines of an operation in the generic form; values of payloads get names that are not taken."""
    name, attributes, ends = attributes_of(operation)
    results, operands = mlir.results_of(operation), mlir.operands_of(operation)
    head = f'{defined_text(results)}"{name}"({", ".join(f"%{each.name}" for each in operands)})'
    listed = ", ".join(f"{key} = {value}" for key, value in sorted(attributes.items()))
    head += f" <{{{listed}}}>" if listed else ""
    inputs = ", ".join(type_text(each.type) for each in operands)
    tail = f" : ({inputs}) -> {_types(each.type for each in results)}{_location(operation.location)}"
    match operation:
        case mlir.Structured(payload=payload):
            yield f"{head} ({{"
            yield from _payload(distinct(payload, taken))
        case mlir.For(variable=variable, carried=carried, body=body, yields=yields):
            yield f"{head} ({{"
            yield _label((variable, *carried))
            yield from _indented(line for each in body for line in operation_lines(each, taken))
            yield f"  {_ending('scf.reduce' if operation.is_parallel else 'scf.yield', yields)}"
        case mlir.Group(body=body, yields=yields):
            yield f"{head} ({{"
            yield "^bb0:"
            yield from _indented(line for each in body for line in operation_lines(each, taken))
            yield f"  {_ending('tpp.yield', yields)}"
        case (
            mlir.Literal() | mlir.Scalar() | mlir.IndexOf() | mlir.Allocate() | mlir.Free() | mlir.Slice()
            | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Copy()
            | mlir.Primitive() | mlir.Pack() | mlir.Call() | mlir.Return()
        ):  # fmt: skip
            yield head + tail
            return
    yield f"}}){ends}{tail}"


def _payload(payload: mlir.Payload) -> Iterator[str]:
    yield _label(payload.arguments)
    yield from _indented(line for each in payload.operations for line in operation_lines(each))
    yield f"  {_ending('linalg.yield', payload.yields)}"


def distinct(payload: mlir.Payload, taken: frozenset[str]) -> mlir.Payload:
    """The payload with other names for its values where something else has theirs: regions hide nothing in MLIR."""
    own = [*(each.name for each in payload.arguments), *(each.result.name for each in payload.operations)]
    if not taken.intersection(own):
        return payload
    names = Names(taken.union(own))
    renamed = {name: names.fresh(name) if name in taken else name for name in own}

    def new(value: mlir.Value) -> mlir.Value:
        return replace(value, name=renamed.get(value.name, value.name))

    operations = tuple(
        replace(each, result=new(each.result), operands=tuple(map(new, each.operands)))
        if isinstance(each, mlir.Scalar)
        else replace(each, result=new(each.result))
        for each in payload.operations
    )
    return mlir.Payload(tuple(map(new, payload.arguments)), operations, tuple(map(new, payload.yields)), payload.origin)


def _ending(name: str, values: tuple[mlir.Value, ...]) -> str:
    types = ", ".join(type_text(value.type) for value in values)
    return f'"{name}"({", ".join(f"%{value.name}" for value in values)}) : ({types}) -> ()'


def _label(arguments: tuple[mlir.Value, ...]) -> str:
    listed = ", ".join(f"%{each.name}: {type_text(each.type)}" for each in arguments)
    return f"^bb0({listed}):" if arguments else "^bb0:"


def defined_text(results: tuple[mlir.Value, ...]) -> str:
    """The names in front of an operation; several results of one name are counted."""
    if not results:
        return ""
    stem, number, _ = results[0].name.partition("#")
    return f"%{stem}:{len(results)} = " if number else f"{', '.join(f'%{each.name}' for each in results)} = "


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _types(types: Iterable[mlir.Type]) -> str:
    listed = [type_text(each) for each in types]
    return listed[0] if len(listed) == 1 else f"({', '.join(listed)})"


def _location(location: str) -> str:
    return f" loc({quoted(location)})" if location else ""
