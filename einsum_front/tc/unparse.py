"""Nodes to text."""

from collections.abc import Iterable, Iterator

from einsum_front.tc.nodes import Access, Affine, Apply, Comprehension, Definition, Expression, Program, TensorDef


def unparse(program: Program) -> str:
    """The text of definitions; `parse` reads it back as the same ones."""
    return "\n".join(definition_text(each) for each in program.definitions)


def definition_text(definition: Definition) -> str:
    """The text of one definition."""
    return "\n".join([*_lines(definition), ""])


def _lines(definition: Definition) -> Iterator[str]:
    if definition.ods_name:
        yield f"ods_def<{definition.ods_name}>:"
    inputs, outputs = (", ".join(map(_tensor, each)) for each in (definition.inputs, definition.outputs))
    head = f"def {definition.name}({inputs}) -> ({outputs})"
    if definition.docstring:
        yield head
        yield f'"""{definition.docstring}"""'
        yield "{"
    else:
        yield f"{head} {{"
    for comprehension in definition.comprehensions:
        yield f"  {_comprehension(comprehension)}"
    yield "}"


def _tensor(tensor: TensorDef) -> str:
    return f"{tensor.name}: {tensor.type}({_listed(tensor.shape)})"


def _comprehension(comprehension: Comprehension) -> str:
    targets = ", ".join(map(expression_text, comprehension.targets))
    return f"{targets} = {', '.join(map(expression_text, comprehension.values))};"


def expression_text(expression: Expression) -> str:
    """The text of an expression."""
    match expression:
        case Access(tensor=tensor, positions=positions):
            return f"{tensor}({_listed(positions)})"
        case Apply(operation=operation, arguments=arguments, over=over):
            reduced = f"<{', '.join(over)}>" if over else ""
            return f"{operation}{reduced}({', '.join(map(expression_text, arguments))})"


def _listed(affine: Iterable[Affine]) -> str:
    return ", ".join(map(affine_text, affine))


def affine_text(affine: Affine) -> str:
    """The text of a position or an extent."""
    parts = [(factor, name if abs(factor) == 1 else f"{abs(factor)} * {name}") for name, factor in affine.terms]
    if affine.constant or not parts:
        parts.append((affine.constant, str(abs(affine.constant))))
    (first, text), *others = parts
    signed = f"-{text}" if first < 0 else text
    return signed + "".join(f" {'-' if factor < 0 else '+'} {each}" for factor, each in others)
