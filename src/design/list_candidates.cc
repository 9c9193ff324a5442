#include "design/list_candidates.h"

#include <algorithm>
#include <utility>

#include "model/plan/expectation.h"
#include "model/schema/join.h"

namespace prejoin::design {
namespace {

using model::Attribute;
using model::Entity;
using model::Model;
using model::Pattern;
using model::Section;

constexpr double kListRowsMax = 200;

// True if the owner's item may be put again without the rows in its list, which takes them away.
bool MayBePutWithout(const Model& logical, const Entity& owner, const Entity& child) {
  return std::ranges::any_of(logical.writes, [&](const model::Write& write) {
    const auto has_put = [&](const Entity& entity, bool again) {
      return std::ranges::any_of(write.steps, [&](const model::WriteStep& step) {
        return step.kind == model::WriteKind::kPut && step.entity == entity.name &&
               !(again && step.once);
      });
    };
    return has_put(owner, true) && !(write.together && has_put(child, false));
  });
}

bool IsWritten(const Model& logical, const Entity& entity) {
  return std::ranges::any_of(logical.writes, [&](const model::Write& write) {
    return std::ranges::any_of(write.steps, [&](const model::WriteStep& step) {
      return step.entity == entity.name;
    });
  });
}

}  // namespace

std::set<std::string> JoinedWith(const Model& logical, const Entity& entity) {
  std::set<std::string> joined;
  for (const Pattern& pattern : logical.patterns) {
    for (const Section& section : pattern.sections) {
      if (!(section.entity == entity.name) || !section.via.text.empty()) {
        continue;
      }
      for (const model::Path& path : section.get) {
        if (path.entity.text.empty() || path.entity == entity.name) {
          continue;
        }
        const auto columns = model::JoinColumns(entity, logical.At(path.entity));
        const bool key = std::ranges::any_of(columns, [&](const model::JoinColumn& column) {
          return column.to == path.attribute.text;
        });
        if (!key) {
          joined.insert(path.entity.text + "." + path.attribute.text);
        }
      }
    }
  }
  return joined;
}

std::vector<ListChoice> ListsFor(const Model& logical, const Entity& owner) {
  std::vector<ListChoice> lists;
  model::Expectations figures(logical);
  for (const Entity& child : logical.entities) {
    if (child.name == owner.name || model::JoinColumns(child, owner).empty()) {
      continue;
    }
    const std::set<std::string> pointing = model::PointingAt(child, owner);
    const double most = figures.Most(child, pointing);
    if (most <= 0 || most > kListRowsMax) {
      continue;
    }
    // Rows that are pointed at, have lists themselves, expire, are changed on a condition, or outlive a put of their owner must be items.
    const bool guarded = std::ranges::any_of(logical.writes, [&](const model::Write& write) {
      return std::ranges::any_of(write.steps, [&](const model::WriteStep& step) {
        return step.entity == child.name && !step.guard.empty();
      });
    });
    const bool pointed = std::ranges::any_of(logical.entities, [&](const Entity& other) {
      return !(other.name == child.name) && !model::JoinColumns(other, child).empty();
    });
    if (pointed || guarded || !child.ttl.text.empty() || MayBePutWithout(logical, owner, child)) {
      continue;
    }
    ListChoice list;
    list.entity = child.name.text;
    std::set<std::string> foreign;
    for (const std::string& joined : JoinedWith(logical, child)) {
      if (!joined.starts_with(owner.name.text + ".")) {
        foreign.insert(joined);
      }
    }
    // A write of such a row would have to read first what is copied into it. An item for each row is plainer, and generated code can write it.
    if (!foreign.empty() && IsWritten(logical, child)) {
      continue;
    }
    if (!foreign.empty()) {
      for (const Attribute& attribute : child.attributes) {
        if (!pointing.contains(attribute.name.text)) {
          list.members.push_back(attribute.name.text);
        }
      }
      list.members.insert(list.members.end(), foreign.begin(), foreign.end());
    }
    lists.push_back(std::move(list));
  }
  std::ranges::sort(lists);
  if (lists.size() > kListsMax) {
    lists.resize(kListsMax);
  }
  return lists;
}

}  // namespace prejoin::design
