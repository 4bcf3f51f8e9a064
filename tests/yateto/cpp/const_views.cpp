// Views of constant memory, with a `yateto.h` of any year.
#include "init.h"

int main() {
  double const dense[16] = {1.0};
  double const columns[2] = {2.0};
  double written[16] = {};
  auto const view = views::init::A::view::create(dense);
  auto const csc = views::init::K::view::create(columns);
  (void)views::init::A::view::create(written);
  (void)csc;
  (void)view;
  return 0;
}
