"""Drawings of contraction graphs and of orders: whole texts, and boxes that do not cover each other."""

from itertools import combinations
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.picture import Picture, dot, pictures
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.plan.svg import LINE, placed, svg
from tests.ir.programs import graph_of

SVG = "{http://www.w3.org/2000/svg}"

TEXT = """
tensor A[4,3]
tensor B[3,5]
tensor R[4,5]
kernel f { R[i,k] = A[i,j] * B[j,k] }
"""

DOT = """\
digraph {
  node [shape=box, fontname=monospace]
  subgraph cluster_0 {
    label="contraction graph of f"
    n0_0 [label="%0 = leaf A : f64 4x3 batched"]
    n0_1 [label="%1 = leaf B : f64 3x5 batched"]
    n0_2 [label="%2 = leaf R : f64 4x5 batched"]
    n0_3 [label="%3 = contract {ij, jk to ik} %0, %1 : i=4 k=5, sum j=3"]
    n0_4 [label="%4 = R[i, k] := {ik} %3 : i=4 k=5"]
    n0_0 -> n0_3
    n0_1 -> n0_3
    n0_3 -> n0_4
  }
  subgraph cluster_1 {
    label="order of A * B"
    n1_0 [label="ik: 100 operations, 20 entries"]
    n1_1 [label="A"]
    n1_2 [label="B"]
    n1_1 -> n1_0
    n1_2 -> n1_0
  }
}
"""


def drawn(text: str) -> tuple[Picture, ...]:
    graph = graph_of(text)
    return pictures(graph, plan(graph, ZEN4))


def test_dot() -> None:
    assert dot(drawn(TEXT)) == DOT


def test_dot_quotes_what_would_end_a_label() -> None:
    assert 'n0_0 [label="say \\"a\\\\b\\""]' in dot([Picture("", ('say "a\\b"',), ())])


def test_svg_has_every_label_and_every_arrow() -> None:
    root = ElementTree.fromstring(svg(drawn(TEXT)))
    name = "{http://www.w3.org/2000/svg}"
    labels = [label for picture in drawn(TEXT) for label in (picture.title, *picture.labels)]
    assert [text.text for text in root.iter(f"{name}text")] == labels
    assert len(list(root.iter(f"{name}line"))) == 5
    assert all(
        float(rect.get("x", "")) + float(rect.get("width", "")) < float(root.get("width", ""))
        for rect in root.iter(f"{name}rect")
    )


def test_svg_of_labels_that_xml_has_to_escape() -> None:
    root = ElementTree.fromstring(svg([Picture("<a & b>", ("<", "&"), ((0, 1),))]))
    assert [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")] == ["<a & b>", "<", "&"]


@st.composite
def graphs(draw: st.DrawFn) -> Picture:
    """Boxes with labels of any length; arrows lead from smaller numbers to larger ones."""
    lengths = draw(st.lists(st.integers(0, 40), min_size=1, max_size=12))
    pairs = list(combinations(range(len(lengths)), 2))
    arrows = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Picture("", tuple("x" * length for length in lengths), tuple(arrows))


@given(graphs())
def test_boxes_are_beside_or_below_each_other_and_arrows_lead_down(picture: Picture) -> None:
    boxes = placed(picture, 0)
    for one, other in combinations(boxes, 2):
        beside = one.left + one.width < other.left or other.left + other.width < one.left
        assert beside or abs(one.top - other.top) > LINE
    assert all(boxes[start].top < boxes[end].top for start, end in picture.arrows)


def test_boxes_stand_as_what_they_lead_to() -> None:
    boxes = placed(Picture("", ("a", "b", "c", "d"), ((0, 3), (1, 2))), 0)
    assert [boxes[0].left < boxes[1].left, boxes[2].left < boxes[3].left] == [False, True]


def test_arrows_that_lead_to_the_same_box_end_side_by_side() -> None:
    root = ElementTree.fromstring(svg([Picture("", ("a", "b", "the product"), ((1, 2), (0, 2)))]))
    ends = [(float(line.get("x1", "")), float(line.get("x2", ""))) for line in root.iter(f"{SVG}line")]
    (right, right_end), (left, left_end) = ends
    assert left < right
    assert left_end < right_end
