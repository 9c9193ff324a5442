// Finds the references between entities. B references A when, for every key attribute of A, B has
// an attribute whose values are among A's, and that is called alike: by the literal before it
// in a key (CUSTOMER#…), by its own name, or by A's name in it. Values alone would not do: a year
// from 1 to 4 is among any ids. If several entities match, the one with the longest key is the parent,
// so that an order's line references the order and not the customer once more.
//
// The key of an item says more than which row it is: USER#7 / ORDER#2026-01-01#a81 holds one order, and
// a81 alone would name it. Where one part differs for every item and others point at it alone, that part
// is the entity's key, and the rest of the item's key are attributes.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "draft/infer/found_entity.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr double kAmong = 0.8;
// Sketches are right within some six percent.
constexpr double kAllDifferent = 0.88;
constexpr double kRowsForIdentity = 20;
constexpr double kAllOwn = 0.95;

struct Link {
  std::size_t parent = 0;
  std::vector<std::pair<std::string, std::string>> columns;  // Attribute here → there.
  bool in_key = true;                                        // All of them are key attributes.
  double share = 1;  // The least share of the values here that are also among those there.
};

std::string Plain(std::string_view name) {
  std::string out;
  for (const char c : Lowered(name)) {
    if (c != '_' && c != '-') {
      out += c;
    }
  }
  return out;
}

bool CalledAlike(const FoundEntity& child, const std::string& here, const FoundEntity& parent,
                 const std::string& there) {
  const auto domain = [](const FoundEntity& entity, const std::string& name) {
    const auto found = entity.domains.find(name);
    return found == entity.domains.end() ? std::string() : Plain(found->second);
  };
  const std::string own = domain(child, here);
  if (!own.empty() && own == domain(parent, there)) {
    return true;
  }
  const std::string name = Plain(here);
  if (name == Plain(there) && name != "id") {
    return true;
  }
  return name.find(Plain(parent.entity.name)) != std::string::npos && name.ends_with("id");
}

std::vector<Link> LinksOf(const std::vector<FoundEntity>& found, std::size_t child_at) {
  const FoundEntity& child = found[child_at];
  std::vector<Link> links;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const FoundEntity& parent = found[at];
    if (at == child_at || parent.variables.empty()) {
      continue;
    }
    Link link{at, {}, true, 1};
    std::set<std::string> used;
    for (const std::string& there : parent.variables) {
      const auto theirs = parent.values.find(there);
      std::string best;
      double best_share = 0;
      for (const DraftAttribute& attribute : child.entity.attributes) {
        const auto mine = child.values.find(attribute.name);
        if (mine == child.values.end() || mine->second.empty() || used.contains(attribute.name)) {
          continue;
        }
        if (theirs == parent.values.end()) {
          continue;
        }
        const double share = mine->second.ShareIn(theirs->second);
        if (share < kAmong || !CalledAlike(child, attribute.name, parent, there)) {
          continue;
        }
        if (best.empty() || attribute.key) {
          best = attribute.name;
          best_share = share;
        }
        if (attribute.key) {
          break;
        }
      }
      if (best.empty()) {
        break;
      }
      used.insert(best);
      link.share = std::min(link.share, best_share);
      link.columns.emplace_back(best, there);
      link.in_key = link.in_key && child.entity.Find(best)->key;
    }
    if (link.columns.size() != parent.variables.size()) {
      continue;
    }
    // Two entities with the same key are one thing in two items; the one named in both keys alone
    // (the larger collection) is no child of the other.
    const bool same_key = link.in_key && child.variables.size() == parent.variables.size();
    if (same_key && child_at < at) {
      continue;
    }
    links.push_back(std::move(link));
  }
  // Nearest parents first.
  std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return a.columns.size() > b.columns.size();
  });
  return links;
}

// An attribute that is called an id and has values of the entity's own key: who manages whom.
std::vector<Link> OwnLinks(const FoundEntity& entity, std::size_t at,
                           const std::set<std::string>& taken) {
  if (entity.variables.size() != 1) {
    return {};
  }
  const auto own = entity.values.find(entity.variables[0]);
  std::vector<Link> links;
  for (const DraftAttribute& attribute : entity.entity.attributes) {
    const auto mine = entity.values.find(attribute.name);
    const std::string name = Plain(attribute.name);
    if (attribute.key || taken.contains(attribute.name) || mine == entity.values.end() ||
        own == entity.values.end() || name == "id" || !name.ends_with("id")) {
      continue;
    }
    if (mine->second.Distinct() < 3 || mine->second.ShareIn(own->second) < kAllOwn) {
      continue;
    }
    links.push_back(
        {at, {{attribute.name, entity.variables[0]}}, false, mine->second.ShareIn(own->second)});
  }
  return links;
}

// Links whose attributes no nearer link has taken.
std::vector<Link> ChosenLinks(const std::vector<FoundEntity>& found, std::size_t child_at) {
  std::vector<Link> chosen;
  std::set<std::string> taken;
  for (Link& link : LinksOf(found, child_at)) {
    const bool free =
        std::none_of(link.columns.begin(), link.columns.end(),
                     [&](const auto& column) { return taken.contains(column.first); });
    if (!free) {
      continue;
    }
    for (const auto& column : link.columns) {
      taken.insert(column.first);
    }
    chosen.push_back(std::move(link));
  }
  for (Link& link : OwnLinks(found[child_at], child_at, taken)) {
    chosen.push_back(std::move(link));
  }
  return chosen;
}

bool PointsAt(const FoundEntity& child, const FoundEntity& parent, const std::string& there) {
  const auto theirs = parent.values.find(there);
  return std::any_of(child.entity.attributes.begin(), child.entity.attributes.end(),
                     [&](const DraftAttribute& attribute) {
                       const auto mine = child.values.find(attribute.name);
                       return mine != child.values.end() && !mine->second.empty() &&
                              mine->second.ShareIn(theirs->second) >= kAmong &&
                              CalledAlike(child, attribute.name, parent, there);
                     });
}

// Makes one part of the item's key the key of the entity, if it names each row and others need it.
void ReduceKey(std::vector<FoundEntity>& found, std::size_t parent_at) {
  FoundEntity& parent = found[parent_at];
  if (parent.variables.size() < 2 || parent.count < kRowsForIdentity) {
    return;
  }
  for (const std::string& name : parent.variables) {
    const auto values = parent.values.find(name);
    const DraftAttribute* attribute = parent.entity.Find(name);
    if (values == parent.values.end() || attribute == nullptr || attribute->type == "date" ||
        attribute->type == "time" || values->second.Distinct() < kAllDifferent * parent.count) {
      continue;
    }
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (at == parent_at || !PointsAt(found[at], parent, name)) {
        continue;
      }
      const bool has_whole_key =
          std::all_of(parent.variables.begin(), parent.variables.end(),
                      [&](const std::string& part) { return PointsAt(found[at], parent, part); });
      if (has_whole_key) {
        continue;
      }
      if (const auto once = parent.each_once.find(name);
          once == parent.each_once.end() || once->second != EachOnce::Answer::kYes) {
        const bool repeats =
            once != parent.each_once.end() && once->second == EachOnce::Answer::kRepeats;
        parent.entity.notes.push_back(
            "`" + name + "` alone is not the key, although " + found[at].entity.name +
            " refers to it: " +
            (repeats ? "some of its values repeat."
                     : "there are too many items to tell whether it repeats."));
        break;
      }
      for (DraftAttribute& other : parent.entity.attributes) {
        other.key = other.name == name;
      }
      parent.variables = {name};
      return;
    }
  }
}

// Two entities that hold each other's key are one-to-one: a customer and the item that keeps the e-mail address unique. The reference that
// others need more stays: those in keys first, then those to the entity that most point at.
void LeaveOutCircles(std::vector<std::vector<Link>>& links) {
  struct Arrow {
    std::size_t child;
    std::size_t number;
  };
  std::vector<int> pointed(links.size(), 0);
  std::vector<Arrow> arrows;
  for (std::size_t child = 0; child < links.size(); ++child) {
    for (std::size_t i = 0; i < links[child].size(); ++i) {
      if (links[child][i].parent != child) {
        ++pointed[links[child][i].parent];
        arrows.push_back({child, i});
      }
    }
  }
  const auto link_of = [&](const Arrow& arrow) -> const Link& { return links[arrow.child][arrow.number]; };
  std::ranges::stable_sort(arrows, [&](const Arrow& a, const Arrow& b) {
    const Link& one = link_of(a);
    const Link& other = link_of(b);
    return one.in_key != other.in_key ? one.in_key : pointed[one.parent] > pointed[other.parent];
  });
  std::vector<std::set<std::size_t>> above(links.size());  // Child → all that it leads to.
  std::vector<std::set<std::size_t>> left_out(links.size());
  for (const Arrow& arrow : arrows) {
    const std::size_t parent = link_of(arrow).parent;
    if (above[parent].contains(arrow.child)) {
      left_out[arrow.child].insert(arrow.number);
      continue;
    }
    std::set<std::size_t> more = above[parent];
    more.insert(parent);
    for (std::size_t one = 0; one < links.size(); ++one) {
      if (one == arrow.child || above[one].contains(arrow.child)) {
        above[one].insert(more.begin(), more.end());
      }
    }
  }
  for (std::size_t child = 0; child < links.size(); ++child) {
    for (auto number = left_out[child].rbegin(); number != left_out[child].rend(); ++number) {
      links[child].erase(links[child].begin() + static_cast<std::ptrdiff_t>(*number));
    }
  }
}

std::string Confidence(const Link& link) {
  std::string columns;
  for (const auto& [here, there] : link.columns) {
    columns += (columns.empty() ? "" : ", ") + here;
  }
  return std::to_string(static_cast<int>(link.share * 100)) + " % of the values of " + columns +
         " are found there.";
}

}  // namespace

std::vector<DraftRelationship> FindRelationships(std::vector<FoundEntity>& found) {
  std::vector<DraftRelationship> all;
  std::set<std::string> names;
  for (std::size_t at = 0; at < found.size(); ++at) {
    ReduceKey(found, at);
  }
  std::vector<std::vector<Link>> links;
  for (std::size_t at = 0; at < found.size(); ++at) {
    links.push_back(ChosenLinks(found, at));
  }
  LeaveOutCircles(links);
  for (std::size_t at = 0; at < found.size(); ++at) {
    FoundEntity& child = found[at];
    std::vector<const Link*> key_links;
    std::size_t key_columns = 0;
    for (const Link& link : links[at]) {
      for (const auto& [here, there] : link.columns) {
        child.entity.Find(here)->references = found[link.parent].entity.name + "." + there;
      }
      if (link.in_key) {
        key_links.push_back(&link);
        key_columns += link.columns.size();
      }
    }
    const auto per = [&](const Link& link) {
      return found[link.parent].count > 0 ? child.count / found[link.parent].count : 0;
    };
    const bool is_edge = key_links.size() == 2 && key_columns == child.variables.size();
    if (is_edge) {
      DraftRelationship edge;
      edge.name = UniqueName(child.entity.name + "s", names);
      edge.from = found[key_links[0]->parent].entity.name;
      edge.kind = "many-to-many";
      edge.to = found[key_links[1]->parent].entity.name;
      edge.through = child.entity.name;
      edge.average = per(*key_links[0]);
      edge.back_average = per(*key_links[1]);
      edge.notes = {Confidence(*key_links[0]), Confidence(*key_links[1])};
      all.push_back(std::move(edge));
    }
    for (const Link& link : links[at]) {
      if (is_edge && link.in_key) {
        continue;
      }
      DraftRelationship one;
      const std::string& parent = found[link.parent].entity.name;
      one.name = UniqueName(parent + Capitalised(child.entity.name) + "s", names);
      one.from = parent;
      one.to = child.entity.name;
      one.average = per(link);
      for (const auto& [here, there] : link.columns) {
        one.by.push_back(here);
      }
      one.notes.push_back(Confidence(link));
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace prejoin::draft
