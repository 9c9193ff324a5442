// Candidates.
//
// A section binds attributes by equality, orders by some and restricts one by a range. The keys that can serve it have
// the bound ones first (some of them in the partition, the rest before the sort key, which serves patterns that
// bind fewer), then the order and the range:
//
//   find Order where customer = :c and status = :s order by placed
//     customer, status | placed       customer | status, placed       status | customer, placed
//
// Base keys are the same, completed with what identifies a row, and the entity's own key in every division. A base key
// holds nothing that an update changes, nothing optional, and nothing that whoever updates or deletes a row may not know.
// Where a row must be refused if it exists already (`put … once`), it holds the key and nothing else, or two rows of
// one key could stand side by side. A plain `put` replaces the row that exists: another date in the key would leave the
// old item behind, so what is not fixed stays out of the key there too; the parent's key counts as fixed.
#include "design/candidates.h"

#include <algorithm>
#include <set>

#include "design/copy_search.h"
#include "design/list_candidates.h"
#include "model/layout/key_shape.h"
#include "model/plan/expectation.h"
#include "model/plan/section_access.h"
#include "model/schema/join.h"
#include "model/schema/presence.h"

namespace prejoin::design {
namespace {

using model::Attribute;
using model::Comparison;
using model::Condition;
using model::Entity;
using model::Model;
using model::Pattern;
using model::Section;
using model::Write;
using model::WriteKind;
using model::WriteStep;

constexpr std::size_t kBoundMax =
    4;  // More attributes bound by equality are not divided in every way.

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The demands of one section on a key.
struct Asked {
  std::vector<std::string> bound;
  std::vector<std::vector<std::string>> tails;  // Ways to order what is behind it.
};

class EntityFinder {
 public:
  EntityFinder(const Model& logical, const Entity& entity, const CandidateLimits& limits)
      : logical_(logical), entity_(entity), limits_(limits), keys_(entity.KeyNames()) {
    keys_ = model::InKeyOrder(logical, entity.name.text, keys_);
    ReadWrites();
    FindTenant();
  }

  EntityCandidates Run() {
    EntityCandidates out;
    out.used = written_;
    for (const Pattern& pattern : logical_.patterns) {
      for (const Section& section : pattern.sections) {
        out.used = out.used || section.entity == entity_.name || section.via == entity_.name ||
                   std::ranges::any_of(section.get, [&](const model::Path& path) {
                     return path.entity == entity_.name;
                   });
        if (RowsOf(section) != entity_.name.text || section.has_or) {
          continue;
        }
        out.strong = out.strong || pattern.freshness != model::Freshness::kEventual;
        AddShapes(section);
      }
    }
    out.shapes = MostUseful({shapes_.begin(), shapes_.end()}, limits_.shapes_max, asked_);
    for (const KeyShape& key : BaseKeys()) {
      Layout layout;
      layout.key = key;
      out.layouts.push_back(std::move(layout));
    }
    return out;
  }

 private:
  // The attributes that every write of a row knows, and those that change.
  void ReadWrites() {
    known_ = {};
    bool first = true;
    for (const Write& write : logical_.writes) {
      for (const WriteStep& step : write.steps) {
        if (!(step.entity == entity_.name)) {
          continue;
        }
        written_ = true;
        once_ = once_ || step.once;
        replaced_ = replaced_ || (step.kind == WriteKind::kPut && !step.once);
        if (step.kind == WriteKind::kPut) {
          continue;
        }
        for (const model::Name& name : step.set) {
          changed_.insert(name.text);
        }
        for (const model::Name& name : step.remove) {
          changed_.insert(name.text);
        }
        std::set<std::string> known(keys_.begin(), keys_.end());
        for (const Condition& condition : step.where) {
          if (condition.comparison == Comparison::kEqual) {
            known.insert(condition.attribute.text);
          }
        }
        if (first) {
          known_ = known;
        } else {
          std::set<std::string> both;
          std::ranges::set_intersection(known_, known, std::inserter(both, both.end()));
          known_ = std::move(both);
        }
        first = false;
        located_ = true;
      }
    }
  }

  // The attribute that holds the tenant, if every pattern that reads the entity and every write knows it: then all keys
  // must begin with it. A request that does not know its tenant is not of one tenant.
  void FindTenant() {
    if (!logical_.tenant || !limits_.tenant) {
      return;
    }
    const model::Path& tenant = logical_.tenant->path;
    for (const Attribute& attribute : entity_.attributes) {
      const model::Path origin = model::OriginOf(logical_, entity_, attribute.name.text);
      if (!attribute.optional && origin.entity == tenant.entity &&
          origin.attribute == tenant.attribute) {
        tenant_ = attribute.name.text;
        break;
      }
    }
    const auto knows = [&](const std::vector<Condition>& conditions) {
      return std::ranges::any_of(conditions, [&](const Condition& condition) {
        return condition.attribute.text == tenant_ && condition.comparison == Comparison::kEqual;
      });
    };
    bool scoped =
        !tenant_.empty() && (!located_ || known_.contains(tenant_)) && !changed_.contains(tenant_);
    for (const Pattern& pattern : logical_.patterns) {
      for (const Section& section : pattern.sections) {
        scoped = scoped && (RowsOf(section) != entity_.name.text || knows(section.conditions));
      }
    }
    if (!scoped) {
      tenant_.clear();
    }
  }

  // False for a key that must begin with the tenant and does not hold it. Puts the tenant first.
  static bool BeginWith(const std::string& tenant, std::vector<std::string>& partition) {
    if (tenant.empty()) {
      return true;
    }
    const auto found = std::ranges::find(partition, tenant);
    if (found == partition.end()) {
      return false;
    }
    std::rotate(partition.begin(), found, found + 1);
    return true;
  }

  bool CanBeKey(const std::string& name) const {
    const Attribute* attribute = entity_.Find(name);
    return attribute != nullptr && !model::IsComplex(attribute->type) &&
           attribute->type != model::AttributeType::kBinary;
  }

  Asked Read(const Section& section) const {
    Asked asked;
    std::vector<std::string> range;
    std::vector<std::string> exists;
    for (const Condition& condition : section.conditions) {
      const std::string& name = condition.attribute.text;
      if (!CanBeKey(name)) {
        continue;
      }
      if (condition.comparison == Comparison::kEqual || condition.comparison == Comparison::kIn) {
        if (!Has(asked.bound, name)) {
          asked.bound.push_back(name);
        }
      } else if (model::IsRange(condition.comparison)) {
        if (!Has(range, name)) {
          range.push_back(name);
        }
      } else if (condition.comparison == Comparison::kExists) {
        exists.push_back(name);
      }
    }
    std::vector<std::string> order;
    if (section.via.text.empty()) {
      for (const model::OrderKey& key : section.order) {
        if (!CanBeKey(key.attribute.text)) {
          break;
        }
        if (!Has(asked.bound, key.attribute.text)) {
          order.push_back(key.attribute.text);
        }
      }
    }
    const auto join = [](std::vector<std::string> a, const std::vector<std::string>& b) {
      for (const std::string& name : b) {
        if (!Has(a, name)) {
          a.push_back(name);
        }
      }
      return a;
    };
    // A key with an attribute that some of the rows lack does not find those rows; what is behind it is left to sort.
    std::vector<std::string> dense = order;
    dense.erase(std::ranges::find_if(dense,
                                     [&](const std::string& name) {
                                       return model::FindsRowsWithout(section, *entity_.Find(name));
                                     }),
                dense.end());
    std::set<std::vector<std::string>> tails = {order, dense};
    for (const std::string& one : range) {
      tails.insert(join(order, {one}));
      tails.insert(join({one}, order));
    }
    std::set<std::vector<std::string>> sparse = tails;
    for (const std::string& one : exists) {
      for (const std::vector<std::string>& tail : tails) {
        sparse.insert(join(tail, {one}));
      }
    }
    asked.tails.assign(sparse.begin(), sparse.end());
    return asked;
  }

  void AddShapes(const Section& section) {
    const Asked asked = Read(section);
    asked_.push_back(asked);
    std::vector<std::string> bound = model::InKeyOrder(logical_, entity_.name.text, asked.bound);
    if (bound.empty()) {
      for (const std::vector<std::string>& tail : asked.tails) {
        AddShape({}, tail);
      }
      return;
    }
    const std::uint32_t all = (1u << std::min<std::size_t>(bound.size(), 16)) - 1;
    for (std::uint32_t chosen = 1; chosen <= all; ++chosen) {
      // If many attributes are bound, only all of them, or exactly one, go to the partition.
      if (bound.size() > kBoundMax && chosen != all && (chosen & (chosen - 1)) != 0) {
        continue;
      }
      std::vector<std::string> partition;
      std::vector<std::string> rest;
      for (std::size_t i = 0; i < bound.size(); ++i) {
        (chosen >> i & 1 ? partition : rest).push_back(bound[i]);
      }
      // If there are many, the attributes that most sections bind come first.
      if (rest.size() > 2) {
        std::ranges::stable_sort(rest, std::ranges::greater(),
                                 [&](const std::string& name) { return TimesBound(name); });
      } else {
        std::ranges::sort(rest);
      }
      do {
        for (const std::vector<std::string>& tail : asked.tails) {
          std::vector<std::string> sort = rest;
          for (const std::string& name : tail) {
            if (!Has(sort, name)) {
              sort.push_back(name);
            }
          }
          AddShape(partition, sort);
        }
      } while (rest.size() <= 2 && std::ranges::next_permutation(rest).found);
    }
  }

  std::ptrdiff_t TimesBound(const std::string& name) const {
    std::ptrdiff_t times = 0;
    for (const Pattern& pattern : logical_.patterns) {
      for (const Section& section : pattern.sections) {
        if (RowsOf(section) != entity_.name.text) {
          continue;
        }
        times += std::ranges::count_if(section.conditions, [&](const Condition& condition) {
          return condition.attribute.text == name && condition.comparison == Comparison::kEqual;
        });
      }
    }
    return times;
  }

  void AddShape(const std::vector<std::string>& partition, const std::vector<std::string>& sort) {
    KeyShape shape;
    shape.partition = partition;
    shape.sort = sort;
    if (!BeginWith(tenant_, shape.partition)) {
      return;
    }
    if (shape.partition.empty() && shape.sort.empty()) {
      shape.sort = keys_;
    }
    shapes_.insert(std::move(shape));
  }

  // Counts the sections that the shape serves fully, by a prefix of its sort key, and those that it serves at all.
  std::pair<int, int> Usefulness(const KeyShape& shape) const {
    int full = 0;
    int any = 0;
    for (const Asked& asked : asked_) {
      const std::vector<std::string>& bound = asked.bound;
      const auto is_bound = [&](const std::string& name) { return Has(bound, name); };
      if (!std::ranges::all_of(shape.partition, is_bound)) {
        continue;
      }
      ++any;
      const auto open = std::ranges::find_if_not(shape.sort, is_bound);
      const auto taken =
          shape.partition.size() + static_cast<std::size_t>(open - shape.sort.begin());
      if (taken == bound.size()) {
        ++full;
      }
    }
    return {full, any};
  }

  // True if the shape finds exactly what the section binds, and in its order.
  static bool Serves(const KeyShape& shape, const Asked& asked, bool ordered) {
    const auto is_bound = [&](const std::string& name) { return Has(asked.bound, name); };
    const auto open = std::ranges::find_if_not(shape.sort, is_bound);
    const auto taken = shape.partition.size() + static_cast<std::size_t>(open - shape.sort.begin());
    if (!std::ranges::all_of(shape.partition, is_bound) || taken != asked.bound.size()) {
      return false;
    }
    const std::vector<std::string> rest(open, shape.sort.end());
    return !ordered || std::ranges::any_of(asked.tails, [&](const std::vector<std::string>& tail) {
      return !tail.empty() && rest.size() >= tail.size() &&
             std::equal(tail.begin(), tail.end(), rest.begin());
    });
  }

  // The shapes that serve most, sorted. Of each of `needed` the best that serves it stays, however many sections others serve.
  std::vector<KeyShape> MostUseful(std::vector<KeyShape> shapes, std::size_t count,
                                   const std::vector<Asked>& needed) const {
    std::ranges::sort(shapes, [&](const KeyShape& a, const KeyShape& b) {
      const auto [a_full, a_any] = Usefulness(a);
      const auto [b_full, b_any] = Usefulness(b);
      if (a_full != b_full) {
        return a_full > b_full;
      }
      if (a_any != b_any) {
        return a_any > b_any;
      }
      return a < b;
    });
    std::set<KeyShape> kept;
    for (const Asked& asked : needed) {
      for (const bool ordered : {true, false}) {
        const auto serves = [&](const KeyShape& shape) { return Serves(shape, asked, ordered); };
        const auto found = std::ranges::find_if(shapes, serves);
        if (found != shapes.end()) {
          kept.insert(*found);
          break;
        }
      }
    }
    for (std::size_t i = 0; i < shapes.size() && kept.size() < count; ++i) {
      kept.insert(shapes[i]);
    }
    return {kept.begin(), kept.end()};
  }

  bool FitsBase(const KeyShape& shape) const {
    const auto fits = [&](const std::string& name) {
      const Attribute* attribute = entity_.Find(name);
      if (attribute == nullptr || attribute->optional) {
        return false;
      }
      if (Has(keys_, name)) {
        return true;
      }
      // A row never changes its tenant. With `once`, a key that holds more than the row's would guard less.
      if (name == tenant_ && !once_) {
        return true;
      }
      if (replaced_ && !attribute->immutable && !attribute->references) {
        return false;
      }
      return !once_ && !changed_.contains(name) && attribute->changes_per_second <= 0 &&
             (!located_ || known_.contains(name));
    };
    return std::ranges::all_of(shape.partition, fits) && std::ranges::all_of(shape.sort, fits);
  }

  KeyShape Completed(KeyShape shape) const {
    for (const std::string& key : keys_) {
      if (!Has(shape.partition, key) && !Has(shape.sort, key)) {
        shape.sort.push_back(key);
      }
    }
    return shape;
  }

  // Where no key can begin with the tenant, keys without it are better than none; the report names them.
  std::vector<KeyShape> BaseKeys() const {
    std::vector<KeyShape> keys = BaseKeysOf(tenant_);
    return keys.empty() ? BaseKeysOf("") : keys;
  }

  std::vector<KeyShape> BaseKeysOf(const std::string& tenant) const {
    std::vector<KeyShape> keys;
    const auto add = [&](KeyShape shape) {
      shape = Completed(std::move(shape));
      if (FitsBase(shape) && BeginWith(tenant, shape.partition) &&
          std::ranges::find(keys, shape) == keys.end()) {
        keys.push_back(std::move(shape));
      }
    };
    KeyShape own;
    own.partition = keys_;
    if (!tenant.empty() && !Has(keys_, tenant)) {
      own.partition.insert(own.partition.begin(), tenant);
    }
    BeginWith(tenant, own.partition);
    add(own);
    for (const KeyShape& shape : shapes_) {
      add(shape);
    }
    const std::uint32_t all = (1u << std::min<std::size_t>(keys_.size(), 4)) - 1;
    for (std::uint32_t chosen = 1; chosen < all; ++chosen) {
      KeyShape shape;
      for (std::size_t i = 0; i < std::min<std::size_t>(keys_.size(), 4); ++i) {
        if (chosen >> i & 1) {
          shape.partition.push_back(keys_[i]);
        }
      }
      add(shape);
    }
    keys = MostUseful(std::move(keys), limits_.keys_max, {});
    // The entity's own key is always there: others fetch its rows by it.
    own = Completed(std::move(own));
    if ((tenant.empty() || FitsBase(own)) && std::ranges::find(keys, own) == keys.end()) {
      keys.push_back(std::move(own));
    }
    return keys;
  }

  const Model& logical_;
  const Entity& entity_;
  const CandidateLimits& limits_;
  std::vector<std::string> keys_;
  std::set<KeyShape> shapes_;
  std::vector<Asked> asked_;  // The demands of each section.
  std::set<std::string> known_;
  std::set<std::string> changed_;
  bool once_ = false;
  bool replaced_ = false;  // The write is a plain put.
  bool written_ = false;
  bool located_ = false;  // An update or delete has to find rows.
  std::string tenant_;    // Empty: keys need not begin with one.
};

// Each layout with every choice among `extras`, which `add` puts in.
template <class Extra, class Add>
void Vary(std::vector<Layout>& layouts, const std::vector<Extra>& extras, const Add& add) {
  const std::vector<Layout> plain = layouts;
  for (std::uint32_t chosen = 1; chosen < 1u << extras.size(); ++chosen) {
    for (const Layout& layout : plain) {
      Layout varied = layout;
      for (std::size_t i = 0; i < extras.size(); ++i) {
        if (chosen >> i & 1) {
          add(varied, extras[i]);
        }
      }
      layouts.push_back(std::move(varied));
    }
  }
}

}  // namespace

const std::string& RowsOf(const Section& section) { return section.searched().text; }

std::vector<std::string> TargetsOf(const Section& section) {
  std::set<std::string> targets;
  if (!section.via.text.empty()) {
    targets.insert(section.entity.text);
  }
  for (const model::Path& path : section.get) {
    if (!path.entity.text.empty() && !(path.entity == section.entity)) {
      targets.insert(path.entity.text);
    }
  }
  targets.erase(RowsOf(section));
  return {targets.begin(), targets.end()};
}

Candidates FindCandidates(const Model& logical, const CandidateLimits& limits) {
  Candidates all;
  std::set<std::string> listed;
  for (const Entity& entity : logical.entities) {
    EntityCandidates& own = all[entity.name.text];
    own = EntityFinder(logical, entity, limits).Run();
    if (limits.copies) {
      // The attributes of one other entity are copied together.
      std::map<std::string, std::set<std::string>> by_other;
      for (const std::string& joined : JoinedWith(logical, entity)) {
        // Copies that nothing finds again would be wrong after the first change.
        if (HowCopiesAreFound(logical, entity.name.text, joined) != CopySearch::kTooDear) {
          by_other[joined.substr(0, joined.find('.'))].insert(joined);
        }
      }
      std::vector<std::set<std::string>> copies;
      for (auto& [other, attributes] : by_other) {
        copies.push_back(std::move(attributes));
      }
      if (copies.size() > kListsMax) {
        copies.resize(kListsMax);
      }
      Vary(own.layouts, copies, [](Layout& layout, const std::set<std::string>& attributes) {
        layout.copies.insert(attributes.begin(), attributes.end());
      });
    }
    if (limits.lists) {
      const std::vector<ListChoice> lists = ListsFor(logical, entity);
      for (const ListChoice& list : lists) {
        listed.insert(list.entity);
      }
      Vary(own.layouts, lists,
           [](Layout& layout, const ListChoice& list) { layout.lists.push_back(list); });
    }
  }
  for (const std::string& entity : listed) {
    Layout inside;
    inside.own_items = false;
    all[entity].layouts.push_back(std::move(inside));
  }
  return all;
}

}  // namespace prejoin::design
