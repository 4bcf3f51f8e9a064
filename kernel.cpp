#include <cassert>
#include <memory>
#include "subroutine.h"
#include "kernel.h"
namespace waves {
  void kernel::volume::execute() {
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(kDivM(0) != nullptr);
    assert(kDivM(1) != nullptr);
    assert(kDivM(2) != nullptr);
    assert(star(0) != nullptr);
    assert(star(1) != nullptr);
    assert(star(2) != nullptr);
    ::waves::subroutine::volume(Q, kDivM(0), kDivM(1), kDivM(2), I, star(0), star(1), star(2));
  }
} // namespace waves
namespace waves {
  void kernel::localFluxAll::execute() {
    assert(AplusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(face(0) != nullptr);
    assert(face(1) != nullptr);
    assert(face(2) != nullptr);
    assert(face(3) != nullptr);
    ::waves::subroutine::localFluxAll(Q, I, face(0), face(1), face(2), face(3), AplusT);
  }
} // namespace waves
namespace waves {
  void kernel::derivative::execute() {
    assert(!std::isnan(power(0)));
    assert(!std::isnan(power(1)));
    assert(I != nullptr);
    assert(dQ(0) != nullptr);
    assert(dQ(1) != nullptr);
    assert(kDivMT(0) != nullptr);
    assert(kDivMT(1) != nullptr);
    assert(kDivMT(2) != nullptr);
    assert(star(0) != nullptr);
    assert(star(1) != nullptr);
    assert(star(2) != nullptr);
    ::waves::subroutine::derivative(I, star(0), star(1), star(2), dQ(0), dQ(1), kDivMT(0), kDivMT(1), kDivMT(2), power(0), power(1));
  }
} // namespace waves
namespace waves {
namespace viscoelastic {
    void kernel::attenuate::execute() {
      assert(Q != nullptr);
      assert(Qane != nullptr);
      assert(attenuation != nullptr);
      assert(choose != nullptr);
      assert(w != nullptr);
      static constexpr unsigned choose_places[][2] = {{0, 0}, {1, 10}, {2, 20}, {3, 30}, {4, 40}, {5, 50}, {6, 60}, {7, 70}, {8, 80}, {9, 81}, {10, 91}, {11, 101}, {12, 111}, {13, 121}, {14, 131}};
      alignas(32) double choose_copy[135] = {};
      for (auto const& place : choose_places) choose_copy[place[1]] = choose[place[0]];
      ::waves::subroutine::viscoelastic_attenuate(Q, choose_copy, Qane, w, attenuation);
    }
} // namespace viscoelastic
} // namespace waves
namespace waves {
namespace output {
    void kernel::evaluate::execute() {
      assert(Q != nullptr);
      assert(atPoints != nullptr);
      assert(evalAtPoints != nullptr);
      assert(scale != nullptr);
      ::waves::subroutine::output_evaluate(Q, atPoints, scale, evalAtPoints);
    }
} // namespace output
} // namespace waves
namespace waves {
namespace output {
    void kernel::flatten::execute() {
      assert(Q != nullptr);
      assert(atPoints != nullptr);
      assert(mean != nullptr);
      ::waves::subroutine::output_flatten(Q, atPoints, mean);
    }
} // namespace output
} // namespace waves
namespace waves {
namespace output {
    void kernel::sum::execute() {
      assert(Q != nullptr);
      assert(atPoints != nullptr);
      assert(mean != nullptr);
      assert(total != nullptr);
      assert(unit != nullptr);
      assert(weights != nullptr);
      ::waves::subroutine::output_sum(Q, atPoints, mean, total, weights, unit);
    }
} // namespace output
} // namespace waves
namespace waves {
  void kernel::localFlux::execute0() {
    assert(AplusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fMrT(0) != nullptr);
    assert(rDivM(0) != nullptr);
    ::waves::subroutine::localFlux_0(Q, I, AplusT, rDivM(0), fMrT(0), _prefetch.I);
  }
  void kernel::localFlux::execute1() {
    assert(AplusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fMrT(1) != nullptr);
    assert(rDivM(1) != nullptr);
    ::waves::subroutine::localFlux_1(Q, I, AplusT, rDivM(1), fMrT(1), _prefetch.Q);
  }
  void kernel::localFlux::execute2() {
    assert(AplusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fMrT(2) != nullptr);
    assert(rDivM(2) != nullptr);
    ::waves::subroutine::localFlux_2(Q, I, AplusT, rDivM(2), fMrT(2));
  }
  void kernel::localFlux::execute3() {
    assert(AplusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fMrT(3) != nullptr);
    assert(rDivM(3) != nullptr);
    ::waves::subroutine::localFlux_3(Q, I, AplusT, rDivM(3), fMrT(3));
  }
} // namespace waves
namespace waves {
  void kernel::neighboringFlux::execute0() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_0(Q, I, rDivM(0), fP(0), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute1() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_1(Q, I, rDivM(0), fP(1), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute2() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_2(Q, I, rDivM(0), fP(2), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute3() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_3(Q, I, rDivM(0), fP(0), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute4() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_4(Q, I, rDivM(0), fP(1), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute5() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_5(Q, I, rDivM(0), fP(2), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute6() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_6(Q, I, rDivM(0), fP(0), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute7() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_7(Q, I, rDivM(0), fP(1), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute8() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_8(Q, I, rDivM(0), fP(2), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute9() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_9(Q, I, rDivM(0), fP(0), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute10() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_10(Q, I, rDivM(0), fP(1), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute11() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(0) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_11(Q, I, rDivM(0), fP(2), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute12() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_12(Q, I, rDivM(1), fP(0), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute13() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_13(Q, I, rDivM(1), fP(1), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute14() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_14(Q, I, rDivM(1), fP(2), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute15() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_15(Q, I, rDivM(1), fP(0), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute16() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_16(Q, I, rDivM(1), fP(1), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute17() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_17(Q, I, rDivM(1), fP(2), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute18() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_18(Q, I, rDivM(1), fP(0), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute19() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_19(Q, I, rDivM(1), fP(1), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute20() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_20(Q, I, rDivM(1), fP(2), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute21() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_21(Q, I, rDivM(1), fP(0), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute22() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_22(Q, I, rDivM(1), fP(1), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute23() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(1) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_23(Q, I, rDivM(1), fP(2), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute24() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_24(Q, I, rDivM(2), fP(0), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute25() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_25(Q, I, rDivM(2), fP(1), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute26() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_26(Q, I, rDivM(2), fP(2), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute27() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_27(Q, I, rDivM(2), fP(0), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute28() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_28(Q, I, rDivM(2), fP(1), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute29() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_29(Q, I, rDivM(2), fP(2), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute30() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_30(Q, I, rDivM(2), fP(0), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute31() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_31(Q, I, rDivM(2), fP(1), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute32() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_32(Q, I, rDivM(2), fP(2), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute33() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_33(Q, I, rDivM(2), fP(0), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute34() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_34(Q, I, rDivM(2), fP(1), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute35() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(2) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_35(Q, I, rDivM(2), fP(2), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute36() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_36(Q, I, rDivM(3), fP(0), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute37() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_37(Q, I, rDivM(3), fP(1), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute38() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(0) != nullptr);
    static constexpr unsigned rT_0_places[][2] = {{0, 0}, {1, 4}, {2, 5}, {3, 7}, {4, 8}, {5, 9}};
    alignas(32) double rT_0_copy[12] = {};
    for (auto const& place : rT_0_places) rT_0_copy[place[1]] = rT(0)[place[0]];
    ::waves::subroutine::neighboringFlux_38(Q, I, rDivM(3), fP(2), rT_0_copy, AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute39() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_39(Q, I, rDivM(3), fP(0), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute40() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_40(Q, I, rDivM(3), fP(1), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute41() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(1) != nullptr);
    ::waves::subroutine::neighboringFlux_41(Q, I, rDivM(3), fP(2), rT(1), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute42() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_42(Q, I, rDivM(3), fP(0), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute43() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_43(Q, I, rDivM(3), fP(1), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute44() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(2) != nullptr);
    ::waves::subroutine::neighboringFlux_44(Q, I, rDivM(3), fP(2), rT(2), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute45() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(0) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_45(Q, I, rDivM(3), fP(0), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute46() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(1) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_46(Q, I, rDivM(3), fP(1), rT(3), AminusT, _prefetch.I);
  }
  void kernel::neighboringFlux::execute47() {
    assert(AminusT != nullptr);
    assert(I != nullptr);
    assert(Q != nullptr);
    assert(fP(2) != nullptr);
    assert(rDivM(3) != nullptr);
    assert(rT(3) != nullptr);
    ::waves::subroutine::neighboringFlux_47(Q, I, rDivM(3), fP(2), rT(3), AminusT, _prefetch.I);
  }
} // namespace waves
