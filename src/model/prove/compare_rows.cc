#include "model/prove/compare_rows.h"

#include <map>

#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

constexpr std::size_t kShownRowsMax = 3;

std::string ShownValue(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return Quoted(*value.string());
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  if (value.boolean() != nullptr) {
    return *value.boolean() ? "true" : "false";
  }
  if (value.list() != nullptr) {
    return "[" + std::to_string(value.list()->size()) + " values]";
  }
  if (value.map() != nullptr) {
    return "{" + std::to_string(value.map()->size()) + " names}";
  }
  return std::string(TypeName(value.type()));
}

std::string Identity(const Row& row) {
  std::string text;
  for (const auto& [name, value] : row) {
    text += name + "\x02" + ValueText(value) + "\x03";
  }
  return text;
}

void Describe(const char* what, const std::vector<const Row*>& rows,
              std::vector<std::string>& problems) {
  if (rows.empty()) {
    return;
  }
  std::string text = std::to_string(rows.size()) + " " + what + ":";
  for (std::size_t i = 0; i < rows.size() && i < kShownRowsMax; ++i) {
    text += " " + RowText(*rows[i]);
  }
  if (rows.size() > kShownRowsMax) {
    text += " …";
  }
  problems.push_back(std::move(text));
}

}  // namespace

std::string RowText(const Row& row) {
  std::string out = "{";
  for (const auto& [name, value] : row) {
    if (out.size() > 1) {
      out += ", ";
    }
    out += name + ": " + ShownValue(value);
  }
  return out + "}";
}

std::vector<std::string> CompareRows(const Section& section, const SectionAnswer& expected,
                                     const std::vector<Row>& given) {
  std::vector<std::string> problems;
  std::map<std::string, int> counts;
  for (const Row& row : expected.rows) {
    ++counts[Identity(row)];
  }
  std::vector<const Row*> surplus;
  for (const Row& row : given) {
    if (--counts[Identity(row)] < 0) {
      surplus.push_back(&row);
    }
  }
  Describe("surplus", surplus, problems);
  if (given.size() != expected.visible || !surplus.empty()) {
    std::vector<const Row*> missing;
    if (!section.limit) {
      for (const Row& row : expected.rows) {
        if (counts[Identity(row)]-- > 0) {
          missing.push_back(&row);
        }
      }
    }
    Describe("missing", missing, problems);
    if (given.size() != expected.visible) {
      problems.push_back("expected " + std::to_string(expected.visible) + " rows of " +
                         section.entity.text + ", got " + std::to_string(given.size()));
    }
  }
  if (!problems.empty() || section.order.empty()) {
    return problems;
  }
  for (std::size_t i = 0; i < given.size() && i < expected.visible; ++i) {
    // Only the order keys count. They may be missing from the rows when they were not asked for.
    if (CompareByOrder(section, given[i], expected.rows[i]) != 0) {
      problems.push_back("wrong order: row " + std::to_string(i + 1) + " is " + RowText(given[i]) +
                         ", expected " + RowText(expected.rows[i]));
      break;
    }
  }
  return problems;
}

}  // namespace prejoin::model
