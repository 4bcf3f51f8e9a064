"""The function that a plan becomes, word for word."""

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.emit_yateto import emit, emit_function
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.unparse import unparse
from einsum_front.ir.yateto.verify import verify
from tests.ir.programs import graph_of, plan_of

TEXT = """
tensor K[4, 3] constant row_major nonzeros [(1,0), (2,0), (3,2)]
tensor Q[4, 3] strided<1, 8>
tensor P[3, 3] grouped
tensor v[3]
scalar dt
kernel step { Q[k,p] += dt**2/2 * K[k,l] * P[l,p]
    v[i] = P[i,i] / dt }
"""

FUNCTION = """\
;! modes %K 1 0
;! nonzeros %K 3 6 11
define @step(%K: memref<f64x3x4>,
             %Q: group<memref<f64x4x3,strided<1,8>>,distance<24>>,
             %P: group<memref<f64x3x3>,pointers>,
             %v: group<memref<f64x3>,distance<3>>,
             %dt: f64) {
  %Q_item = get_work_item %Q : group<memref<f64x4x3,strided<1,8>>,distance<24>>
  %P_item = get_work_item %P : group<memref<f64x3x3>,pointers>
  %v_item = get_work_item %v : group<memref<f64x3>,distance<3>>
  %s = arith.mul %dt, %dt : f64
  %s1 = arith.div %s, 2.0 : f64
  %view = subview %K[0:3, 1:4] : memref<f64x3x4> to memref<f64x3x3>
  %view1 = subview %Q_item[1:4, 0:3] : memref<f64x4x3,strided<1,8>> to memref<f64x3x3,strided<1,8>>
  log {lk, lp to kp} %s1, %view, %P_item, 1.0, %view1
      : memref<f64x3x3>, memref<f64x3x3> to memref<f64x3x3,strided<1,8>>
  %s2 = arith.div 1.0, %dt : f64
  broadcast {ii to i} %s2, %P_item, 0.0, %v_item
      : memref<f64x3x3> to memref<f64x3>
}
"""


def test_function() -> None:
    program = emit([plan_of(TEXT)])
    assert unparse(program) == FUNCTION
    assert verify(program) == ()


def test_an_item_of_a_batch_stands_as_far_from_the_next_as_one_more_mode_would_be() -> None:
    arguments = emit_function(plan_of(TEXT)).arguments
    assert arguments[1].name == yir.Local("Q")
    assert isinstance(arguments[1].type, yir.GroupType)
    assert arguments[1].type.layout == yir.Distance(24)


def test_instructions_know_the_statement_that_they_come_from() -> None:
    function = emit_function(plan_of(TEXT))
    texts = {
        type(instruction).__name__: instruction.origin[0].text for instruction in function.body if instruction.origin
    }
    assert texts["Log"] == "dt**2/2 * K[k,l] * P[l,p]"
    assert texts["Broadcast"] == "P[i,i]"


def test_names_of_the_program_are_never_taken_twice() -> None:
    text = "tensor tmp0[2,2]\ntensor view[2,2]\ntensor tmp0_item[2]\nkernel f { tmp0[i,j] = tmp0[j,i] + view[0,j] }"
    program = emit([plan(graph_of(text), ZEN4)])
    assert verify(program) == ()
