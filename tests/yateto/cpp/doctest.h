// The macros of doctest that generated tests use.
#pragma once
#include <cstdio>
static int failed = 0, done = 0;
static const char* part = "";
static void test_case();
#define TEST_CASE(name) static void test_case()
#define SUBCASE(name) for (bool once = (part = name, true); once; once = false)
#define CHECK(condition) (++done, (condition) ? 0 : (++failed, std::printf("%s: %s\n", part, #condition)))
int main() {
  test_case();
  std::printf("%d of %d\n", done - failed, done);
  return failed != 0;
}
