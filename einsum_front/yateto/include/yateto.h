// What programs that were written for YATeTo take of its header: views of tensors by their positions, and helpers for
// memory. C++17, no dependency. A program that has YATeTo's own header on its path first keeps that.
#ifndef YATETO_H_
#define YATETO_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace yateto {

// -- views --------------------------------------------------------------------------------------------------------------

// Positions of a mode that a subtensor has: from `start` up to `stop`, all without them.
template <typename Unsigned = unsigned> struct slice {
  Unsigned start = 0;
  Unsigned stop = std::numeric_limits<Unsigned>::max();

  slice() = default;
  slice(Unsigned start, Unsigned stop) : start(start), stop(stop) {}
};

template <typename T> struct is_slice : std::false_type {};
template <typename Unsigned> struct is_slice<slice<Unsigned>> : std::true_type {};

// A tensor whose memory has the entries from `start` up to `stop` of each mode, the first mode fastest. Positions are
// those in the whole tensor, which has `shape`.
template <unsigned Rank, typename Real, typename Unsigned = unsigned, bool Const = false> class DenseTensorView {
  using Entry = std::conditional_t<Const, Real const, Real>;
  using Modes = std::array<Unsigned, Rank>;

public:
  DenseTensorView(Entry* values, std::initializer_list<Unsigned> shape, std::initializer_list<Unsigned> start,
                  std::initializer_list<Unsigned> stop)
      : DenseTensorView(values, shape.begin(), start.begin(), stop.begin()) {}
  DenseTensorView(Entry* values, std::initializer_list<Unsigned> shape) : DenseTensorView(values, shape.begin()) {}
  DenseTensorView(Entry* values, Unsigned const shape[], Unsigned const start[], Unsigned const stop[])
      : values_(values) {
    std::copy_n(shape, Rank, shape_.begin());
    std::copy_n(start, Rank, start_.begin());
    std::copy_n(stop, Rank, stop_.begin());
    Unsigned stride = 1;
    for (unsigned mode = 0; mode < Rank; ++mode) {
      stride_[mode] = stride;
      stride *= stop_[mode] - start_[mode];
    }
  }
  DenseTensorView(Entry* values, Unsigned const shape[]) : DenseTensorView(values, shape, Modes{}.data(), shape) {}
  DenseTensorView(Entry* values, Unsigned const shape[], Unsigned const stride[]) : DenseTensorView(values, shape) {
    std::copy_n(stride, Rank, stride_.begin());
  }

  static constexpr Unsigned dim() { return Rank; }
  Unsigned shape(Unsigned mode) const { return shape_[mode]; }
  // Entries from the first one in memory to behind the last mode.
  Unsigned size() const {
    if constexpr (Rank == 0)
      return 1;
    else
      return (stop_[Rank - 1] - start_[Rank - 1]) * stride_[Rank - 1];
  }
  Real const* data() const { return values_; }
  Entry* data() { return values_; }

  template <typename... Position> bool isInRange(Position... position) const {
    static_assert(sizeof...(position) == Rank, "a position for each mode");
    unsigned mode = 0;
    return ((has(mode, position) && (++mode, true)) && ...);
  }
  template <typename... Position> Entry& operator()(Position... position) { return values_[address(position...)]; }
  template <typename... Position> Real const& operator()(Position... position) const {
    return values_[address(position...)];
  }
  Entry& operator[](Unsigned const position[]) { return values_[address_of(position)]; }
  Real const& operator[](Unsigned const position[]) const { return values_[address_of(position)]; }

  void setZero() {
    static_assert(!Const, "the entries are constant");
    each([this](Unsigned const position[]) { (*this)[position] = Real(0); });
  }
  // To another view of the same shape; what it has and this view has not is zero there.
  template <typename View> void copyToView(View& other) const {
    for (unsigned mode = 0; mode < Rank; ++mode) assert(shape(mode) == other.shape(mode));
    other.setZero();
    each([this, &other](Unsigned const position[]) { other[position] = (*this)[position]; });
  }

  // The entries at positions of some modes, with the slices of the others as modes.
  template <typename... Part> auto subtensor(Part... part) { return sub<Const>(values_, part...); }
  template <typename... Part> auto subtensor(Part... part) const {
    return sub<true>(static_cast<Real const*>(values_), part...);
  }

private:
  template <typename Position> bool has(unsigned mode, Position position) const {
    auto const at = static_cast<Unsigned>(position);
    return start_[mode] <= at && at < stop_[mode];
  }
  template <typename... Position> std::size_t address(Position... position) const {
    static_assert(sizeof...(position) == Rank, "a position for each mode");
    std::array<Unsigned, Rank + 1> const all{static_cast<Unsigned>(position)..., 0};
    return address_of(all.data());
  }
  std::size_t address_of(Unsigned const position[]) const {
    std::size_t found = 0;
    for (unsigned mode = 0; mode < Rank; ++mode) {
      assert(has(mode, position[mode]));
      found += std::size_t(position[mode] - start_[mode]) * stride_[mode];
    }
    return found;
  }
  template <typename Function> void each(Function function) const {
    std::array<Unsigned, Rank + 1> position{};
    for (unsigned mode = 0; mode < Rank; ++mode) {
      if (start_[mode] == stop_[mode]) return;
      position[mode] = start_[mode];
    }
    for (;;) {
      function(position.data());
      unsigned mode = 0;
      while (mode < Rank && ++position[mode] == stop_[mode]) {
        position[mode] = start_[mode];
        ++mode;
      }
      if (mode == Rank) return;
    }
  }
  template <bool IsConst, typename Pointer, typename... Part> auto sub(Pointer values, Part... part) const {
    static_assert(sizeof...(part) == Rank, "a position or a slice for each mode");
    constexpr unsigned rank = (0u + ... + unsigned(is_slice<Part>::value));
    std::array<Unsigned, rank + 1> shape{}, stride{};
    unsigned mode = 0, kept = 0;
    std::size_t first = 0;
    auto take = [&](auto each) {
      if constexpr (is_slice<decltype(each)>::value) {
        auto const begin = std::max<Unsigned>(static_cast<Unsigned>(each.start), start_[mode]);
        auto const end = std::min<Unsigned>(static_cast<Unsigned>(each.stop), stop_[mode]);
        shape[kept] = end - begin;
        stride[kept++] = stride_[mode];
        first += std::size_t(begin - start_[mode]) * stride_[mode];
      } else {
        assert(has(mode, each));
        first += std::size_t(static_cast<Unsigned>(each) - start_[mode]) * stride_[mode];
      }
      ++mode;
    };
    (take(part), ...);
    return DenseTensorView<rank, Real, Unsigned, IsConst>(values + first, shape.data(), stride.data());
  }

  Entry* values_;
  Modes shape_{}, start_{}, stop_{}, stride_{};
};

// A matrix of which memory has some entries only, column by column: those of column `c` are from `columns[c]` on, in the
// rows that `rows` has at the same places.
template <typename Real, typename Unsigned = unsigned, bool Const = false> class CSCMatrixView {
  using Entry = std::conditional_t<Const, Real const, Real>;

public:
  CSCMatrixView(Entry* values, std::initializer_list<Unsigned> shape, Unsigned const* rows, Unsigned const* columns)
      : CSCMatrixView(values, shape.begin(), rows, columns) {}
  CSCMatrixView(Entry* values, Unsigned const shape[], Unsigned const* rows, Unsigned const* columns)
      : values_(values), shape_{shape[0], shape[1]}, rows_(rows), columns_(columns) {}

  static constexpr Unsigned dim() { return 2; }
  Unsigned shape(Unsigned mode) const { return shape_[mode]; }
  Unsigned size() const { return columns_[shape_[1]]; }
  Real const* data() const { return values_; }
  bool isInRange(Unsigned row, Unsigned column) const { return find(row, column) != columns_[column + 1]; }

  Entry& operator()(Unsigned row, Unsigned column) { return values_[existing(row, column)]; }
  Real const& operator()(Unsigned row, Unsigned column) const { return values_[existing(row, column)]; }
  Entry& operator[](Unsigned const position[]) { return (*this)(position[0], position[1]); }
  Real const& operator[](Unsigned const position[]) const { return (*this)(position[0], position[1]); }

  void setZero() { std::fill_n(values_, size(), Real(0)); }
  template <typename View> void copyToView(View& other) const {
    for (unsigned mode = 0; mode < 2; ++mode) assert(shape(mode) == other.shape(mode));
    other.setZero();
    for (Unsigned column = 0; column < shape_[1]; ++column)
      for (Unsigned entry = columns_[column]; entry < columns_[column + 1]; ++entry)
        other(rows_[entry], column) = values_[entry];
  }

private:
  Unsigned find(Unsigned row, Unsigned column) const {
    assert(row < shape_[0] && column < shape_[1]);
    auto const end = rows_ + columns_[column + 1];
    return static_cast<Unsigned>(std::find(rows_ + columns_[column], end, row) - rows_);
  }
  Unsigned existing(Unsigned row, Unsigned column) const {
    auto const entry = find(row, column);
    assert(entry != columns_[column + 1] && "the entry is zero, and has no memory");
    return entry;
  }

  Entry* values_;
  std::array<Unsigned, 2> shape_;
  Unsigned const *rows_, *columns_;
};

// -- sizes of what is generated: `T` is a struct of `tensor.h` or `init.h` ------------------------------------------------

// Members of a family, those that do not exist included.
template <typename T> constexpr std::size_t numFamilyMembers() { return sizeof(T::Size) / sizeof(T::Size[0]); }

// The least multiple of the alignment that is not below the size.
template <typename Integer> constexpr std::size_t alignedUpper(Integer size, std::size_t alignment) {
  return (static_cast<std::size_t>(size) + alignment - 1) / alignment * alignment;
}

// Entries in so many bytes.
template <typename Real> constexpr std::size_t alignedReals(std::size_t bytes) { return bytes / sizeof(Real); }

// Entries of the first `count` members of a family behind each other, each from a multiple of `alignment` on.
template <typename T>
constexpr std::size_t computeFamilySize(std::size_t alignment = 1, std::size_t count = numFamilyMembers<T>()) {
  std::size_t size = 0;
  for (std::size_t member = 0; member < count; ++member) size += alignedUpper(T::Size[member], alignment);
  return size;
}

template <typename Init, int Mode> constexpr std::size_t dimSize() noexcept {
  return Init::Stop[Mode] - Init::Start[Mode];
}
template <typename Init> constexpr std::size_t leadDim() noexcept { return dimSize<Init, 0>(); }

// -- memory -------------------------------------------------------------------------------------------------------------

// How values get to memory: this one is for memory of the host.
template <typename Real> struct SimpleCopyPolicy {
  Real* copy(Real const* first, Real const* last, Real*& memory) { return std::copy(first, last, memory); }
};

// Puts the values of matrices behind each other: `memory` moves on, to a multiple of `alignment` bytes.
template <typename Real, typename Policy> class CopyManager {
public:
  template <typename Init> void copyTensorToMemAndSetPtr(Real*& memory, Real*& pointer, std::size_t alignment = 1) {
    pointer = memory;
    put(memory, Init::Values, Init::Size, alignment);
  }
  template <typename Init>
  void copyFamilyToMemAndSetPtr(Real*& memory, typename Init::template Container<Real const*>& container,
                                std::size_t alignment = 1) {
    for (std::size_t member = 0; member < numFamilyMembers<Init>(); ++member) {
      container.data[member] = memory;
      put(memory, Init::Values[member], Init::Size[member], alignment);
    }
  }

private:
  void put(Real*& memory, Real const* values, std::size_t count, std::size_t alignment) {
    memory = policy_.copy(values, values + count, memory);
    auto const address = reinterpret_cast<std::uintptr_t>(memory);
    memory += (alignedUpper(address, alignment) - address) / sizeof(Real);
  }
  Policy policy_;
};
template <typename Real> using DefaultCopyManager = CopyManager<Real, SimpleCopyPolicy<Real>>;

// Hands out parts of memory that the caller has, until it is freed.
template <typename T> class LinearAllocatorT {
public:
  void initialize(T* memory) {
    memory_ = memory;
    used_ = 0;
  }
  T* allocate(std::size_t count) {
    assert(memory_ != nullptr && "no memory was given to the allocator");
    used_ += count;
    return memory_ + (used_ - count);
  }
  void free() { initialize(nullptr); }

private:
  T* memory_ = nullptr;
  std::size_t used_ = 0;
};

// Bytes of temporary memory of an element that the greediest of some kernels needs.
template <typename... Kernel> constexpr auto getMaxTmpMemRequired(Kernel&...) {
  unsigned long most = 0;
  ((most = std::max<unsigned long>(most, Kernel::TmpMaxMemRequiredInBytes)), ...);
  return most;
}

} // namespace yateto

#endif
