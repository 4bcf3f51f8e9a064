"""Where things stand: nothing covers anything else, whatever is drawn."""

from itertools import combinations, pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from einsum_front.drawing import svg_of
from einsum_front.drawing.layout import Layout, Point, grandalf, read_plain
from einsum_front.drawing.measure import node_size
from einsum_front.drawing.page import A3, arranged
from einsum_front.drawing.svg import SMALLEST
from einsum_front.ir import Block, Diagram, DrawnKind, DrawnNode, Sheet

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def diagrams(draw: st.DrawFn) -> Diagram:
    """Nodes with texts of any length; edges lead from smaller numbers to larger ones."""
    texts = draw(st.lists(st.integers(1, 30), min_size=1, max_size=9))
    pairs = list(combinations(range(len(texts)), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12)) if pairs else []
    kinds = draw(st.lists(st.sampled_from(DrawnKind), min_size=len(texts), max_size=len(texts)))
    nodes = tuple(DrawnNode(("x" * length,), kind) for length, kind in zip(texts, kinds, strict=True))
    return Diagram("", nodes, tuple(edges), draw(st.booleans()))


def corners(diagram: Diagram, layout: Layout) -> list[tuple[float, float, float, float]]:
    sizes = map(node_size, diagram.nodes)
    return [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in zip(layout.centres, sizes, strict=True)
    ]


@given(diagrams())
def test_boxes_stand_apart_and_inside(diagram: Diagram) -> None:
    layout = grandalf(diagram)
    boxes = corners(diagram, layout)
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    inside = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    assert inside[0] >= -0.01
    assert inside[1] >= -0.01
    assert inside[2] <= layout.size[0] + 0.01
    assert inside[3] <= layout.size[1] + 0.01


def tree_of(depth: int) -> Diagram:
    """A chain of products: number 0 is the last one."""
    nodes = [DrawnNode(("R 20x9", "7020 operations"), DrawnKind.RESULT)]
    edges = []
    last = 0
    for number in range(depth):
        nodes += [DrawnNode((f"factor_{number}",), DrawnKind.TENSOR), DrawnNode(("P 20x9",), DrawnKind.PRODUCT)]
        edges += [(len(nodes) - 2, last), (len(nodes) - 1, last)]
        last = len(nodes) - 1
    return Diagram("", tuple(nodes), tuple(edges), has_arrows=True)


def test_no_line_crosses_a_box_that_it_does_not_lead_to() -> None:
    diagram = tree_of(5)
    layout = grandalf(diagram)
    boxes = corners(diagram, layout)
    for (start, end), line in zip(diagram.edges, layout.lines, strict=True):
        others = [box for number, box in enumerate(boxes) if number not in (start, end)]
        assert not any(_crosses(one, other, box) for one, other in pairwise(line.points) for box in others)


def test_factors_stand_in_front_of_their_product() -> None:
    diagram = tree_of(4)
    layout = grandalf(diagram)
    assert all(layout.centres[start][0] < layout.centres[end][0] for start, end in diagram.edges)


def _crosses(one: Point, other: Point, box: tuple[float, float, float, float]) -> bool:
    """True if one of many points between two lies in a box."""
    steps = [number / 50 for number in range(51)]
    points = [(one[0] + (other[0] - one[0]) * s, one[1] + (other[1] - one[1]) * s) for s in steps]
    return any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in points)


def test_the_answer_of_graphviz() -> None:
    diagram = Diagram("", (DrawnNode(("a",), DrawnKind.TENSOR), DrawnNode(("b",), DrawnKind.TENSOR)), ((0, 1),))
    answer = """\
graph 1 2 0.5
node 0 0.25 0.25 0.24 0.23 0 solid box black lightgrey
node 1 1.25 0.25 0.24 0.23 1 solid box black lightgrey
edge 0 1 4 0.375 0.25 0.5 0.25 0.75 0.25 1.125 0.25 solid black
stop
"""
    layout = read_plain(answer, diagram)
    (first, second) = layout.centres
    assert round(second[0] - first[0]) == 96
    assert layout.lines[0].is_curve
    assert len(layout.lines[0].points) == 4


def statement(number: int) -> Block:
    """A product of three tensors, as kernels of solvers have them."""
    names = ("K", "Q", "A")
    tensors = [DrawnNode((name, "20x20"), DrawnKind.PER_ELEMENT) for name in names]
    indices = [DrawnNode((f"{name} 20",), DrawnKind.SUMMED) for name in "klqp"]
    edges = ((3, 0), (0, 4), (4, 1), (1, 5), (5, 2), (2, 6))
    network = Diagram("", (*tensors, *indices), edges)
    return Block(number, f"T{number}[k,p] = K[k,l] * Q[l,q] * A[q,p]", (), (network, tree_of(2)))


def test_24_statements_fit_a_page_of_a3() -> None:
    page = arranged([Sheet("all", ("for each element of a batch",), tuple(map(statement, range(1, 25))))], grandalf)
    assert page.size[0] * SMALLEST <= A3[0]
    assert page.size[1] * SMALLEST <= A3[1]


def test_blocks_of_a_page_do_not_meet() -> None:
    page = arranged([Sheet(name, (), tuple(map(statement, range(1, 8)))) for name in ("one", "other")], grandalf)
    boxes = [(*block.corner, *block.size) for sheet in page.sheets for block in sheet.blocks]
    for (x, y, w, h), (x1, y1, w1, h1) in combinations(boxes, 2):
        assert x + w < x1 or x1 + w1 < x or y + h < y1 or y1 + h1 < y


def test_svg_has_every_text_and_escapes_it() -> None:
    sheet = Sheet("<a & b>", ("a note",), (statement(1),))
    root = ElementTree.fromstring(svg_of([sheet], grandalf))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    labels = [line for diagram in statement(1).diagrams for node in diagram.nodes for line in node.lines]
    assert texts[:2] == ["<a & b>", "a note"]
    assert set(labels) <= set(texts)
    assert len(list(root.iter(f"{SVG}path"))) == 1 + 6 + 4


def test_the_same_drawing_twice_is_the_same_text() -> None:
    sheet = Sheet("all", (), tuple(map(statement, range(1, 4))))
    assert svg_of([sheet], grandalf) == svg_of([sheet], grandalf)
