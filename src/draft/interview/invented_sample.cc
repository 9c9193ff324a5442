#include "draft/interview/invented_sample.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "draft/names.h"
#include "prejoin/number.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kRowsOfAParent = 2;
constexpr std::size_t kRowsOfAChild = 3;

using RowsByEntity = std::map<std::string, std::vector<Item>>;

std::string ReferencedEntity(const DraftAttribute& attribute) {
  return attribute.references.substr(0, attribute.references.find('.'));
}

std::string ReferencedAttribute(const DraftAttribute& attribute) {
  return attribute.references.substr(attribute.references.find('.') + 1);
}

std::string_view FirstCharacter(std::string_view name) {
  return name.empty() ? name
                      : name.substr(0, Utf8CharacterBytes(static_cast<unsigned char>(name[0])));
}

AttributeValue InventedValue(const DraftEntity& entity, const DraftAttribute& attribute,
                             std::size_t row) {
  const std::string number = std::to_string(row + 1);
  if (attribute.type == "number") {
    return AttributeValue(*Number::Parse(number + "0"));
  }
  if (attribute.type == "bool") {
    return AttributeValue(row == 0);
  }
  if (attribute.type == "date") {
    return AttributeValue("2026-01-0" + number);
  }
  if (attribute.type == "time") {
    return AttributeValue("2026-01-0" + number + "T10:00:00Z");
  }
  if (attribute.type == "list") {
    return AttributeValue(AttributeValue::List{});
  }
  if (attribute.type == "map") {
    return AttributeValue(Item());
  }
  if (attribute.key) {
    return AttributeValue(Lowered(FirstCharacter(entity.name)) + number);
  }
  return AttributeValue(attribute.name + " " + number);
}

// The row of the n-th entity that a row points at: 0, 0, 1 of the first, 0, 1, 0 of the others, so that no two links of the
// same pair come about.
std::size_t ParentRow(std::size_t nth, std::size_t row) { return nth == 0 ? row / 2 : row % 2; }

// Entities of which one row has at most one of this one's.
std::set<std::string> SingleParents(const DraftEntity& entity, const Draft& draft) {
  std::set<std::string> parents;
  for (const DraftRelationship& one : draft.relationships) {
    if (one.to == entity.name && one.kind == "one-to-one") {
      parents.insert(one.from);
    }
  }
  return parents;
}

std::vector<Item> InventRows(const DraftEntity& entity, const Draft& draft,
                             const RowsByEntity& done) {
  const std::set<std::string> single = SingleParents(entity, draft);
  std::vector<std::string> parents;
  for (const DraftAttribute& one : entity.attributes) {
    const std::string parent = one.references.empty() ? "" : ReferencedEntity(one);
    if (!parent.empty() && std::find(parents.begin(), parents.end(), parent) == parents.end()) {
      parents.push_back(parent);
    }
  }
  std::vector<Item> rows;
  const std::size_t count = parents.empty() || !single.empty() ? kRowsOfAParent : kRowsOfAChild;
  for (std::size_t row = 0; row < count; ++row) {
    Item item;
    for (const DraftAttribute& one : entity.attributes) {
      if (one.references.empty()) {
        item.Set(one.name, InventedValue(entity, one, row));
        continue;
      }
      const std::string parent = ReferencedEntity(one);
      const bool self = parent == entity.name;
      const auto before = done.find(parent);
      if (!self && before == done.end()) {
        continue;
      }
      const std::vector<Item>& others = self ? rows : before->second;
      if (others.empty()) {
        continue;
      }
      const auto nth = static_cast<std::size_t>(std::find(parents.begin(), parents.end(), parent) -
                                                parents.begin());
      const std::size_t at = self                      ? 0
                             : single.contains(parent) ? row
                                                       : ParentRow(nth, row) % others.size();
      if (at >= others.size()) {
        continue;
      }
      const AttributeValue* value = others[at].Find(ReferencedAttribute(one));
      if (value != nullptr) {
        item.Set(one.name, *value);
      }
    }
    rows.push_back(std::move(item));
  }
  return rows;
}

}  // namespace

void AddInventedSample(Draft& draft) {
  RowsByEntity done;
  bool more = true;
  while (more) {
    more = false;
    for (const DraftEntity& entity : draft.entities) {
      const bool ready = std::all_of(
          entity.attributes.begin(), entity.attributes.end(), [&](const DraftAttribute& one) {
            return one.references.empty() || ReferencedEntity(one) == entity.name ||
                   done.contains(ReferencedEntity(one));
          });
      if (!ready || done.contains(entity.name)) {
        continue;
      }
      done[entity.name] = InventRows(entity, draft, done);
      more = true;
    }
  }
  for (const DraftEntity& entity : draft.entities) {
    const auto rows = done.find(entity.name);
    if (rows != done.end()) {
      draft.samples.push_back({entity.name, rows->second});
    }
  }
}

}  // namespace prejoin::draft
