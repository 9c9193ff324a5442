#include "draft/sql/foreign_keys.h"

#include <algorithm>
#include <utility>

#include "draft/names.h"

namespace prejoin::draft {
namespace {

class ForeignKeySetter {
 public:
  ForeignKeySetter(const SqlTables& tables, Draft& draft) : tables_(tables), draft_(draft) {}

  void Set() {
    for (const ForeignKey& key : tables_.foreign_keys) {
      DraftEntity* child = EntityOfTable(key.child);
      const DraftEntity* parent = EntityOfTable(key.parent);
      if (child == nullptr) {
        continue;
      }
      if (parent == nullptr) {
        child->notes.push_back("A foreign key points at " + key.parent + ", which is not here.");
        continue;
      }
      const std::vector<std::string> targets =
          key.targets.empty() ? parent->KeyNames() : key.targets;
      if (targets.size() != key.columns.size()) {
        continue;
      }
      if (!key.on_delete.empty()) {
        child->notes.push_back("ON DELETE " + key.on_delete + " of " + parent->name +
                               " is not in the model: a write that deletes its rows must say it.");
      }
      DraftRelationship one;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        DraftAttribute* attribute = child->Find(ToName(key.columns[i]));
        if (attribute == nullptr || parent->Find(ToName(targets[i])) == nullptr) {
          continue;
        }
        const std::string target = parent->name + "." + ToName(targets[i]);
        if (LeadsTo(target, child->name + "." + attribute->name)) {
          child->notes.push_back("A foreign key from " + attribute->name + " to " + target +
                                 " is circular and was left out.");
          continue;
        }
        attribute->references = target;
        one.by.push_back(attribute->name);
      }
      one.from = parent->name;
      one.to = child->name;
      const bool whole_key = parent->KeyNames().size() == one.by.size() && !one.by.empty();
      if (whole_key && IsUnique(*child, one.by)) {
        one.kind = "one-to-one";
      }
      if (whole_key) {
        links_[child->name].push_back(std::move(one));
      } else {
        child->notes.push_back("The foreign key to " + parent->name +
                               " is not to its primary key, so it creates no relationship.");
      }
    }
    for (auto& [child, links] : links_) {
      AddRelationships(*draft_.FindEntity(child), links);
    }
  }

 private:
  // True if references lead from one attribute to the other; both are written as Entity.attribute.
  bool LeadsTo(std::string from, const std::string& to) const {
    while (!from.empty() && from != to) {
      const std::size_t dot = from.find('.');
      const DraftEntity* entity = draft_.FindEntity(from.substr(0, dot));
      const DraftAttribute* attribute =
          entity != nullptr ? entity->Find(from.substr(dot + 1)) : nullptr;
      from = attribute != nullptr ? attribute->references : "";
    }
    return from == to;
  }

  // True if two rows cannot have the same values in these columns: they are its key, or said to be unique.
  bool IsUnique(const DraftEntity& entity, const std::vector<std::string>& columns) const {
    const std::set<std::string> names(columns.begin(), columns.end());
    const std::vector<std::string> keys = entity.KeyNames();
    if (names == std::set<std::string>(keys.begin(), keys.end())) {
      return true;
    }
    const DraftAttribute* alone = columns.size() == 1 ? entity.Find(columns[0]) : nullptr;
    return (alone != nullptr && alone->unique) ||
           std::ranges::count(UniqueOf(entity), names) > 0;
  }

  // A table whose key is its two foreign keys is a link between the two.
  void AddRelationships(const DraftEntity& child, std::vector<DraftRelationship>& links) {
    std::vector<std::string> keys = child.KeyNames();
    std::vector<std::string> linked;
    for (const DraftRelationship& link : links) {
      linked.insert(linked.end(), link.by.begin(), link.by.end());
    }
    std::sort(keys.begin(), keys.end());
    std::sort(linked.begin(), linked.end());
    if (links.size() == 2 && links[0].from != links[1].from && keys == linked) {
      DraftRelationship edge;
      edge.name = UniqueName(child.name + "Links", relationship_names_);
      edge.kind = "many-to-many";
      edge.from = links[0].from;
      edge.to = links[1].from;
      edge.through = child.name;
      draft_.relationships.push_back(std::move(edge));
      return;
    }
    for (DraftRelationship& link : links) {
      link.name = UniqueName(link.from + child.name, relationship_names_);
      draft_.relationships.push_back(std::move(link));
    }
  }

  DraftEntity* EntityOfTable(const std::string& table) {
    const auto found = tables_.entity_names.find(table);
    return found == tables_.entity_names.end() ? nullptr : draft_.FindEntity(found->second);
  }

  const std::vector<std::set<std::string>>& UniqueOf(const DraftEntity& entity) const {
    static const std::vector<std::set<std::string>> kNone;
    const auto found = tables_.unique.find(entity.name);
    return found == tables_.unique.end() ? kNone : found->second;
  }

  const SqlTables& tables_;
  Draft& draft_;
  std::set<std::string> relationship_names_;
  std::map<std::string, std::vector<DraftRelationship>> links_;  // By child.
};

}  // namespace

void SetForeignKeys(const SqlTables& tables, Draft& draft) { ForeignKeySetter(tables, draft).Set(); }

}  // namespace prejoin::draft
