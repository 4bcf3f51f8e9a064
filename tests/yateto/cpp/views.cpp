// What `yateto.h` has besides views of single entries.
#include <yateto.h>
using namespace yateto;
namespace {
struct Family {
  static constexpr unsigned Size[] = {6, 0, 3}, Start[] = {1, 0}, Stop[] = {5, 3};
  static constexpr unsigned long TmpMaxMemRequiredInBytes = 24;
  static constexpr double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static constexpr double const* Values[] = {numbers, nullptr, numbers + 6};
  template <typename T> struct Container {
    T data[3]{};
  };
};
struct Larger {
  static constexpr unsigned long TmpMaxMemRequiredInBytes = 56;
};
static_assert(numFamilyMembers<Family>() == 3 && computeFamilySize<Family>() == 9);
static_assert(computeFamilySize<Family>(4) == 12 && computeFamilySize<Family>(4, 1) == 8);
static_assert(alignedUpper(0, 4) == 0 && alignedUpper(5u, 4) == 8 && alignedReals<float>(32) == 8);
static_assert(leadDim<Family>() == 4 && dimSize<Family, 1>() == 3);
} // namespace

int main() {
  double box[6] = {1, 2, 3, 4, 5, 6}, padded[16];
  for (auto& each : padded) each = -1;
  DenseTensorView<2, double> small(box, {4, 3}, {1, 1}, {3, 4});
  DenseTensorView<2, double> wide(padded, {4, 3}, {0, 0}, {4, 3});
  if (small.isInRange(0, 1) || small.isInRange(1, 0) || !small.isInRange(2, 2) || small.size() != 6) return 1;
  DenseTensorView<2, double> fits(box, {4, 3}, {1, 1}, {3, 3});
  fits.copyToView(wide);
  double const expected[16] = {0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, -1, -1, -1, -1};
  for (int i = 0; i < 16; ++i)
    if (padded[i] != expected[i]) return 2;
  auto column = wide.subtensor(slice<>(), 2);
  static_assert(decltype(column)::dim() == 1);
  column(0) = 7;
  if (padded[8] != 7 || column.shape(0) != 4) return 3;
  auto const& constant = wide;
  if (constant.subtensor(slice<>(1, 3), slice<>(1, 3))(1, 1) != 4 || constant(2, 1) != 2) return 4;
  unsigned const rows[] = {2, 0}, columns[] = {0, 1, 1, 2};
  double entries[] = {5, 8};
  CSCMatrixView<double, unsigned> sparse(entries, {4, 3}, rows, columns);
  sparse.copyToView(wide);
  if (wide(2, 0) != 5 || wide(0, 2) != 8 || wide(1, 1) != 0 || sparse.isInRange(0, 1) || sparse.size() != 2) return 5;
  sparse.setZero();
  if (entries[0] != 0 || entries[1] != 0) return 6;

  alignas(64) double memory[32] = {};
  double* next = memory;
  Family::Container<double const*> members;
  DefaultCopyManager<double>{}.copyFamilyToMemAndSetPtr<Family>(next, members, 64);
  if (members.data[0] != memory || members.data[2] != memory + 8 || memory[8] != 7 || next != memory + 16) return 7;
  LinearAllocatorT<double> allocator;
  allocator.initialize(memory);
  if (allocator.allocate(3) != memory || allocator.allocate(2) != memory + 3) return 8;
  allocator.free();
  Family few;
  Larger many;
  return getMaxTmpMemRequired(few, many) == 56 ? 0 : 9;
}
