// A copy spares each read of it a request of half a unit or more. A Scan for the copies reads all their holders, half a
// unit for 4 KB. So a Scan is next to nothing if all changes of a second together read less than a hundredth of what the
// copies spare: 5,000 products of 60 bytes are 37 units, once a month, against 25 units a second.
#include "design/copy_search.h"

#include <algorithm>
#include <set>

#include "model/plan/expectation.h"

namespace prejoin::design {
namespace {

constexpr double kUnitsSpared = 0.5;
constexpr double kScanShareMax = 0.01;
constexpr double kUnitsPerByte = 0.5 / 4096;

using model::Attribute;
using model::Entity;
using model::Model;

// The entity whose rows a section reads first.
const std::string& RowsRead(const model::Section& section) {
  return section.searched().text;
}

double ChangesPerSecond(const Model& logical, const Entity& owner, const Attribute& attribute) {
  const auto is = [&](const model::Name& name) { return name == attribute.name; };
  double rate = 0;
  for (const model::Write& write : logical.writes) {
    for (const model::WriteStep& step : write.steps) {
      const bool changes =
          step.kind == model::WriteKind::kUpdate && step.entity == owner.name &&
          (std::ranges::any_of(step.set, is) || std::ranges::any_of(step.remove, is));
      if (changes) {
        rate += write.rate_per_second;
      }
    }
  }
  if (rate > 0) {
    return rate;
  }
  return attribute.changes_per_second * model::EntityCount(logical, owner);
}

// True if a pattern reads the rows of `holder` that belong to one row of `owner`.
bool AreRead(const Model& logical, const Entity& holder, const Entity& owner) {
  const std::set<std::string> pointing = model::PointingAt(holder, owner);
  const auto binds = [](const model::Section& section, const std::string& name) {
    return std::ranges::any_of(section.conditions, [&](const model::Condition& condition) {
      return condition.comparison == model::Comparison::kEqual && condition.attribute.text == name;
    });
  };
  for (const model::Pattern& pattern : logical.patterns) {
    for (const model::Section& section : pattern.sections) {
      const bool all = std::ranges::all_of(
          pointing, [&](const std::string& name) { return binds(section, name); });
      if (RowsRead(section) == holder.name.text && !pointing.empty() && all) {
        return true;
      }
    }
  }
  return false;
}

double ReadsPerSecond(const Model& logical, const std::string& holder, const model::Name& owner,
                      const model::Name& attribute) {
  double rate = 0;
  for (const model::Pattern& pattern : logical.patterns) {
    for (const model::Section& section : pattern.sections) {
      const bool wants = std::ranges::any_of(section.get, [&](const model::Path& path) {
        return path.entity == owner && path.attribute == attribute;
      });
      if (wants && RowsRead(section) == holder) {
        rate += std::max(pattern.rate_per_second, 1e-9);
      }
    }
  }
  return rate;
}

}  // namespace

CopySearch HowCopiesAreFound(const Model& logical, const std::string& holder,
                             const std::string& original) {
  const std::size_t dot = original.find('.');
  const Entity& rows = logical.AtName(holder);
  const Entity& owner = logical.AtName(original.substr(0, dot));
  const Attribute* attribute = owner.Find(original.substr(dot + 1));
  if (attribute == nullptr) {
    return CopySearch::kTooDear;
  }
  const double changes = ChangesPerSecond(logical, owner, *attribute);
  if (attribute->immutable || attribute->is_key || changes <= 0) {
    return CopySearch::kNotNeeded;
  }
  if (AreRead(logical, rows, owner)) {
    return CopySearch::kByKey;
  }
  double bytes = 0;
  for (const Attribute& one : rows.attributes) {
    bytes += static_cast<double>(one.name.text.size()) + model::AverageValueBytes(one);
  }
  const double scan = model::EntityCount(logical, rows) * bytes * kUnitsPerByte;
  const double spared =
      kUnitsSpared * ReadsPerSecond(logical, holder, owner.name, attribute->name);
  return changes * scan <= kScanShareMax * spared ? CopySearch::kByScan : CopySearch::kTooDear;
}

}  // namespace prejoin::design
