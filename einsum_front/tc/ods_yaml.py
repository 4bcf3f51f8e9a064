"""Definitions as the YAML from which MLIR generates its named operations (`mlir-linalg-ods-yaml-gen`).

Types are variables there, one for each type of the text: which numbers an operation takes, its user says.
"""

from collections.abc import Iterator, Sequence

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression, Program
from einsum_front.tc.structure import meaning, structure_of


def ods_yaml(program: Program) -> str:
    """A document for each definition of a text that is verified."""
    return "".join(f"{line}\n" for definition in program.definitions for line in _document(definition))


def class_name(definition: Definition) -> str:
    """The class of the operation in C++: what the text says, or made of its name."""
    return definition.ods_name or "".join(each[:1].upper() + each[1:] for each in definition.name.split("_")) + "Op"


def _document(definition: Definition) -> Iterator[str]:
    structure = structure_of(definition)
    symbols, types = definition.sizes, list(dict.fromkeys(each.type for each in definition.tensors))
    named = f"[{', '.join(f's{n}' for n in range(len(symbols)))}]" if symbols else ""
    yield "--- !LinalgOpConfig"
    yield "metadata: !LinalgOpMetadata"
    yield f"  name: {definition.name}"
    yield f"  cpp_class_name: {class_name(definition)}"
    yield "  doc: |-"
    yield from (f"    {line.strip()}" for line in (definition.docstring.strip() or definition.name).splitlines())
    yield "structured_op: !LinalgStructuredOpConfig"
    yield "  args:"
    for number, tensor in enumerate(definition.tensors):
        yield "  - !LinalgOperandDefConfig"
        yield f"    name: {tensor.name}"
        yield f"    kind: {'input_tensor' if number < len(definition.inputs) else 'output_tensor'}"
        yield f"    type_var: T{types.index(tensor.type) + 1}"
        yield f"    shape_map: affine_map<(){named} -> ({_affine(tensor.shape, symbols, 's')})>"
    yield "  indexing_maps: !LinalgIndexingMapsConfig"
    yield "    static_indexing_maps:"
    dims = ", ".join(f"d{n}" for n in range(len(structure.iterators)))
    for positions in structure.maps:
        yield f"    - affine_map<({dims}){named} -> ({_affine(positions, structure.iterators, 'd')})>"
    kinds = ("reduction" if name in structure.reductions else "parallel" for name in structure.iterators)
    yield "  iterator_types:" if structure.iterators else "  iterator_types: []"
    yield from (f"  - {kind}" for kind in kinds)
    yield "  assignments:"
    body = definition.body
    for target, value in zip(body.targets, body.values, strict=True):
        yield "  - !ScalarAssign"
        yield f"    arg: {target.tensor}"
        yield "    value: !ScalarExpression"
        yield from _indented(_expression(value, target), 6)


def _affine(affine: Sequence[Affine], names: Sequence[str], letter: str) -> str:
    return ", ".join(_one(each, names, letter) for each in affine)


def _one(affine: Affine, names: Sequence[str], letter: str) -> str:
    numbered = sorted((names.index(name), factor) for name, factor in affine.terms)
    parts = [f"{letter}{n}" if factor == 1 else f"{letter}{n} * {factor}" for n, factor in numbered]
    parts += [str(affine.constant)] if affine.constant or not parts else []
    return " + ".join(parts)


def _expression(expression: Expression, target: Access) -> Iterator[str]:
    match expression:
        case Access(tensor=tensor):
            yield f"scalar_arg: {tensor}"
        case Apply(operation=operation, arguments=arguments, over=over):
            known = meaning(operation)
            if known is None:
                raise CompilerBug(f"there is no operation `{operation}`")
            operands = (target, *arguments) if over and len(arguments) < known.arity else arguments
            yield "scalar_fn:"
            yield f"  kind: {'unary' if known.arity == 1 else 'binary'}"
            yield f"  fn_name: {known.opdsl}"
            yield "  operands:"
            for each in operands:
                yield "  - !ScalarExpression"
                yield from _indented(_expression(each, target), 4)


def _indented(lines: Iterator[str], spaces: int) -> Iterator[str]:
    return (" " * spaces + line for line in lines)
