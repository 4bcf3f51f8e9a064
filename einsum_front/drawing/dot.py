"""The drawings in the language of Graphviz, for those who want another layout: a frame for each statement."""

from collections.abc import Iterable, Iterator

from einsum_front.ir import Block, Diagram, DrawnKind, DrawnNode, Sheet

SHAPES = {DrawnKind.SUMMED: "shape=oval", DrawnKind.FREE: "shape=oval, style=filled, fillcolor=gray25, fontcolor=white"}


def dot(sheets: Iterable[Sheet]) -> str:
    """All sheets as one graph; equal sheets have equal texts."""
    lines = ["digraph {", "  rankdir=LR", "  node [shape=box, fontname=monospace]", "  graph [fontname=monospace]"]
    for number, sheet in enumerate(sheets):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(sheet.title)}"]
        for block in sheet.blocks:
            lines += _block(block, f"{number}_{block.number}")
        lines += ["  }"]
    return "\n".join([*lines, "}"]) + "\n"


def _block(block: Block, name: str) -> Iterator[str]:
    yield f"    subgraph cluster_{name} {{"
    yield f"      label={_quoted(f'{block.number}  {block.title}')}"
    for number, diagram in enumerate(block.diagrams):
        yield from (f"      {line}" for line in _diagram(diagram, f"n{name}_{number}"))
    yield "    }"


def _diagram(diagram: Diagram, name: str) -> Iterator[str]:
    yield from (f"{name}_{number} [{_attributes(node)}]" for number, node in enumerate(diagram.nodes))
    way = "" if diagram.has_arrows else " [dir=none]"
    yield from (f"{name}_{start} -> {name}_{end}{way}" for start, end in diagram.edges)


def _attributes(node: DrawnNode) -> str:
    label = f"label={_quoted(chr(10).join(node.lines))}"
    return f"{label}, {SHAPES[node.kind]}" if node.kind in SHAPES else label


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
