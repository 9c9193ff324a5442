// The texts of a request that every language sends alike: expressions and their placeholders.
#ifndef PREJOIN_GEN_REQUEST_TEXT_H_
#define PREJOIN_GEN_REQUEST_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "gen/program.h"

namespace prejoin::gen {

struct KeyCondition {
  std::string text;                                        // "#PK = :PK AND begins_with(#SK, :SK)"
  std::vector<std::pair<std::string, std::string>> names;  // "#PK" → "PK"
  struct Value {
    std::string name;                              // ":PK"
    const std::vector<KeyCall>* any_of = nullptr;  // Several: the least or the greatest.
    const KeyCall* call = nullptr;
    bool greatest = false;
  };
  std::vector<Value> values;
};

// Borrows from the read.
KeyCondition KeyConditionOf(const Read& read);

// The name of a section's rows for a caller of the pattern: "student", "enrollments".
std::vector<std::string> SectionNames(const PatternFunction& pattern);

// The name of the type of a section's rows: the entity, or "A11Row".
std::string RowTypeName(const PatternFunction& pattern, std::size_t section);

// A field of another entity as one name: "Customer.CustomerName" → "CustomerName", or with the
// entity in front where that would be taken.
std::string MemberName(const Field& field, const std::vector<Output>& beside);

// The number of items, and their entity, that a request must have given before the pattern may stop reading
// pages. Empty: it reads to the end. An empty entity: items are of one entity only.
struct Enough {
  std::string entity;
  int count = 0;
};
std::vector<Enough> EnoughItems(const PatternFunction& pattern, const Read& read);

// The words that say how a pattern is served, for a comment.
std::string ConsistencyText(const PatternFunction& pattern);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_REQUEST_TEXT_H_
