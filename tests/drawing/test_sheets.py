"""What is drawn of a kernel: networks, orders, and what is folded."""

from einsum_front import ir
from einsum_front.core.machines import ZEN4
from einsum_front.drawing.file import dot
from einsum_front.ir.pipeline import plan_graph
from einsum_front.ir.plan.diagram import DrawnKind, Sheet, folded_sheets, merged_text
from tests.ir.programs import graph_of

TEXT = """
tensor K[4,4] constant
tensor I[4,3]
tensor A[3,3]
tensor Q[4,3]
kernel step { Q[k,p] += K[k,l] * I[l,q] * A[q,p] }
"""

DOT = """\
digraph {
  rankdir=LR
  node [shape=box, fontname=monospace]
  graph [fontname=monospace]
  subgraph cluster_0 {
    label="step"
    subgraph cluster_0_1 {
      label="1  Q[k,p] += K[k,l] * I[l,q] * A[q,p]"
      n0_1_0_0 [label="K\\n4x4"]
      n0_1_0_1 [label="I\\n4x3"]
      n0_1_0_2 [label="A\\n3x3"]
      n0_1_0_3 [label="k 4", shape=oval, style=filled, fillcolor=gray25, fontcolor=white]
      n0_1_0_4 [label="p 3", shape=oval, style=filled, fillcolor=gray25, fontcolor=white]
      n0_1_0_5 [label="l 4", shape=oval]
      n0_1_0_6 [label="q 3", shape=oval]
      n0_1_0_3 -> n0_1_0_0 [dir=none]
      n0_1_0_2 -> n0_1_0_4 [dir=none]
      n0_1_0_0 -> n0_1_0_5 [dir=none]
      n0_1_0_5 -> n0_1_0_1 [dir=none]
      n0_1_0_1 -> n0_1_0_6 [dir=none]
      n0_1_0_6 -> n0_1_0_2 [dir=none]
      n0_1_1_0 [label="kp 4x3\\n60 operations"]
      n0_1_1_1 [label="kq 4x3\\n84 operations"]
      n0_1_1_2 [label="K"]
      n0_1_1_3 [label="I"]
      n0_1_1_4 [label="A"]
      n0_1_1_1 -> n0_1_1_0
      n0_1_1_4 -> n0_1_1_0
      n0_1_1_2 -> n0_1_1_1
      n0_1_1_3 -> n0_1_1_1
    }
  }
}
"""


def sheet(text: str, kernel: str | None = None, *, has_batch: bool = True) -> Sheet:
    """The drawing of a kernel, without its prologue."""
    planned = plan_graph(graph_of(text, kernel), machine=ZEN4)
    return ir.sheets(planned.graph, planned.plan, has_batch=has_batch)[-1]


def test_a_network_and_an_order_as_text_of_graphviz() -> None:
    assert dot([sheet(TEXT)]) == DOT


def test_what_would_end_a_label_is_quoted() -> None:
    assert 'label="say \\"a\\\\b\\""' in dot([Sheet('say "a\\b"', (), ())])


def test_tensors_are_batched_or_shared_and_neither_without_a_batch() -> None:
    kinds = {node.lines[0]: node.kind for node in sheet(TEXT).blocks[0].diagrams[0].nodes}
    assert (kinds["K"], kinds["I"], kinds["k 4"], kinds["l 4"]) == (
        DrawnKind.SHARED,
        DrawnKind.PER_ELEMENT,
        DrawnKind.FREE,
        DrawnKind.SUMMED,
    )
    alone = sheet(TEXT, has_batch=False)
    assert alone.notes[0].startswith("no batch: ")
    assert DrawnKind.PER_ELEMENT not in ir.legend([alone])


def test_terms_that_differ_in_numbers_are_one() -> None:
    text = """
tensor K{3}[4,4] constant
tensor I{3}[4,3]
tensor Q[4,3]
kernel step { Q[k,p] += sum{d in 0:3}(K{d}[k,l] * I{d}[l,p]) }
"""
    network, order = sheet(text).blocks[0].diagrams
    assert network.caption == "3 terms alike"
    assert [node.lines[0] for node in network.nodes] == ["K_0..2", "I_0..2", "k 4", "p 3", "l 4"]
    assert [node.lines[-1] for node in order.nodes] == ["84 operations", "K_0..2", "I_0..2"]


def test_statements_of_a_loop_and_members_of_a_family_are_one() -> None:
    text = """
tensor A{5}[4,4] constant
tensor I[4,3]
tensor Q{5}[4,3]
kernel all { for c in 0:5 { Q{c}[k,p] = A{c}[k,l] * I[l,p] } }
kernel one{c in 0:5} { Q{c}[k,p] = A{c}[k,l] * I[l,p] }
"""
    (block,) = sheet(text, "all").blocks
    assert block.notes == ("5 statements alike: 1, 2, 3, 4, … 5",)
    (folded,) = folded_sheets([sheet(text, f"one_{number}") for number in range(5)])
    assert folded.title == "one_0..4"
    assert folded.notes[0] == "5 kernels alike: one_0, one_1, one_2, one_3, … one_4"


def test_a_product_is_drawn_once_and_a_long_factor_has_a_name() -> None:
    text = """
tensor K[4,4]
tensor I[4,3]
tensor aQuiteLongName[3]
tensor anotherLongName[4,3]
tensor Q[4,3]
tensor R[4,3]
kernel f {
    Q[k,p] = K[k,l] * (I[l,p] + aQuiteLongName[p] + anotherLongName[l,p])
    R[k,p] = K[k,l] * (I[l,p] + aQuiteLongName[p] + anotherLongName[l,p])
}
"""
    first, second = sheet(text).blocks
    assert first.notes == ("%6 = (I + aQuiteLongName + anotherLongName)",)
    assert (second.diagrams, second.notes[-1]) == ((), "has a product of statement 1")


def test_a_chain_is_drawn_from_one_end_to_the_other() -> None:
    text = """
tensor A[3,4]
tensor B[4,5]
tensor C[5,6]
tensor R[3,6]
kernel f { R[i,l] = B[j,k] * C[k,l] * A[i,j] }
"""
    network = sheet(text).blocks[0].diagrams[0]
    assert [node.lines[0] for node in network.nodes[:3]] in (["A", "B", "C"], ["C", "B", "A"])


def test_a_copy_is_a_network_of_one_tensor() -> None:
    text = "tensor A[3,4]\ntensor R[4,3]\nkernel f { R[j,i] = A[i,j] }"
    (network,) = sheet(text).blocks[0].diagrams
    assert [node.lines[0] for node in network.nodes] == ["A", "j 4", "i 3"]


def test_numbers_of_texts_are_merged() -> None:
    assert merged_text(["K_0 20x9", "K_10 20x9", "K_2 20x9"]) == "K_0,2,10 20x9"
    assert merged_text([f"G{{{member}}}: {member * 7} entries" for member in (4, 1, 3)]) == "G{1,3..4}: 7..28 entries"
    assert merged_text([f"K_{member}" for member in range(0, 20, 2)]) == "K_0,2,4,6,8,… 18"


def test_a_sum_over_some_members_names_no_others() -> None:
    terms = " + ".join(f"G{{{member}}}[k,l] * I{{{member}}}[l,p]" for member in (1, 3, 4))
    text = f"tensor Q[4,3]\ntensor I{{5}}[4,3]\ntensor G{{5}}[4,4]\nkernel f {{ Q[k,p] += {terms} }}"
    labels = {node.lines[0] for diagram in sheet(text).blocks[0].diagrams for node in diagram.nodes}
    assert {"G_1,3..4", "I_1,3..4"} <= labels
