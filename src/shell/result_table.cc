#include "shell/result_table.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>

#include "json/writer.h"
#include "model/syntax/fold.h"

namespace prejoin::shell {
namespace {

constexpr std::size_t kCellMax = 40;

void AppendInner(const AttributeValue& value, std::string& out) {
  if (value.string() != nullptr) {
    json::AppendString(*value.string(), out);
  } else {
    out += CellText(value);
  }
}

// Cuts by characters, so that no letter is cut in two; signs that would move the cursor become dots.
std::string Cut(const std::string& text) {
  std::string out;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80 && ++characters > kCellMax) {
      return out + "…";
    }
    out += byte < 0x20 || byte == 0x7F ? '.' : text[i];
  }
  return out;
}

// Returns the number of columns that a line has room for; at least one.
std::size_t FittingColumns(const std::vector<std::size_t>& widths, std::size_t width) {
  constexpr std::size_t kBetween = 3;
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    used += widths[i] + (i == 0 ? 0 : kBetween);
    if (width > 0 && used > width && i > 0) {
      return i;
    }
  }
  return widths.size();
}

}  // namespace

std::string CellText(const AttributeValue& value) {
  std::string out;
  switch (value.type()) {
    case ValueType::kString:
      return *value.string();
    case ValueType::kNumber:
      return value.number()->ToString();
    case ValueType::kBool:
      return *value.boolean() ? "true" : "false";
    case ValueType::kNull:
      return "null";
    case ValueType::kBinary:
      return "<" + std::to_string(value.binary()->size()) + " bytes>";
    case ValueType::kList:
      json::AppendArray(*value.list(), out,
                        [&](const AttributeValue& one) { AppendInner(one, out); });
      return out;
    case ValueType::kMap: {
      for (const auto& [name, member] : *value.map()) {
        out += out.empty() ? "{" : ", ";
        out += name + ": ";
        AppendInner(member, out);
      }
      return out.empty() ? "{}" : out + "}";
    }
    case ValueType::kStringSet:
      json::AppendArray(*value.string_set(), out,
                        [&](const std::string& one) { json::AppendString(one, out); });
      return out;
    case ValueType::kNumberSet:
      json::AppendArray(*value.number_set(), out, [&](const Number& one) { one.AppendTo(out); });
      return out;
    case ValueType::kBinarySet:
      return "<" + std::to_string(value.binary_set()->size()) + " binaries>";
  }
  return out;
}

std::vector<std::string> ColumnNames(const std::vector<Item>& items,
                                     const std::vector<std::string>& first) {
  std::vector<std::string> names;
  std::set<std::string, std::less<>> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) {
      names.push_back(name);
    }
  };
  for (const std::string& name : first) {
    if (std::ranges::any_of(items, [&](const Item& item) { return item.Find(name) != nullptr; })) {
      add(name);
    }
  }
  for (const Item& item : items) {
    for (const auto& [name, value] : item) {
      add(name);
    }
  }
  return names;
}

std::string DrawItems(const std::vector<Item>& items, const TableLimits& limits) {
  std::vector<std::string> names = ColumnNames(items, limits.first);
  std::vector<std::string> hidden_names;
  if (names.size() > limits.columns_max) {
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(limits.columns_max);
    hidden_names.assign(end, names.end());
    names.erase(end, names.end());
  }
  std::vector<std::vector<std::string>> grid = {names};
  for (const Item& item : items) {
    std::vector<std::string> row;
    for (const std::string& name : names) {
      const AttributeValue* value = item.Find(name);
      row.push_back(value != nullptr ? Cut(CellText(*value)) : "");
    }
    grid.push_back(std::move(row));
  }
  std::vector<std::size_t> widths(names.size(), 0);
  for (const auto& row : grid) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], model::Columns(row[i]));
    }
  }
  const std::size_t shown = FittingColumns(widths, limits.width);
  std::string out;
  for (std::size_t r = 0; r < grid.size(); ++r) {
    for (std::size_t i = 0; i < shown; ++i) {
      out += (i == 0 ? "" : " | ") + grid[r][i];
      if (i + 1 < shown) {
        out.append(widths[i] - model::Columns(grid[r][i]), ' ');
      }
    }
    out += "\n";
    if (r > 0) {
      continue;
    }
    for (std::size_t i = 0; i < shown; ++i) {
      out += (i == 0 ? "" : "-+-") + std::string(widths[i], '-');
    }
    out += "\n";
  }
  hidden_names.insert(hidden_names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown),
                      names.end());
  if (!hidden_names.empty()) {
    std::string hidden;
    for (const std::string& name : hidden_names) {
      hidden += (hidden.empty() ? "" : ", ") + name;
    }
    out += "Too wide to show: " + hidden + " (\\x shows all)\n";
  }
  return names.empty() ? "" : out;
}

}  // namespace prejoin::shell
