// Random tables and requests. Names and values come from small pools, so that requests meet the
// same items again and again, and keys collide, tie and begin with each other.
#ifndef PREJOIN_TESTS_REFERENCE_RANDOM_REQUESTS_H_
#define PREJOIN_TESTS_REFERENCE_RANDOM_REQUESTS_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/reference/expressions.h"
#include "tests/reference/reference_engine.h"

namespace prejoin::reference {

// The same seed gives the same requests. Single thread.
class RandomRequests {
 public:
  explicit RandomRequests(std::uint64_t seed) : engine_(seed) {}

  std::size_t Below(std::size_t count) { return engine_() % count; }
  bool Percent(std::size_t percent) { return Below(100) < percent; }
  template <class T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

  // Hash only or hash and range, of any key type; 0–3 global indexes, some with keys of several
  // attributes; 0–2 local ones.
  CreateTableInput NextTable(const std::string& name);
  IndexSpecification NextGlobalIndex(const std::string& name);

  Item NextItem(const Table& table);
  Item NextKey(const Table& table);
  Condition NextCondition(const Table& table, int depth = 2);
  Update NextUpdate(const Table& table);
  // Put, update or delete, with a condition now and then.
  Write NextWrite(const Table& table);
  Read NextQuery(const Table& table);
  Read NextScan(const Table& table);
  std::vector<std::string> NextProjection();

 private:
  AttributeValue Scalar(ScalarType type);
  AttributeValue AnyScalar();
  AttributeValue AnyValue();
  AttributeValue Set();
  AttributeValue Filler();
  AttributeValue KeyValue(const Table& table, const std::string& name);
  Path AnyPath(const Table& table);
  Action NextAction(const Table& table, const std::string& attribute);
  void AddRangeTerms(const Table& table, const KeySchema& keys, const Item* example, Read& read);
  void AddReadOptions(const Table& table, Read& read);
  Projection NextProjectionType();

  std::mt19937_64 engine_;
};

// The type of a key attribute.
ScalarType TypeOf(const Table& table, const std::string& attribute);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_RANDOM_REQUESTS_H_
