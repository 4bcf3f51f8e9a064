// Checks what `tests/yateto/test_headers.py` generates, when compiling where C++ can.
#include "init.h"
using namespace waves;
static_assert(tensor::Q::Shape[0] == 10 && tensor::Q::Shape[1] == 3 && tensor::Q::Size == 36 && tensor::Q::size() == 36);
static_assert(init::Q::Start[0] == 0 && init::Q::Stop[0] == 12 && init::Q::Stop[1] == 3);
static_assert(tensor::K::index(1, 2) == 1 + 2 * 2 && tensor::K::size(1, 2) == 6 && tensor::K::size(0, 1) == 0);
static_assert(tensor::K::Shape[5][1] == 4 && tensor::K::Shape[2][1] == 0);
static_assert(init::K::Start5[0] == 1 && init::K::Stop5[1] == 4);
static_assert(init::W::RowInd[1] == 2 && init::W::ColPtr[3] == 3);
static_assert(nodal::tensor::T::size() == 1);
int main() {
  tensor::K::Container<double const*> pointers;
  if (pointers(1, 2) != nullptr) return 1;
  pointers(1, 2) = init::K::Values[tensor::K::index(1, 2)];
  if (init::K::Values[0] != nullptr) return 2;
  auto view = init::K::view<1, 2>::create(pointers(1, 2));
  if (view(1, 2) != 2.5 || view(3, 3) != -1.0 || view(2, 2) != 0.0 || view.shape(1) != 4) return 3;
  if (init::W::view::create(init::W::Values)(3, 2) != 0.5) return 4;
  double memory[tensor::Q::size()] = {};
  init::Q::view::create(memory)(9, 2) = 7.0;
  if (memory[2 * 12 + 9] != 7.0) return 5;
  tensor::power::Container<double> powers;
  powers(2) = 1.0;
  double scale = 4.0;
  return nodal::init::T::view::create(&scale)() == 4.0 ? 0 : 6;
}
