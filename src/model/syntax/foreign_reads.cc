// Reads as SQL and others spell them; foreign_spelling.cc has the rest.
#include <algorithm>
#include <array>
#include <string_view>

#include "model/syntax/stopped_line.h"

namespace prejoin::model {
namespace {

using Answer = std::optional<ForeignSpelling>;

// The entity that a line in another language is about: after `from`, or after its first word.
std::string EntityIn(const StoppedLine& line) {
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line.Lower(i) == "from") {
      return Capital(line.Raw(i + 1));
    }
  }
  return line.IsWord(1) && !line.IsSymbol(2, "(") ? line.Raw(1) : "Order";
}

// `find count(*) from Order`, `get sum(total)`
Answer Totals(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  const std::string function = line.before();
  if (!line.IsSymbol(at, "(") || line.head() != "find") {
    return std::nullopt;
  }
  const std::string entity = EntityIn(line);
  const std::string attribute = line.IsWord(at + 1) ? line.Raw(at + 1) : "total";
  if (function == "count") {
    return ForeignSpelling{"a number of rows is a line of its own",
                           "write: count " + entity + " where …"};
  }
  if (function == "sum") {
    return ForeignSpelling{"a sum is a line of its own",
                           "write: sum " + entity + "." + attribute + " where …"};
  }
  if (function == "avg") {
    return ForeignSpelling{"an average is a sum and a count",
                           "write two lines: sum " + entity + "." + attribute + " where …, and count " +
                               entity + " where …"};
  }
  if (function == "max" || function == "min") {
    return ForeignSpelling{"the largest or smallest is the first row in an order",
                           "write: find " + entity + " where … order by " + attribute +
                               (function == "max" ? " desc" : "") + " limit 1"};
  }
  return std::nullopt;
}

// `find top 10 Order`, `find * from Order`, `find Order customerId = :c`, `find Order sort by placed`
Answer FindWords(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (line.head() != "find" && line.head() != "delete") {
    return std::nullopt;
  }
  const std::string before = line.before();
  if (at == 2 && (before == "top" || before == "latest" || before == "newest" ||
                  before == "first" || before == "last" || before == "recent")) {
    const std::string number = line.IsWord(at) ? "1" : line.Raw(at);
    const std::string entity = line.IsWord(at) ? line.Raw(at) : line.Raw(at + 1);
    return ForeignSpelling{"the first rows of an order are `order by` and `limit`",
                           "write: find " + entity + " where … order by placedAt desc limit " +
                               number};
  }
  if (line.IsSymbol(at, "*")) {
    return ForeignSpelling{"without `get` an answer has every attribute",
                           before == "get" ? "remove `get *`"
                                           : "write: find " + EntityIn(line) + " where …"};
  }
  if (at == 2 && before == "from") {
    return ForeignSpelling{"`from` is not written",
                           "write: " + line.Raw(0) + " " + Capital(line.Raw(2)) + " where …"};
  }
  if (at == 2 && line.here() == "by") {
    const std::string name = line.IsWord(at + 1) ? line.Raw(at + 1) : "id";
    return ForeignSpelling{"conditions follow `where`", "write: where " + name + " = :" + name};
  }
  // An entity may be called Order.
  if (at > 2 && line.Raw(at - 1) == "order" && line.IsWord(at)) {
    return ForeignSpelling{"the order is `order by`", "write: order by " + line.Raw(at)};
  }
  if (line.here() == "sort" || line.here() == "orderby") {
    const std::size_t by = line.Lower(at + 1) == "by" ? at + 2 : at + 1;
    return ForeignSpelling{"the order is `order by`",
                           "write: order by " + (line.IsWord(by) ? line.Raw(by) : "placedAt")};
  }
  const bool comparison = line.IsSymbol(at + 1, "=") || line.IsSymbol(at + 1, "<") ||
                          line.IsSymbol(at + 1, ">") || line.IsSymbol(at + 1, ">=") ||
                          line.IsSymbol(at + 1, "<=") || line.IsSymbol(at + 1, "<>");
  if (line.IsWord(at) && comparison && !line.Has("where")) {
    return ForeignSpelling{"conditions follow `where`",
                           "write: where " + line.Raw(at) + " " + line.Raw(at + 1) + " " +
                               line.Raw(at + 2)};
  }
  return std::nullopt;
}

// `x is null`, `x not in (…)`, `x like "a%"`, `between :a, :b`, `begins_with(:p, id)`, `x = {customer}`, `x > 2024-01-01`
Answer ConditionWords(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (at < 2) {
    return std::nullopt;
  }
  const std::string name = line.Raw(at - 1);
  const std::string here = line.here();
  if (here == "is") {
    return ForeignSpelling{"NULL is an attribute that is absent",
                           line.Lower(at + 1) == "not" ? "write: exists(" + name + ")"
                                                       : "write: not exists(" + name + ")"};
  }
  if (here == "not" && line.Lower(at + 1) == "in") {
    return ForeignSpelling{"there is no `not in`", "write: " + name + " <> \"A\" and " + name +
                                                       " <> \"B\""};
  }
  if (here == "like" || here == "ilike" || (here == "not" && line.Lower(at + 1) == "like")) {
    return ForeignSpelling{"a prefix condition uses begins_with",
                           "write: begins_with(" + name + ", :prefix)"};
  }
  if (line.IsSymbol(at, ",") && at >= 2 && line.Lower(at - 2) == "between") {
    return ForeignSpelling{"both values of `between` are joined by `and`",
                           "write: between " + name + " and " + line.Raw(at + 1)};
  }
  if (line.before() == "(" && line.Raw(at).starts_with(":") && line.IsSymbol(at + 1, ",")) {
    return ForeignSpelling{"the attribute comes first",
                           "write: " + line.Raw(at - 2) + "(" + line.Raw(at + 2) + ", " +
                               line.Raw(at) + ")"};
  }
  if (line.IsSymbol(at, "}") && line.IsSymbol(at - 2, "{")) {
    return ForeignSpelling{"parameters start with a colon", "write: :" + name};
  }
  if (line.IsSymbol(at, "-") && name.size() == 4 && name.find_first_not_of("0123456789") ==
                                                        std::string::npos) {
    return ForeignSpelling{"a date is text and needs quotes", "write: \"2024-01-31\""};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignSpelling> InOurReads(const StoppedLine& line) {
  for (const auto habit : {Totals, FindWords, ConditionWords}) {
    if (Answer found = habit(line)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace prejoin::model
