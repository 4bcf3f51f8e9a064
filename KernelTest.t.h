#ifndef WAVES_KERNELTEST_T_H_
#define WAVES_KERNELTEST_T_H_
#include "kernel.h"
#include "init.h"
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
// What the tests of all kernels share: generated entries, and loops that carry a bound of the roundings.
namespace {

// A number, and the sum of the absolute values of all terms that it is made of.
struct entry {
  double value, magnitude;
};

inline entry number(double value) { return {value, std::fabs(value)}; }
inline entry plus(entry left, entry right) {
  return {left.value + right.value, left.magnitude + right.magnitude};
}
inline entry times(entry left, entry right) {
  return {left.value * right.value, left.magnitude * right.magnitude};
}

// Entries that follow each other in the memory of a tensor, and in a packed array of its shape.
struct run {
  unsigned place, position, count;
};

// Numbers in [-1, 1] with 24 bits, which both precisions have.
inline double next(std::uint64_t& state) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return static_cast<double>(state >> 39) / (1 << 24) - 1.0;
}

// Generates the entries that may differ from zero; all others are zero.
template <typename Real, std::size_t Size, std::size_t Entries, std::size_t Runs>
void fill(Real (&memory)[Size], entry (&packed)[Entries], run const (&runs)[Runs], std::uint64_t& state) {
  for (Real& each : memory) each = 0;
  for (entry& each : packed) each = {0, 0};
  for (run const& each : runs)
    for (unsigned i = 0; i < each.count; ++i) {
      double const value = next(state);
      memory[each.place + i] = static_cast<Real>(value);
      packed[each.position + i] = number(value);
    }
}

// The largest difference from the loops, as a multiple of what `roundings` in each entry can make it.
template <typename Real, std::size_t Size, std::size_t Entries, std::size_t Runs>
double difference(Real const (&memory)[Size], entry const (&packed)[Entries], run const (&runs)[Runs], double roundings) {
  double magnitude = 0, worst = 0;
  for (entry const& each : packed) magnitude = std::fmax(magnitude, each.magnitude);
  for (run const& each : runs)
    for (unsigned i = 0; i < each.count; ++i) {
      double const found = std::fabs(static_cast<double>(memory[each.place + i]) - packed[each.position + i].value);
      if (!(found <= worst)) worst = std::isnan(found) ? std::numeric_limits<double>::infinity() : found;
    }
  double const allowed = 4 * roundings * std::numeric_limits<Real>::epsilon() * magnitude;
  return worst <= allowed ? worst / (allowed > 0 ? allowed : 1) : std::numeric_limits<double>::infinity();
}

} // namespace
namespace {

double test_volume() {
  std::uint64_t state = 1;
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_kDivM_0[] = {{0, 1, 1}};
  alignas(32) static double m_kDivM_0[3];
  static entry t_kDivM_0[16];
  fill(m_kDivM_0, t_kDivM_0, entries_kDivM_0, state);
  static constexpr run entries_kDivM_1[] = {{0, 1, 2}};
  alignas(32) static double m_kDivM_1[3];
  static entry t_kDivM_1[16];
  fill(m_kDivM_1, t_kDivM_1, entries_kDivM_1, state);
  static constexpr run entries_kDivM_2[] = {{0, 1, 3}};
  alignas(32) static double m_kDivM_2[3];
  static entry t_kDivM_2[16];
  fill(m_kDivM_2, t_kDivM_2, entries_kDivM_2, state);
  static constexpr run entries_star_0[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_0[81];
  static entry t_star_0[81];
  fill(m_star_0, t_star_0, entries_star_0, state);
  static constexpr run entries_star_1[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_1[81];
  static entry t_star_1[81];
  fill(m_star_1, t_star_1, entries_star_1, state);
  static constexpr run entries_star_2[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_2[81];
  static entry t_star_2[81];
  fill(m_star_2, t_star_2, entries_star_2, state);
  waves::kernel::volume krnl;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.kDivM(0) = m_kDivM_0;
  krnl.kDivM(1) = m_kDivM_1;
  krnl.kDivM(2) = m_kDivM_2;
  krnl.star(0) = m_star_0;
  krnl.star(1) = m_star_1;
  krnl.star(2) = m_star_2;
  krnl.execute();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum1 = plus(sum1, times(times(t_kDivM_0[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_star_0[i_q + 9 * i_p]));
                  }
              }
              entry sum2 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum2 = plus(sum2, times(times(t_kDivM_1[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_star_1[i_q + 9 * i_p]));
                  }
              }
              entry sum3 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum3 = plus(sum3, times(times(t_kDivM_2[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_star_2[i_q + 9 * i_p]));
                  }
              }
              result[count++] = plus(plus(plus(t_Q[i_k + 4 * i_p], sum1), sum2), sum3);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 42));
  worst = std::fmax(worst, difference(m_kDivM_0, t_kDivM_0, entries_kDivM_0, 0));
  worst = std::fmax(worst, difference(m_kDivM_1, t_kDivM_1, entries_kDivM_1, 0));
  worst = std::fmax(worst, difference(m_kDivM_2, t_kDivM_2, entries_kDivM_2, 0));
  worst = std::fmax(worst, difference(m_star_0, t_star_0, entries_star_0, 0));
  worst = std::fmax(worst, difference(m_star_1, t_star_1, entries_star_1, 0));
  worst = std::fmax(worst, difference(m_star_2, t_star_2, entries_star_2, 0));
  return worst;
}

double test_localFluxAll() {
  std::uint64_t state = 1;
  static constexpr run entries_AplusT[] = {{0, 0, 81}};
  alignas(32) static double m_AplusT[81];
  static entry t_AplusT[81];
  fill(m_AplusT, t_AplusT, entries_AplusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_face_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {10, 10, 1}, {12, 12, 1}, {15, 15, 1}};
  alignas(32) static double m_face_0[16];
  static entry t_face_0[16];
  fill(m_face_0, t_face_0, entries_face_0, state);
  static constexpr run entries_face_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {8, 8, 1}, {10, 10, 3}, {14, 14, 2}};
  alignas(32) static double m_face_1[16];
  static entry t_face_1[16];
  fill(m_face_1, t_face_1, entries_face_1, state);
  static constexpr run entries_face_2[] = {{0, 0, 16}};
  alignas(32) static double m_face_2[16];
  static entry t_face_2[16];
  fill(m_face_2, t_face_2, entries_face_2, state);
  static constexpr run entries_face_3[] = {{0, 0, 16}};
  alignas(32) static double m_face_3[16];
  static entry t_face_3[16];
  fill(m_face_3, t_face_3, entries_face_3, state);
  waves::kernel::localFluxAll krnl;
  krnl.AplusT = m_AplusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.face(0) = m_face_0;
  krnl.face(1) = m_face_1;
  krnl.face(2) = m_face_2;
  krnl.face(3) = m_face_3;
  krnl.execute();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum1 = plus(sum1, times(times(t_face_0[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                  }
              }
              entry sum2 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum2 = plus(sum2, times(times(t_face_1[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                  }
              }
              entry sum3 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum3 = plus(sum3, times(times(t_face_2[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                  }
              }
              entry sum4 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum4 = plus(sum4, times(times(t_face_3[i_k + 4 * i_l], t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                  }
              }
              result[count++] = plus(plus(plus(plus(t_Q[i_k + 4 * i_p], sum1), sum2), sum3), sum4);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AplusT, t_AplusT, entries_AplusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 43));
  worst = std::fmax(worst, difference(m_face_0, t_face_0, entries_face_0, 0));
  worst = std::fmax(worst, difference(m_face_1, t_face_1, entries_face_1, 0));
  worst = std::fmax(worst, difference(m_face_2, t_face_2, entries_face_2, 0));
  worst = std::fmax(worst, difference(m_face_3, t_face_3, entries_face_3, 0));
  return worst;
}

double test_derivative() {
  std::uint64_t state = 1;
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_dQ_0[] = {{0, 0, 36}};
  alignas(32) static double m_dQ_0[36];
  static entry t_dQ_0[36];
  fill(m_dQ_0, t_dQ_0, entries_dQ_0, state);
  static constexpr run entries_dQ_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}, {12, 12, 1}, {16, 16, 1}, {20, 20, 1}, {24, 24, 1}, {28, 28, 1}, {32, 32, 1}};
  alignas(32) static double m_dQ_1[36];
  static entry t_dQ_1[36];
  fill(m_dQ_1, t_dQ_1, entries_dQ_1, state);
  static constexpr run entries_kDivMT_0[] = {{0, 4, 1}};
  alignas(32) static double m_kDivMT_0[1];
  static entry t_kDivMT_0[16];
  fill(m_kDivMT_0, t_kDivMT_0, entries_kDivMT_0, state);
  static constexpr run entries_kDivMT_1[] = {{0, 4, 1}, {1, 8, 1}};
  alignas(32) static double m_kDivMT_1[2];
  static entry t_kDivMT_1[16];
  fill(m_kDivMT_1, t_kDivMT_1, entries_kDivMT_1, state);
  static constexpr run entries_kDivMT_2[] = {{0, 4, 1}, {1, 8, 1}, {2, 12, 1}};
  alignas(32) static double m_kDivMT_2[3];
  static entry t_kDivMT_2[16];
  fill(m_kDivMT_2, t_kDivMT_2, entries_kDivMT_2, state);
  static constexpr run entries_star_0[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_0[81];
  static entry t_star_0[81];
  fill(m_star_0, t_star_0, entries_star_0, state);
  static constexpr run entries_star_1[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_1[81];
  static entry t_star_1[81];
  fill(m_star_1, t_star_1, entries_star_1, state);
  static constexpr run entries_star_2[] = {{6, 6, 3}, {15, 15, 3}, {24, 24, 3}, {33, 33, 2}, {43, 43, 2}, {51, 51, 1}, {53, 53, 2}, {57, 57, 1}, {59, 59, 1}, {64, 64, 1}, {66, 66, 2}, {74, 74, 1}, {76, 76, 2}};
  alignas(32) static double m_star_2[81];
  static entry t_star_2[81];
  fill(m_star_2, t_star_2, entries_star_2, state);
  double const s_power_0 = next(state);
  double const s_power_1 = next(state);
  waves::kernel::derivative krnl;
  krnl.power(0) = static_cast<double>(s_power_0);
  krnl.power(1) = static_cast<double>(s_power_1);
  krnl.I = m_I;
  krnl.dQ(0) = m_dQ_0;
  krnl.dQ(1) = m_dQ_1;
  krnl.kDivMT(0) = m_kDivMT_0;
  krnl.kDivMT(1) = m_kDivMT_1;
  krnl.kDivMT(2) = m_kDivMT_2;
  krnl.star(0) = m_star_0;
  krnl.star(1) = m_star_1;
  krnl.star(2) = m_star_2;
  krnl.execute();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              result[count++] = times(number(s_power_0), t_dQ_0[i_k + 4 * i_p]);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_I[i_k + 4 * i_p] = result[count++];
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum1 = plus(sum1, times(times(t_kDivMT_0[i_k + 4 * i_l], t_dQ_0[i_l + 4 * i_q]), t_star_0[i_q + 9 * i_p]));
                  }
              }
              entry sum2 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum2 = plus(sum2, times(times(t_kDivMT_1[i_k + 4 * i_l], t_dQ_0[i_l + 4 * i_q]), t_star_1[i_q + 9 * i_p]));
                  }
              }
              entry sum3 = {0, 0};
              for (int i_l = 0; i_l < 4; ++i_l) {
                  for (int i_q = 0; i_q < 9; ++i_q) {
                      sum3 = plus(sum3, times(times(t_kDivMT_2[i_k + 4 * i_l], t_dQ_0[i_l + 4 * i_q]), t_star_2[i_q + 9 * i_p]));
                  }
              }
              result[count++] = plus(plus(sum1, sum2), sum3);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_dQ_1[i_k + 4 * i_p] = result[count++];
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              result[count++] = plus(t_I[i_k + 4 * i_p], times(number(s_power_1), t_dQ_1[i_k + 4 * i_p]));
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_I[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  static constexpr run stored_I[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_I, t_I, stored_I, 46));
  worst = std::fmax(worst, difference(m_dQ_0, t_dQ_0, entries_dQ_0, 0));
  static constexpr run stored_dQ_1[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_dQ_1, t_dQ_1, stored_dQ_1, 46));
  worst = std::fmax(worst, difference(m_kDivMT_0, t_kDivMT_0, entries_kDivMT_0, 0));
  worst = std::fmax(worst, difference(m_kDivMT_1, t_kDivMT_1, entries_kDivMT_1, 0));
  worst = std::fmax(worst, difference(m_kDivMT_2, t_kDivMT_2, entries_kDivMT_2, 0));
  worst = std::fmax(worst, difference(m_star_0, t_star_0, entries_star_0, 0));
  worst = std::fmax(worst, difference(m_star_1, t_star_1, entries_star_1, 0));
  worst = std::fmax(worst, difference(m_star_2, t_star_2, entries_star_2, 0));
  return worst;
}

double test_viscoelastic_attenuate() {
  std::uint64_t state = 1;
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_Qane[] = {{0, 0, 48}};
  alignas(32) static double m_Qane[48];
  static entry t_Qane[48];
  fill(m_Qane, t_Qane, entries_Qane, state);
  static constexpr run entries_attenuation[] = {{0, 0, 1}, {13, 13, 1}, {26, 26, 1}, {45, 45, 1}, {58, 58, 1}, {71, 71, 1}};
  alignas(32) static double m_attenuation[72];
  static entry t_attenuation[108];
  fill(m_attenuation, t_attenuation, entries_attenuation, state);
  static constexpr run entries_choose[] = {{0, 0, 1}, {1, 10, 1}, {2, 20, 1}, {3, 30, 1}, {4, 40, 1}, {5, 50, 1}, {6, 60, 1}, {7, 70, 1}, {8, 80, 2}, {10, 91, 1}, {11, 101, 1}, {12, 111, 1}, {13, 121, 1}, {14, 131, 1}};
  alignas(32) static double m_choose[15];
  static entry t_choose[135];
  fill(m_choose, t_choose, entries_choose, state);
  static constexpr run entries_w[] = {{0, 0, 2}};
  alignas(32) static double m_w[2];
  static entry t_w[2];
  fill(m_w, t_w, entries_w, state);
  waves::viscoelastic::kernel::attenuate krnl;
  krnl.Q = m_Q;
  krnl.Qane = m_Qane;
  krnl.attenuation = m_attenuation;
  krnl.choose = m_choose;
  krnl.w = m_w;
  krnl.execute();
  static entry t_Qext[60];
  for (entry& each : t_Qext) each = {0, 0};
  static entry result[60];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 15; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_q = 0; i_q < 9; ++i_q) {
                  sum1 = plus(sum1, times(t_Q[i_k + 4 * i_q], t_choose[i_q + 9 * i_p]));
              }
              result[count++] = sum1;
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 15; ++i_p) {
              t_Qext[i_k + 4 * i_p] = result[count++];
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 6; ++i_p) {
              for (int i_m = 0; i_m < 2; ++i_m) {
                  result[count++] = plus(t_Qane[i_k + 4 * i_p + 24 * i_m], times(t_w[i_m], t_Qext[i_k + 4 * (i_p + 9)]));
              }
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 6; ++i_p) {
              for (int i_m = 0; i_m < 2; ++i_m) {
                  t_Qane[i_k + 4 * i_p + 24 * i_m] = result[count++];
              }
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum2 = {0, 0};
              for (int i_q = 0; i_q < 6; ++i_q) {
                  for (int i_m = 0; i_m < 2; ++i_m) {
                      sum2 = plus(sum2, times(t_Qane[i_k + 4 * i_q + 24 * i_m], t_attenuation[i_q + 6 * i_m + 12 * i_p]));
                  }
              }
              result[count++] = plus(t_Qext[i_k + 4 * i_p], times(number(-1.0), sum2));
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 1; ++i_p) {
              result[count++] = times(number(-0.5), t_Q[i_k + 4 * i_p]);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 1; ++i_p) {
              t_Q[i_k + 4 * (i_p + 8)] = result[count++];
          }
      }
  double worst = 0;
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 32));
  static constexpr run stored_Qane[] = {{0, 0, 48}};
  worst = std::fmax(worst, difference(m_Qane, t_Qane, stored_Qane, 32));
  worst = std::fmax(worst, difference(m_attenuation, t_attenuation, entries_attenuation, 0));
  worst = std::fmax(worst, difference(m_choose, t_choose, entries_choose, 0));
  worst = std::fmax(worst, difference(m_w, t_w, entries_w, 0));
  return worst;
}

double test_output_evaluate() {
  std::uint64_t state = 1;
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_atPoints[] = {{0, 0, 3}, {4, 3, 3}, {8, 6, 3}, {12, 9, 3}, {16, 12, 3}, {20, 15, 3}, {24, 18, 3}, {28, 21, 3}, {32, 24, 3}};
  alignas(32) static double m_atPoints[36];
  static entry t_atPoints[27];
  fill(m_atPoints, t_atPoints, entries_atPoints, state);
  static constexpr run entries_evalAtPoints[] = {{0, 0, 3}, {5, 4, 1}, {10, 8, 1}, {14, 11, 1}};
  alignas(32) static double m_evalAtPoints[16];
  static entry t_evalAtPoints[12];
  fill(m_evalAtPoints, t_evalAtPoints, entries_evalAtPoints, state);
  static constexpr run entries_scale[] = {{0, 0, 1}};
  alignas(32) static double m_scale[1];
  static entry t_scale[1];
  fill(m_scale, t_scale, entries_scale, state);
  waves::output::kernel::evaluate krnl;
  krnl.Q = m_Q;
  krnl.atPoints = m_atPoints;
  krnl.evalAtPoints = m_evalAtPoints;
  krnl.scale = m_scale;
  krnl.execute();
  static entry result[27];
  int count;
      count = 0;
      for (int i_i = 0; i_i < 3; ++i_i) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_k = 0; i_k < 4; ++i_k) {
                  sum1 = plus(sum1, times(times(t_scale[0], t_evalAtPoints[i_i + 3 * i_k]), t_Q[i_k + 4 * i_p]));
              }
              result[count++] = sum1;
          }
      }
      count = 0;
      for (int i_i = 0; i_i < 3; ++i_i) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_atPoints[i_i + 3 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_Q, t_Q, entries_Q, 0));
  static constexpr run stored_atPoints[] = {{0, 0, 3}, {4, 3, 3}, {8, 6, 3}, {12, 9, 3}, {16, 12, 3}, {20, 15, 3}, {24, 18, 3}, {28, 21, 3}, {32, 24, 3}};
  worst = std::fmax(worst, difference(m_atPoints, t_atPoints, stored_atPoints, 7));
  worst = std::fmax(worst, difference(m_evalAtPoints, t_evalAtPoints, entries_evalAtPoints, 0));
  worst = std::fmax(worst, difference(m_scale, t_scale, entries_scale, 0));
  return worst;
}

double test_output_flatten() {
  std::uint64_t state = 1;
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_atPoints[] = {{0, 0, 3}, {4, 3, 3}, {8, 6, 3}, {12, 9, 3}, {16, 12, 3}, {20, 15, 3}, {24, 18, 3}, {28, 21, 3}, {32, 24, 3}};
  alignas(32) static double m_atPoints[36];
  static entry t_atPoints[27];
  fill(m_atPoints, t_atPoints, entries_atPoints, state);
  static constexpr run entries_mean[] = {{0, 0, 4}};
  alignas(32) static double m_mean[4];
  static entry t_mean[4];
  fill(m_mean, t_mean, entries_mean, state);
  waves::output::kernel::flatten krnl;
  krnl.Q = m_Q;
  krnl.atPoints = m_atPoints;
  krnl.mean = m_mean;
  krnl.execute();
  static entry result[27];
  int count;
      count = 0;
      for (int i_i = 0; i_i < 3; ++i_i) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_k = 0; i_k < 4; ++i_k) {
                  sum1 = plus(sum1, times(t_mean[i_k], t_Q[i_k + 4 * i_p]));
              }
              result[count++] = sum1;
          }
      }
      count = 0;
      for (int i_i = 0; i_i < 3; ++i_i) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_atPoints[i_i + 3 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_Q, t_Q, entries_Q, 0));
  static constexpr run stored_atPoints[] = {{0, 0, 3}, {4, 3, 3}, {8, 6, 3}, {12, 9, 3}, {16, 12, 3}, {20, 15, 3}, {24, 18, 3}, {28, 21, 3}, {32, 24, 3}};
  worst = std::fmax(worst, difference(m_atPoints, t_atPoints, stored_atPoints, 6));
  worst = std::fmax(worst, difference(m_mean, t_mean, entries_mean, 0));
  return worst;
}

double test_output_sum() {
  std::uint64_t state = 1;
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_atPoints[] = {{0, 0, 3}, {4, 3, 3}, {8, 6, 3}, {12, 9, 3}, {16, 12, 3}, {20, 15, 3}, {24, 18, 3}, {28, 21, 3}, {32, 24, 3}};
  alignas(32) static double m_atPoints[36];
  static entry t_atPoints[27];
  fill(m_atPoints, t_atPoints, entries_atPoints, state);
  static constexpr run entries_mean[] = {{0, 0, 4}};
  alignas(32) static double m_mean[4];
  static entry t_mean[4];
  fill(m_mean, t_mean, entries_mean, state);
  static constexpr run entries_total[] = {{0, 0, 1}};
  alignas(32) static double m_total[1];
  static entry t_total[1];
  fill(m_total, t_total, entries_total, state);
  static constexpr run entries_unit[] = {{0, 0, 9}};
  alignas(32) static double m_unit[9];
  static entry t_unit[9];
  fill(m_unit, t_unit, entries_unit, state);
  static constexpr run entries_weights[] = {{0, 0, 3}};
  alignas(32) static double m_weights[3];
  static entry t_weights[3];
  fill(m_weights, t_weights, entries_weights, state);
  waves::output::kernel::sum krnl;
  krnl.Q = m_Q;
  krnl.atPoints = m_atPoints;
  krnl.mean = m_mean;
  krnl.total = m_total;
  krnl.unit = m_unit;
  krnl.weights = m_weights;
  krnl.execute();
  static entry result[1];
  int count;
      count = 0;
      entry sum1 = {0, 0};
      for (int i_i = 0; i_i < 3; ++i_i) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum2 = {0, 0};
              for (int i_k = 0; i_k < 4; ++i_k) {
                  sum2 = plus(sum2, times(t_mean[i_k], t_Q[i_k + 4 * i_p]));
              }
              sum1 = plus(sum1, times(times(t_weights[i_i], plus(t_atPoints[i_i + 3 * i_p], sum2)), t_unit[i_p]));
          }
      }
      result[count++] = sum1;
      count = 0;
      t_total[0] = result[count++];
  double worst = 0;
  worst = std::fmax(worst, difference(m_Q, t_Q, entries_Q, 0));
  worst = std::fmax(worst, difference(m_atPoints, t_atPoints, entries_atPoints, 0));
  worst = std::fmax(worst, difference(m_mean, t_mean, entries_mean, 0));
  static constexpr run stored_total[] = {{0, 0, 1}};
  worst = std::fmax(worst, difference(m_total, t_total, stored_total, 36));
  worst = std::fmax(worst, difference(m_unit, t_unit, entries_unit, 0));
  worst = std::fmax(worst, difference(m_weights, t_weights, entries_weights, 0));
  return worst;
}

double test_localFlux_0() {
  std::uint64_t state = 1;
  static constexpr run entries_AplusT[] = {{0, 0, 81}};
  alignas(32) static double m_AplusT[81];
  static entry t_AplusT[81];
  fill(m_AplusT, t_AplusT, entries_AplusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fMrT_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 3}};
  alignas(32) static double m_fMrT_0[12];
  static entry t_fMrT_0[12];
  fill(m_fMrT_0, t_fMrT_0, entries_fMrT_0, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  waves::kernel::localFlux krnl;
  krnl.AplusT = m_AplusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fMrT(0) = m_fMrT_0;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.execute0();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_l = 0; i_l < 4; ++i_l) {
                      for (int i_q = 0; i_q < 9; ++i_q) {
                          sum1 = plus(sum1, times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fMrT_0[i_m + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AplusT, t_AplusT, entries_AplusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 113));
  worst = std::fmax(worst, difference(m_fMrT_0, t_fMrT_0, entries_fMrT_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  return worst;
}

double test_localFlux_1() {
  std::uint64_t state = 1;
  static constexpr run entries_AplusT[] = {{0, 0, 81}};
  alignas(32) static double m_AplusT[81];
  static entry t_AplusT[81];
  fill(m_AplusT, t_AplusT, entries_AplusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fMrT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_fMrT_1[12];
  static entry t_fMrT_1[12];
  fill(m_fMrT_1, t_fMrT_1, entries_fMrT_1, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  waves::kernel::localFlux krnl;
  krnl.AplusT = m_AplusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fMrT(1) = m_fMrT_1;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.execute1();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_l = 0; i_l < 4; ++i_l) {
                      for (int i_q = 0; i_q < 9; ++i_q) {
                          sum1 = plus(sum1, times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fMrT_1[i_m + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AplusT, t_AplusT, entries_AplusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 113));
  worst = std::fmax(worst, difference(m_fMrT_1, t_fMrT_1, entries_fMrT_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  return worst;
}

double test_localFlux_2() {
  std::uint64_t state = 1;
  static constexpr run entries_AplusT[] = {{0, 0, 81}};
  alignas(32) static double m_AplusT[81];
  static entry t_AplusT[81];
  fill(m_AplusT, t_AplusT, entries_AplusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fMrT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_fMrT_2[12];
  static entry t_fMrT_2[12];
  fill(m_fMrT_2, t_fMrT_2, entries_fMrT_2, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  waves::kernel::localFlux krnl;
  krnl.AplusT = m_AplusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fMrT(2) = m_fMrT_2;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.execute2();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_l = 0; i_l < 4; ++i_l) {
                      for (int i_q = 0; i_q < 9; ++i_q) {
                          sum1 = plus(sum1, times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fMrT_2[i_m + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AplusT, t_AplusT, entries_AplusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 113));
  worst = std::fmax(worst, difference(m_fMrT_2, t_fMrT_2, entries_fMrT_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  return worst;
}

double test_localFlux_3() {
  std::uint64_t state = 1;
  static constexpr run entries_AplusT[] = {{0, 0, 81}};
  alignas(32) static double m_AplusT[81];
  static entry t_AplusT[81];
  fill(m_AplusT, t_AplusT, entries_AplusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fMrT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_fMrT_3[12];
  static entry t_fMrT_3[12];
  fill(m_fMrT_3, t_fMrT_3, entries_fMrT_3, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  waves::kernel::localFlux krnl;
  krnl.AplusT = m_AplusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fMrT(3) = m_fMrT_3;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.execute3();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_l = 0; i_l < 4; ++i_l) {
                      for (int i_q = 0; i_q < 9; ++i_q) {
                          sum1 = plus(sum1, times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fMrT_3[i_m + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AplusT[i_q + 9 * i_p]));
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AplusT, t_AplusT, entries_AplusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 113));
  worst = std::fmax(worst, difference(m_fMrT_3, t_fMrT_3, entries_fMrT_3, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  return worst;
}

double test_neighboringFlux_0() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(0) = m_rT_0;
  krnl.execute0();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_1() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(0) = m_rT_0;
  krnl.execute1();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_2() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(0) = m_rT_0;
  krnl.execute2();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_3() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(1) = m_rT_1;
  krnl.execute3();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_4() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(1) = m_rT_1;
  krnl.execute4();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_5() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(1) = m_rT_1;
  krnl.execute5();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_6() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(2) = m_rT_2;
  krnl.execute6();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_7() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(2) = m_rT_2;
  krnl.execute7();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_8() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(2) = m_rT_2;
  krnl.execute8();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_9() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(3) = m_rT_3;
  krnl.execute9();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_10() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(3) = m_rT_3;
  krnl.execute10();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_11() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_0[] = {{0, 0, 1}, {3, 3, 1}, {5, 5, 2}, {9, 9, 2}};
  alignas(32) static double m_rDivM_0[12];
  static entry t_rDivM_0[12];
  fill(m_rDivM_0, t_rDivM_0, entries_rDivM_0, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(0) = m_rDivM_0;
  krnl.rT(3) = m_rT_3;
  krnl.execute11();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_0[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_0, t_rDivM_0, entries_rDivM_0, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_12() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(0) = m_rT_0;
  krnl.execute12();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_13() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(0) = m_rT_0;
  krnl.execute13();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_14() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(0) = m_rT_0;
  krnl.execute14();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_15() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(1) = m_rT_1;
  krnl.execute15();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_16() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(1) = m_rT_1;
  krnl.execute16();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_17() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(1) = m_rT_1;
  krnl.execute17();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_18() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(2) = m_rT_2;
  krnl.execute18();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_19() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(2) = m_rT_2;
  krnl.execute19();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_20() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(2) = m_rT_2;
  krnl.execute20();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_21() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(3) = m_rT_3;
  krnl.execute21();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_22() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(3) = m_rT_3;
  krnl.execute22();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_23() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_1[] = {{0, 0, 1}, {2, 2, 2}, {5, 5, 1}, {10, 10, 2}};
  alignas(32) static double m_rDivM_1[12];
  static entry t_rDivM_1[12];
  fill(m_rDivM_1, t_rDivM_1, entries_rDivM_1, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(1) = m_rDivM_1;
  krnl.rT(3) = m_rT_3;
  krnl.execute23();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_1[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_1, t_rDivM_1, entries_rDivM_1, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_24() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(0) = m_rT_0;
  krnl.execute24();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_25() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(0) = m_rT_0;
  krnl.execute25();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_26() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(0) = m_rT_0;
  krnl.execute26();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_27() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(1) = m_rT_1;
  krnl.execute27();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_28() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(1) = m_rT_1;
  krnl.execute28();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_29() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(1) = m_rT_1;
  krnl.execute29();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_30() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(2) = m_rT_2;
  krnl.execute30();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_31() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(2) = m_rT_2;
  krnl.execute31();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_32() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(2) = m_rT_2;
  krnl.execute32();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_33() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(3) = m_rT_3;
  krnl.execute33();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_34() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(3) = m_rT_3;
  krnl.execute34();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_35() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_2[] = {{0, 0, 4}, {5, 5, 3}, {9, 9, 3}};
  alignas(32) static double m_rDivM_2[12];
  static entry t_rDivM_2[12];
  fill(m_rDivM_2, t_rDivM_2, entries_rDivM_2, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(2) = m_rDivM_2;
  krnl.rT(3) = m_rT_3;
  krnl.execute35();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_2[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_2, t_rDivM_2, entries_rDivM_2, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_36() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(0) = m_rT_0;
  krnl.execute36();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_37() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(0) = m_rT_0;
  krnl.execute37();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_38() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_0[] = {{0, 0, 1}, {1, 4, 2}, {3, 7, 3}};
  alignas(32) static double m_rT_0[6];
  static entry t_rT_0[12];
  fill(m_rT_0, t_rT_0, entries_rT_0, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(0) = m_rT_0;
  krnl.execute38();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_0[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_0, t_rT_0, entries_rT_0, 0));
  return worst;
}

double test_neighboringFlux_39() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(1) = m_rT_1;
  krnl.execute39();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_40() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(1) = m_rT_1;
  krnl.execute40();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_41() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_1[] = {{0, 0, 1}, {4, 4, 1}, {6, 6, 1}, {8, 8, 2}, {11, 11, 1}};
  alignas(32) static double m_rT_1[12];
  static entry t_rT_1[12];
  fill(m_rT_1, t_rT_1, entries_rT_1, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(1) = m_rT_1;
  krnl.execute41();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_1[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_1, t_rT_1, entries_rT_1, 0));
  return worst;
}

double test_neighboringFlux_42() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(2) = m_rT_2;
  krnl.execute42();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_43() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(2) = m_rT_2;
  krnl.execute43();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_44() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_2[] = {{0, 0, 1}, {3, 3, 9}};
  alignas(32) static double m_rT_2[12];
  static entry t_rT_2[12];
  fill(m_rT_2, t_rT_2, entries_rT_2, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(2) = m_rT_2;
  krnl.execute44();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_2[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_2, t_rT_2, entries_rT_2, 0));
  return worst;
}

double test_neighboringFlux_45() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_0[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_0[9];
  static entry t_fP_0[9];
  fill(m_fP_0, t_fP_0, entries_fP_0, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(0) = m_fP_0;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(3) = m_rT_3;
  krnl.execute45();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_0[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_0, t_fP_0, entries_fP_0, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_46() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_1[] = {{0, 0, 1}, {4, 4, 1}, {8, 8, 1}};
  alignas(32) static double m_fP_1[9];
  static entry t_fP_1[9];
  fill(m_fP_1, t_fP_1, entries_fP_1, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(1) = m_fP_1;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(3) = m_rT_3;
  krnl.execute46();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_1[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_1, t_fP_1, entries_fP_1, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}

double test_neighboringFlux_47() {
  std::uint64_t state = 1;
  static constexpr run entries_AminusT[] = {{0, 0, 81}};
  alignas(32) static double m_AminusT[81];
  static entry t_AminusT[81];
  fill(m_AminusT, t_AminusT, entries_AminusT, state);
  static constexpr run entries_I[] = {{0, 0, 36}};
  alignas(32) static double m_I[36];
  static entry t_I[36];
  fill(m_I, t_I, entries_I, state);
  static constexpr run entries_Q[] = {{0, 0, 36}};
  alignas(32) static double m_Q[36];
  static entry t_Q[36];
  fill(m_Q, t_Q, entries_Q, state);
  static constexpr run entries_fP_2[] = {{0, 0, 1}, {4, 4, 2}, {7, 7, 2}};
  alignas(32) static double m_fP_2[9];
  static entry t_fP_2[9];
  fill(m_fP_2, t_fP_2, entries_fP_2, state);
  static constexpr run entries_rDivM_3[] = {{0, 0, 4}, {5, 5, 2}, {9, 9, 3}};
  alignas(32) static double m_rDivM_3[12];
  static entry t_rDivM_3[12];
  fill(m_rDivM_3, t_rDivM_3, entries_rDivM_3, state);
  static constexpr run entries_rT_3[] = {{0, 0, 1}, {3, 3, 7}, {11, 11, 1}};
  alignas(32) static double m_rT_3[12];
  static entry t_rT_3[12];
  fill(m_rT_3, t_rT_3, entries_rT_3, state);
  waves::kernel::neighboringFlux krnl;
  krnl.AminusT = m_AminusT;
  krnl.I = m_I;
  krnl.Q = m_Q;
  krnl.fP(2) = m_fP_2;
  krnl.rDivM(3) = m_rDivM_3;
  krnl.rT(3) = m_rT_3;
  krnl.execute47();
  static entry result[36];
  int count;
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              entry sum1 = {0, 0};
              for (int i_m = 0; i_m < 3; ++i_m) {
                  for (int i_n = 0; i_n < 3; ++i_n) {
                      for (int i_l = 0; i_l < 4; ++i_l) {
                          for (int i_q = 0; i_q < 9; ++i_q) {
                              sum1 = plus(sum1, times(times(times(times(t_rDivM_3[i_k + 4 * i_m], t_fP_2[i_m + 3 * i_n]), t_rT_3[i_n + 3 * i_l]), t_I[i_l + 4 * i_q]), t_AminusT[i_q + 9 * i_p]));
                          }
                      }
                  }
              }
              result[count++] = plus(t_Q[i_k + 4 * i_p], sum1);
          }
      }
      count = 0;
      for (int i_k = 0; i_k < 4; ++i_k) {
          for (int i_p = 0; i_p < 9; ++i_p) {
              t_Q[i_k + 4 * i_p] = result[count++];
          }
      }
  double worst = 0;
  worst = std::fmax(worst, difference(m_AminusT, t_AminusT, entries_AminusT, 0));
  worst = std::fmax(worst, difference(m_I, t_I, entries_I, 0));
  static constexpr run stored_Q[] = {{0, 0, 36}};
  worst = std::fmax(worst, difference(m_Q, t_Q, stored_Q, 330));
  worst = std::fmax(worst, difference(m_fP_2, t_fP_2, entries_fP_2, 0));
  worst = std::fmax(worst, difference(m_rDivM_3, t_rDivM_3, entries_rDivM_3, 0));
  worst = std::fmax(worst, difference(m_rT_3, t_rT_3, entries_rT_3, 0));
  return worst;
}
} // namespace
#include <cxxtest/TestSuite.h>
namespace waves {
namespace unit_test {
    class KernelTestSuite : public CxxTest::TestSuite {
    public:
      void test_volume() { TS_ASSERT_LESS_THAN_EQUALS(::test_volume(), 1.0); }
      void test_localFluxAll() { TS_ASSERT_LESS_THAN_EQUALS(::test_localFluxAll(), 1.0); }
      void test_derivative() { TS_ASSERT_LESS_THAN_EQUALS(::test_derivative(), 1.0); }
      void test_viscoelastic_attenuate() { TS_ASSERT_LESS_THAN_EQUALS(::test_viscoelastic_attenuate(), 1.0); }
      void test_output_evaluate() { TS_ASSERT_LESS_THAN_EQUALS(::test_output_evaluate(), 1.0); }
      void test_output_flatten() { TS_ASSERT_LESS_THAN_EQUALS(::test_output_flatten(), 1.0); }
      void test_output_sum() { TS_ASSERT_LESS_THAN_EQUALS(::test_output_sum(), 1.0); }
      void test_localFlux_0() { TS_ASSERT_LESS_THAN_EQUALS(::test_localFlux_0(), 1.0); }
      void test_localFlux_1() { TS_ASSERT_LESS_THAN_EQUALS(::test_localFlux_1(), 1.0); }
      void test_localFlux_2() { TS_ASSERT_LESS_THAN_EQUALS(::test_localFlux_2(), 1.0); }
      void test_localFlux_3() { TS_ASSERT_LESS_THAN_EQUALS(::test_localFlux_3(), 1.0); }
      void test_neighboringFlux_0() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_0(), 1.0); }
      void test_neighboringFlux_1() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_1(), 1.0); }
      void test_neighboringFlux_2() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_2(), 1.0); }
      void test_neighboringFlux_3() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_3(), 1.0); }
      void test_neighboringFlux_4() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_4(), 1.0); }
      void test_neighboringFlux_5() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_5(), 1.0); }
      void test_neighboringFlux_6() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_6(), 1.0); }
      void test_neighboringFlux_7() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_7(), 1.0); }
      void test_neighboringFlux_8() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_8(), 1.0); }
      void test_neighboringFlux_9() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_9(), 1.0); }
      void test_neighboringFlux_10() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_10(), 1.0); }
      void test_neighboringFlux_11() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_11(), 1.0); }
      void test_neighboringFlux_12() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_12(), 1.0); }
      void test_neighboringFlux_13() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_13(), 1.0); }
      void test_neighboringFlux_14() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_14(), 1.0); }
      void test_neighboringFlux_15() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_15(), 1.0); }
      void test_neighboringFlux_16() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_16(), 1.0); }
      void test_neighboringFlux_17() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_17(), 1.0); }
      void test_neighboringFlux_18() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_18(), 1.0); }
      void test_neighboringFlux_19() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_19(), 1.0); }
      void test_neighboringFlux_20() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_20(), 1.0); }
      void test_neighboringFlux_21() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_21(), 1.0); }
      void test_neighboringFlux_22() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_22(), 1.0); }
      void test_neighboringFlux_23() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_23(), 1.0); }
      void test_neighboringFlux_24() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_24(), 1.0); }
      void test_neighboringFlux_25() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_25(), 1.0); }
      void test_neighboringFlux_26() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_26(), 1.0); }
      void test_neighboringFlux_27() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_27(), 1.0); }
      void test_neighboringFlux_28() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_28(), 1.0); }
      void test_neighboringFlux_29() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_29(), 1.0); }
      void test_neighboringFlux_30() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_30(), 1.0); }
      void test_neighboringFlux_31() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_31(), 1.0); }
      void test_neighboringFlux_32() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_32(), 1.0); }
      void test_neighboringFlux_33() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_33(), 1.0); }
      void test_neighboringFlux_34() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_34(), 1.0); }
      void test_neighboringFlux_35() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_35(), 1.0); }
      void test_neighboringFlux_36() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_36(), 1.0); }
      void test_neighboringFlux_37() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_37(), 1.0); }
      void test_neighboringFlux_38() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_38(), 1.0); }
      void test_neighboringFlux_39() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_39(), 1.0); }
      void test_neighboringFlux_40() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_40(), 1.0); }
      void test_neighboringFlux_41() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_41(), 1.0); }
      void test_neighboringFlux_42() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_42(), 1.0); }
      void test_neighboringFlux_43() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_43(), 1.0); }
      void test_neighboringFlux_44() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_44(), 1.0); }
      void test_neighboringFlux_45() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_45(), 1.0); }
      void test_neighboringFlux_46() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_46(), 1.0); }
      void test_neighboringFlux_47() { TS_ASSERT_LESS_THAN_EQUALS(::test_neighboringFlux_47(), 1.0); }
    };
} // namespace unit_test
} // namespace waves
#endif
