// Calls kernels of `examples/yateto/seismic.py` as programs for YATeTo do.
#include "init.h"
#include "kernel.h"
#include "KernelTest.t.h"
#include <type_traits>
#include <utility>
#include <vector>

using namespace waves;
using unit_test::KernelTestSuite;

template <typename Kernel, typename = void> struct has_flux : std::false_type {};
template <typename Kernel> struct has_flux<Kernel, decltype((void)std::declval<Kernel>().AplusT)> : std::true_type {};

// members are those that the kernel uses, constant where it does not write
static_assert(has_flux<kernel::localFlux>::value && !has_flux<kernel::volume>::value);
static_assert(std::is_same_v<decltype(kernel::volume::Q), double*>);
static_assert(std::is_same_v<decltype(kernel::volume::I), double const*>);
static_assert(std::is_same_v<decltype(kernel::volume::star), tensor::star::Container<double const*>>);
static_assert(std::is_same_v<decltype(kernel::derivative::power), tensor::power::Container<double>>);
static_assert(std::is_same_v<decltype(kernel::derivative::dQ), tensor::dQ::Container<double*>>);
static_assert(std::is_same_v<decltype(kernel::neighboringFlux::Prefetch::I), double const*>);

// numbers of members: the first parameter is the fastest
static_assert(kernel::neighboringFlux::findExecute(1, 2, 3) == &kernel::neighboringFlux::execute43);
static_assert(kernel::neighboringFlux::nonZeroFlops(1, 2, 3) == kernel::neighboringFlux::NonZeroFlops[43]);
static_assert(kernel::volume::nonZeroFlops() == kernel::volume::NonZeroFlops && kernel::volume::NonZeroFlops > 0);
static_assert(kernel::volume::HardwareFlops >= kernel::volume::NonZeroFlops);
static_assert(kernel::volume::OutboundBytes == tensor::Q::size() * sizeof(double));
static_assert(kernel::volume::TmpMaxMemRequiredInBytes == kernel::volume::TmpMemRequiredInBytes);

// Tensors of elements, each in memory of its own.
struct Elements {
  std::vector<std::vector<double>> memory;
  std::vector<double*> pointers;
  Elements(std::size_t count, std::size_t size, double first) : memory(count), pointers(count) {
    for (std::size_t e = count; e-- > 0;) {
      for (std::size_t i = 0; i < size; ++i) memory[e].push_back(first + 0.25 * double((7 * i + 3 * e) % 11));
      pointers[e] = memory[e].data();
    }
  }
};

// A batch gives what its elements give one by one.
static bool has_batches() {
  constexpr std::size_t count = 5;
  Elements Q(count, tensor::Q::size(), 1.0), other = Q, I(count, tensor::I::size(), -2.0), A(count, tensor::AminusT::size(), 0.5);
  for (std::size_t e = 0; e < count; ++e) other.pointers[e] = other.memory[e].data();
  kernel::neighboringFlux krnl;
  for (unsigned i = 0; i < 4; ++i) {
    krnl.rDivM(i) = init::rDivM::Values[tensor::rDivM::index(i)];
    krnl.rT(i) = init::rT::Values[tensor::rT::index(i)];
    if (i < 3) krnl.fP(i) = init::fP::Values[tensor::fP::index(i)];
  }
  auto one_by_one = [&](auto const& numbers, double const* const* Is, std::size_t n) {
    for (std::size_t e = 0; e < n; ++e) {
      auto one = krnl;
      one.Q = other.pointers[e]; one.I = Is[e]; one.AminusT = A.pointers[e];
      one.execute(numbers(e), (2 * numbers(e)) % 4, numbers(e));
    }
    return Q.memory == other.memory;
  };
  krnl._batch.Q = Q.pointers.data(); krnl._batch.I = I.pointers.data(); krnl._batch.AminusT = A.pointers.data();
  krnl.executeBatch(count, 1, 2, 1);  // one member of the family
  if (!one_by_one([](std::size_t) { return 1u; }, I.pointers.data(), count)) return false;
  std::vector<kernel::neighboringFlux::member_function_ptr> members;  // each element its own
  for (unsigned e = 0; e < count; ++e) members.push_back(kernel::neighboringFlux::findExecute(e % 3, 2 * (e % 3) % 4, e % 3));
  krnl._batch._members = members.data();
  krnl.executeBatch(count);
  if (!one_by_one([](std::size_t e) { return unsigned(e % 3); }, I.pointers.data(), count)) return false;
  krnl.executeBatch(0);
  std::vector<double*> const same(count, I.pointers[3]);
  krnl._batch.I = nullptr;  // all elements have the same
  krnl.I = I.pointers[3];
  krnl.executeBatch(count - 1);
  if (!one_by_one([](std::size_t e) { return unsigned(e % 3); }, same.data(), count - 1)) return false;
  // elements that share what is written run in turn
  std::vector<double> sum(tensor::Q::size(), 1.0), wanted = sum;
  std::vector<double*> const sums(count, sum.data());
  krnl._batch.Q = sums.data();
  krnl.executeBatch(count, 0, 0, 0);
  for (std::size_t e = 0; e < count; ++e) {
    krnl.Q = wanted.data(); krnl.AminusT = A.pointers[e];
    krnl.execute(0, 0, 0);
  }
  return sum == wanted;
}

// No family; some tensors are in columns, scalars are the same for all elements.
static bool has_batches_of_columns() {
  constexpr std::size_t count = 3;
  static_assert(std::is_same_v<decltype(kernel::derivative::_batch.star), tensor::star::Container<double const* const*>>);
  static_assert(std::is_same_v<decltype(kernel::derivative::_batch.dQ), tensor::dQ::Container<double* const*>>);
  Elements star(count, tensor::star::size(0), 0.5), Q(count, tensor::dQ::size(0), 1.0);
  auto run = [&](bool is_batch) {
    Elements I(count, tensor::I::size(), 0.0), dQ(count, tensor::dQ::size(1), 0.0);
    kernel::derivative krnl;
    for (unsigned i = 0; i < 3; ++i) {
      krnl.kDivMT(i) = init::kDivMT::Values[tensor::kDivMT::index(i)];
      krnl._batch.star(i) = star.pointers.data();
    }
    krnl.power(0) = 2.0; krnl.power(1) = 0.5;
    krnl._batch.I = I.pointers.data(); krnl._batch.dQ(0) = Q.pointers.data(); krnl._batch.dQ(1) = dQ.pointers.data();
    if (is_batch) krnl.executeBatch(count);
    for (std::size_t e = 0; !is_batch && e < count; ++e) {
      for (unsigned i = 0; i < 3; ++i) krnl.star(i) = star.pointers[e];
      krnl.I = I.pointers[e]; krnl.dQ(0) = Q.pointers[e]; krnl.dQ(1) = dQ.pointers[e];
      krnl.execute();
    }
    I.memory.insert(I.memory.end(), dQ.memory.begin(), dQ.memory.end());
    return I.memory;
  };
  return run(true) == run(false);
}

int main(int count, char**) {
  if (count > 1) kernel::volume().executeBatch(1);  // stops: nothing is set
  std::vector<double> Q(tensor::Q::size(), 1.0), I(tensor::I::size(), 2.0), A(tensor::AplusT::size(), 0.5);
  kernel::localFlux prototype;
  if (prototype.Q != nullptr || prototype.rDivM(3) != nullptr) return 1;
  prototype.I = I.data();
  prototype.AplusT = A.data();
  for (unsigned face = 0; face < 4; ++face) {
    prototype.rDivM(face) = init::rDivM::Values[tensor::rDivM::index(face)];
    prototype.fMrT(face) = init::fMrT::Values[tensor::fMrT::index(face)];
  }
  std::vector<double> other = Q;
  for (unsigned face = 0; face < 4; ++face) {
    kernel::localFlux krnl = prototype;
    krnl.Q = Q.data();
    krnl.execute(face);
    krnl.Q = other.data();
    (krnl.*kernel::localFlux::ExecutePtrs[face])();
  }
  if (Q != other) return 2;
  if (!has_batches()) return 3;
  if (!has_batches_of_columns()) return 4;
  KernelTestSuite suite;
  suite.test_volume();
  suite.test_viscoelastic_attenuate();
  return 0;
}
