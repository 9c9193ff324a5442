// Requests of the reference as inputs of the database, and answers of both as text.
#ifndef PREJOIN_TESTS_REFERENCE_ANSWERS_H_
#define PREJOIN_TESTS_REFERENCE_ANSWERS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "prejoin/database.h"
#include "tests/reference/reference_engine.h"

namespace prejoin::reference {

// ---- Requests. All ask for capacity by index.

Result<WriteItemOutput> Send(Database& database, const Write& write, ReturnValues wanted,
                             bool all_old_on_failure);
// Updates and deletes show the old item when their condition fails; puts do not.
TransactWrite MakeTransactWrite(const Write& write);
QueryInput MakeQuery(const Read& read);
ScanInput MakeScan(const Read& read);

template <class Input>
void AddProjection(const std::vector<std::string>& names, Input& input) {
  Placeholders placeholders;
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + placeholders.Name(name);
  }
  input.projection_expression = std::move(text);
  input.expression_attribute_names = placeholders.names();
}

// ---- Answers

template <class T>
std::optional<ErrorCode> CodeOf(const Result<T>& answer) {
  return answer ? std::nullopt : std::optional(answer.error().code);
}
template <class T>
std::string MessageOf(const Result<T>& answer) {
  return answer ? "" : answer.error().message;
}

// The named attributes that the item has.
Item Only(const Item& item, const std::vector<std::string>& names);
std::vector<Item> ScanAll(Database& database, const std::string& table,
                          const std::optional<std::string>& index);
// Item count and bytes of the table or of one of its indexes.
std::pair<std::int64_t, std::int64_t> FiguresOf(const TableDescription& table,
                                                const std::optional<std::string>& index);

// ---- Text

std::string SortedText(const std::vector<Item>& items);
std::string Describe(const CreateTableInput& schema);
std::string Describe(const Write& write);
std::string Describe(const Read& read);
std::string Describe(const std::string& table, const Units& units);
std::string Describe(const std::map<std::string, Units>& units);
std::string Describe(const std::optional<ConsumedCapacity>& capacity);
std::string Describe(const std::vector<ConsumedCapacity>& capacities);
std::string DescribeReasons(const Error& error);
std::string DescribeReasons(const std::vector<Write>& writes,
                            const std::vector<WriteOutcome>& outcomes);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_ANSWERS_H_
