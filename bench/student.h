// The item that every benchmark reads and writes; bench/run and load.lua make the same one.
#ifndef PREJOIN_BENCH_STUDENT_H_
#define PREJOIN_BENCH_STUDENT_H_

#include <cstdio>
#include <string>

#include "prejoin/item.h"

namespace prejoin::bench {

inline constexpr int kStudents = 10'000;
inline constexpr int kWriters = 32;

inline std::string StudentKey(int number) {
  char text[24];
  std::snprintf(text, sizeof(text), "STUDENT#%08d", number);
  return text;
}

inline Item Student(int number) {
  return {{"pk", StudentKey(number)},
          {"sk", "PROFILE"},
          {"name", "Ada Lovelace"},
          {"year", 3},
          {"email", "ada@example.edu"},
          {"major", "Mathematics"},
          {"gpa", *Number::Parse("3.97")},
          {"courses", AttributeValue::List{"C1", "C2"}},
          {"active", true}};
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_STUDENT_H_
