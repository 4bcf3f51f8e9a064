// The views of YATeTo's `yateto.h`, as far as the test needs them: entries by their positions in the whole tensor.
#ifndef YATETO_H
#define YATETO_H
#include <initializer_list>
#include <type_traits>
namespace yateto {
template <unsigned Rank, typename Real, typename Unsigned, bool Const> class DenseTensorView {
  using Data = std::conditional_t<Const, Real const, Real>;
  Data* values;
  Unsigned shapes[Rank + 1]{}, starts[Rank + 1]{}, stops[Rank + 1]{};

public:
  DenseTensorView(Data* values, std::initializer_list<Unsigned> shape, std::initializer_list<Unsigned> start,
                  std::initializer_list<Unsigned> stop)
      : values(values) {
    Unsigned mode = 0;
    for (auto extent : shape) shapes[mode++] = extent;
    mode = 0;
    for (auto first : start) starts[mode++] = first;
    mode = 0;
    for (auto end : stop) stops[mode++] = end;
  }
  Unsigned shape(Unsigned mode) const { return shapes[mode]; }
  template <typename... Position> Data& operator()(Position... position) const {
    [[maybe_unused]] Unsigned address = 0, stride = 1, mode = 0;
    ((address += (position - starts[mode]) * stride, stride *= stops[mode] - starts[mode], ++mode), ...);
    return values[address];
  }
};
template <typename Real, typename Unsigned, bool Const> class CSCMatrixView {
  using Data = std::conditional_t<Const, Real const, Real>;
  Data* values;
  Unsigned const *rows, *columns;

public:
  CSCMatrixView(Data* values, std::initializer_list<Unsigned>, Unsigned const* rows, Unsigned const* columns)
      : values(values), rows(rows), columns(columns) {}
  Data& operator()(Unsigned row, Unsigned column) const {
    Unsigned entry = columns[column];
    while (rows[entry] != row) ++entry;
    return values[entry];
  }
};
template <typename T> struct LinearAllocatorT {
  void initialize(T*) {}
  void free() {}
};
} // namespace yateto
#endif
