// The part of CxxTest that generated tests use.
#pragma once
#define TS_ASSERT_LESS_THAN_EQUALS(left, right) ((left) <= (right) ? 0 : throw "too large")
namespace CxxTest {
class TestSuite {};
} // namespace CxxTest
