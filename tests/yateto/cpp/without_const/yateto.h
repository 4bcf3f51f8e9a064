// Views as YATeTo's `yateto.h` declared them until February 2026: without a parameter for constant memory.
#pragma once
#include <initializer_list>
namespace yateto {
template <unsigned rank, typename Real, typename Unsigned = unsigned>
struct DenseTensorView {
  DenseTensorView(Real* values, std::initializer_list<Unsigned>, std::initializer_list<Unsigned>,
                  std::initializer_list<Unsigned>)
      : values(values) {}
  Real* values;
};
template <typename Real, typename Unsigned = unsigned>
struct CSCMatrixView {
  CSCMatrixView(Real* values, std::initializer_list<Unsigned>, Unsigned const*, Unsigned const*) : values(values) {}
  Real* values;
};
} // namespace yateto
