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

int main() {
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
  KernelTestSuite suite;
  suite.test_volume();
  suite.test_viscoelastic_attenuate();
  return 0;
}
