#include "gen/request_text.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "gen/words.h"

namespace prejoin::gen {
namespace {

// Placeholders take letters, digits and underscores.
std::string Placeholder(const std::string& attribute) {
  std::string out;
  for (const char c : attribute) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return out;
}

}  // namespace

KeyCondition KeyConditionOf(const Read& read) {
  KeyCondition out;
  for (const KeyValue& key : read.equal) {
    const std::string name = Placeholder(key.attribute);
    if (!out.text.empty()) {
      out.text += " AND ";
    }
    out.text += "#" + name + " = :" + name;
    out.names.emplace_back("#" + name, key.attribute);
    out.values.push_back({":" + name, nullptr, &key.call, false});
  }
  if (read.test == SortTest::kNone) {
    return out;
  }
  const std::string name = Placeholder(read.sort_attribute);
  out.names.emplace_back("#" + name, read.sort_attribute);
  const auto low = [&](const std::string& value) {
    out.values.push_back({value, &read.lows, nullptr, false});
  };
  const auto high = [&](const std::string& value) {
    out.values.push_back({value, &read.highs, nullptr, true});
  };
  switch (read.test) {
    case SortTest::kEqual:
      out.text += " AND #" + name + " = :" + name;
      low(":" + name);
      break;
    case SortTest::kBeginsWith:
      out.text += " AND begins_with(#" + name + ", :" + name + ")";
      low(":" + name);
      break;
    case SortTest::kBetween:
      out.text += " AND #" + name + " BETWEEN :low AND :high";
      low(":low");
      high(":high");
      break;
    case SortTest::kAtLeast:
      out.text += " AND #" + name + " >= :low";
      low(":low");
      break;
    case SortTest::kAtMost:
      out.text += " AND #" + name + " <= :high";
      high(":high");
      break;
    case SortTest::kNone:
      break;
  }
  return out;
}

std::vector<std::string> SectionNames(const PatternFunction& pattern) {
  std::vector<std::string> names;
  std::map<std::string, int> taken;
  for (const Section& section : pattern.sections) {
    std::string name = section.at_most_one ? section.entity : Plural(section.entity);
    if (section.measure == model::Measure::kCount) {
      name = section.entity + " count";
    } else if (section.measured()) {
      name = section.entity + " " + section.outputs[0].field.name + " sum";
    }
    if (const int count = ++taken[SnakeCase(name)]; count > 1) {
      name += std::to_string(count);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::string RowTypeName(const PatternFunction& pattern, std::size_t section) {
  const Section& one = pattern.sections[section];
  if (one.entity_rows) {
    return PascalCase(one.entity);
  }
  std::string name = pattern.name;
  if (pattern.sections.size() > 1) {
    name += PascalCase(one.entity);
    const auto same = std::count_if(
        pattern.sections.begin(), pattern.sections.end(),
        [&](const Section& other) { return PascalCase(other.entity) == PascalCase(one.entity); });
    if (same > 1) {
      name += std::to_string(section + 1);
    }
  }
  return name + "Row";
}

std::string MemberName(const Field& field, const std::vector<Output>& beside) {
  const std::size_t dot = field.name.find('.');
  if (dot == std::string::npos) {
    return field.name;
  }
  const std::string entity = field.name.substr(0, dot);
  const std::string attribute = field.name.substr(dot + 1);
  const bool short_enough = Words(attribute).front() == Words(entity).front();
  const bool taken = std::any_of(beside.begin(), beside.end(), [&](const Output& other) {
    return SnakeCase(other.field.name) == SnakeCase(attribute);
  });
  return short_enough && !taken ? attribute : PascalCase(entity) + PascalCase(attribute);
}

std::vector<Enough> EnoughItems(const PatternFunction& pattern, const Read& read) {
  std::vector<Enough> all;
  if (!read.limit) {
    return all;
  }
  for (const std::size_t i : read.sections) {
    const Section& section = pattern.sections[i];
    // Items that a filter discards later must not be counted. A fetch alone discards none.
    if (!section.filters.empty() || section.embedded) {
      return {};
    }
    all.push_back({section.classify ? section.item_entity : "", section.limit.value_or(1)});
  }
  return all;
}

std::string ConsistencyText(const PatternFunction& pattern) {
  return pattern.strong ? "Strongly consistent." : "Eventually consistent.";
}

}  // namespace prejoin::gen
