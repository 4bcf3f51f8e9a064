"""What is said about a plan, word for word."""

import json

from einsum_front.ir.plan.explain import explain, explain_as_data, map_text
from einsum_front.ir.plan.memory import peak_bytes
from tests.ir.programs import plan_of

TEXT = """
tensor K[4, 4] constant nonzeros [(1,0), (2,0), (2,1), (3,2)]
tensor I[4, 3]
tensor A[3, 3]
tensor Q[4, 3]
scalar dt
kernel step { Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p] + A[q,q] }
"""

EXPLANATION = """\
plan step: 92 operations on nonzeros, 122 on boxes, 512 bytes read, 272 bytes written, 72 bytes of temporaries
  buffers
    K: f64 4x4 constant, 4 nonzeros
    I: f64 4x3 batched
    A: f64 3x3 batched
    Q: f64 4x3 batched
    tmp0: f64 3x3 temp, in memory 3x3 (modes 0 1), steps 0 to 1
    tmp1: f64 3 temp, in memory 3 (modes 0), steps 2 to 3
    tmp2: f64 scalar temp, steps 3 to 4
  steps
    0: log {kl, lq to kq} tmp0[k, q] := K[k+1, l] * I[l, q]    k=3 q=3, sum l=3    15 operations
    1: log {kq, qp to kp} Q[k+1, p] := Q[k+1, p] + dt * tmp0[k, q] * A[q, p]    k=3 p=3, sum q=3    63 operations
    2: broadcast tmp1[q] := A[q, q]    q=3    0 operations
    3: sum tmp2[] := tmp1[q]    _, sum q=3    2 operations
    4: broadcast Q[k, p] := Q[k, p] + tmp2[]    k=4 p=3    12 operations
  orders
    K * I * A: (K I) A, 60 operations, 90 on boxes, 2 matrix products, 9 entries of temporaries
      rejected: K (I A), 60 operations, 90 on boxes, 2 matrix products, 9 entries of temporaries
      rejected: (K A) I, 99 operations, 234 on boxes, 2 matrix products, 81 entries of temporaries
"""


def test_explanation() -> None:
    assert explain(plan_of(TEXT)) == EXPLANATION


def test_data_can_be_written_as_json_and_agrees_with_the_text() -> None:
    made = plan_of(TEXT)
    data = json.loads(json.dumps(explain_as_data(made)))
    assert data["name"] == "step"
    assert data["operations"] == {"nonzero": made.cost.operations, "executed": made.cost.executed}
    assert data["bytes"] == made.cost.read + made.cost.written == sum(step["bytes"] for step in data["steps"])
    assert data["temporary_bytes"] == peak_bytes(made.buffers) == 72
    maps = [step["map"] for step in data["steps"]]
    assert maps == ["{kl, lq to kq}", "{kq, qp to kp}", "{qq to q}", "{q to _}", "{_ to kp}"]
    assert {step["statement"] for step in data["steps"]} == {"Q[k,p] += dt * K[k,l] * I[l,q] * A[q,p] + A[q,q]"}
    assert data["steps"][1]["space"] == {
        "k": {"extent": 3, "kind": "parallel"},
        "p": {"extent": 3, "kind": "parallel"},
        "q": {"extent": 3, "kind": "reduction"},
    }
    assert data["orders"][0]["taken"]["tree"] == "(K I) A"
    reasons = [order["reason"] for order in data["orders"][0]["rejected"]]
    assert reasons == ["as good; found later", "39 more operations"]
    assert data["buffers"][4] == {
        "name": "tmp0",
        "type": "f64",
        "shape": [3, 3],
        "strides": [1, 3],
        "storage": "temp",
        "first_step": 0,
        "last_step": 1,
    }


def test_temporaries_that_do_not_live_together_count_once() -> None:
    made = plan_of("tensor A[4,4]\ntensor B[4,4]\nkernel f { A[i,j] = A[j,i]\n B[i,j] = B[j,i] }")
    assert sum(buffer.tensor.footprint * 8 for buffer in made.buffers if buffer.is_temporary) == 2 * 128
    assert peak_bytes(made.buffers) == 128


def test_maps_show_loops_around_matrix_products_and_modes_that_are_walked_as_one() -> None:
    made = plan_of(
        "tensor A[4,3,5]\ntensor B[5,6,2,3]\ntensor C[4,6,2,3]\nkernel f { C[i,j,n,m] = A[i,m,k] * B[k,j,n,m] }"
    )
    assert [map_text(step, made) for step in made.steps] == ["{i[m]k, k(jn)[m] to i(jn)[m]}"]


def test_a_fill_has_the_map_of_its_target_alone() -> None:
    made = plan_of("tensor A[4,3]\nkernel f { A[i,j] = 0 }")
    assert [map_text(step, made) for step in made.steps] == ["{ij}"]
