#include "base/function_ref.h"

#include <gtest/gtest.h>

#include <memory>

namespace prejoin {
namespace {

int Twice(FunctionRef<int(int)> function) { return function(function(1)); }

int AddTen(int value) { return value + 10; }

TEST(FunctionRef, CallsTheCallableItself) {
  int calls = 0;
  auto count = [&](int value) {
    ++calls;
    return value * 3;
  };
  EXPECT_EQ(Twice(count), 9);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, TakesFunctions) {
  auto* const add_ten = &AddTen;
  EXPECT_EQ(Twice(add_ten), 21);
}

TEST(FunctionRef, KeepsStateOfMutableCallables) {
  auto next = [n = 0](int) mutable { return ++n; };
  EXPECT_EQ(Twice(next), 2);
  EXPECT_EQ(Twice(next), 4);
}

TEST(FunctionRef, PassesMoveOnlyArguments) {
  const auto take = [](std::unique_ptr<int> value) { return *value; };
  const FunctionRef<int(std::unique_ptr<int>)> function = take;
  EXPECT_EQ(function(std::make_unique<int>(7)), 7);
}

}  // namespace
}  // namespace prejoin
