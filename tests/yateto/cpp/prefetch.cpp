// Members of `_prefetch`: null or set, the numbers are the same; all lines of what is set are asked for, and no others.
// With RECORDED, every address that is asked for comes by.
#include "kernel.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

static std::vector<std::uintptr_t> asked;
extern "C" void recorded(const void* address) { asked.push_back(reinterpret_cast<std::uintptr_t>(address)); }

using Vector = std::vector<double>;
constexpr std::uintptr_t line = 64;

inline bool are_lines_of(double const* memory, std::size_t count, std::vector<std::uintptr_t> const& found) {
  auto const start = reinterpret_cast<std::uintptr_t>(memory), end = start + count * sizeof(double);
  std::set<std::uintptr_t> wanted, lines;
  for (auto place = start / line; place <= (end - 1) / line; ++place) wanted.insert(place);
  for (auto address : found) {
    if (address < start || address >= end) return false;
    lines.insert(address / line);
  }
  return lines == wanted;
}

template <typename Run> static bool is_right(std::size_t count, Run run) {
  Vector const numbers = run(nullptr);
#ifdef RECORDED
  // a processor asks for nothing at addresses without memory, such as these
  for (auto address : asked)
    if (address >= count * sizeof(double)) return false;
  if (asked.empty()) return false;
#endif
  Vector memory(count + 8, 1.0);
  for (std::size_t place = 0; place < 8; ++place) {
    asked.clear();
    if (run(memory.data() + place) != numbers) return false;
#ifdef RECORDED
    if (!are_lines_of(memory.data() + place, count, asked)) return false;
#endif
  }
  // nothing is read where a member leads: these addresses have no memory
  for (std::uintptr_t nowhere : {std::uintptr_t{8}, std::uintptr_t{1} << 46, ~std::uintptr_t{63}})
    if (run(reinterpret_cast<double const*>(nowhere)) != numbers) return false;
  asked.clear();
  return true;
}

int main() {
  using namespace waves;
  Vector const I(tensor::I::size(), 0.5), A(tensor::A::size(), 0.25), K(tensor::K::size(), 2.0);
  auto flux = [&](double const* next) {
    Vector Q(tensor::Q::size(), 1.0);
    kernel::flux krnl;
    krnl.Q = Q.data(); krnl.I = I.data(); krnl.A = A.data(); krnl.K = K.data();
    krnl._prefetch.I = next;
    krnl.execute();
    return Q;
  };
  auto member = [&](unsigned number, unsigned what) {
    return [&, number, what](double const* next) {
      Vector Q(tensor::Q::size(), 1.0);
      kernel::step krnl;
      krnl.Q = Q.data(); krnl.I = I.data();
      (what == 0 ? krnl._prefetch.I : what == 1 ? krnl._prefetch.Q : krnl._prefetch.D(1)) = next;
      krnl.execute(number);
      return Q;
    };
  };
  if (!is_right(tensor::I::size(), flux)) return 1;
  if (!is_right(tensor::D::size(1), member(0, 2))) return 2;
#ifndef RECORDED
  if (!is_right(tensor::Q::size(), member(1, 1)) || !is_right(tensor::I::size(), member(1, 0))) return 3;
#endif
  asked.clear();
  member(2, 0)(I.data());
  if (!asked.empty()) return 4;  // this member of the family prefetches nothing
  // a batch asks for the tensors of the next element, and not for one that both have
  Vector rooms[3], Q(tensor::Q::size(), 1.0), other(tensor::A::size() + 3, 0.25);
  std::vector<double const*> Is, As = {A.data(), A.data(), other.data() + 3};
  for (auto& room : rooms) { room.assign(tensor::I::size() + 5, 0.5); Is.push_back(room.data() + 5); }
  kernel::flux krnl;
  krnl.Q = Q.data(); krnl.K = K.data(); krnl._batch.I = Is.data(); krnl._batch.A = As.data();
  asked.clear();
  krnl.executeBatch(3);
#ifdef RECORDED
  std::vector<std::uintptr_t> kept;
  for (auto address : asked) if (address > tensor::I::size() * sizeof(double)) kept.push_back(address);  // not of _prefetch.I, which is null
  std::set<std::uintptr_t> wanted, lines;
  for (auto [memory, size] : {std::pair{Is[1], tensor::I::size()}, {Is[2], tensor::I::size()}, {As[2], tensor::A::size()}})
    for (auto place = std::uintptr_t(memory) / line; place <= (std::uintptr_t(memory + size) - 1) / line; ++place) wanted.insert(place);
  for (auto address : kept) lines.insert(address / line);
  if (lines != wanted) return 5;
#endif
  std::puts("right");
  return 0;
}
