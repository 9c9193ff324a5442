#include "model/bind/resolve.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "model/bind/resolve_physical.h"
#include "model/bind/resolve_values.h"
#include "model/schema/join.h"
#include "model/schema/strategy.h"
#include "model/syntax/spelling.h"
#include "model/syntax/statement.h"

namespace prejoin::model {
namespace {

constexpr int kReferenceChainMax = 16;

class LogicalResolver {
 public:
  LogicalResolver(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics)
      : model_(model), report_{diagnostics, unread} {}

  void Run() {
    for (Entity& entity : model_.entities) {
      ResolveEntity(entity);
    }
    DeriveAttributes(model_, report_);
    for (Relationship& relationship : model_.relationships) {
      ResolveRelationship(relationship);
    }
    for (Pattern& pattern : model_.patterns) {
      ResolvePattern(pattern);
    }
    for (const Write& write : model_.writes) {
      ResolveWrite(write);
    }
    ResolveValues(model_, report_);
    for (const StrategyChoice& choice : model_.strategies) {
      ResolveStrategy(choice);
    }
    if (model_.tenant) {
      const Entity* entity = report_.Entity(model_, model_.tenant->path.entity);
      if (entity != nullptr) {
        report_.Attribute(*entity, model_.tenant->path.attribute);
      }
    }
  }

 private:
  void ResolveEntity(Entity& entity) {
    if (entity.KeyNames().empty() && !Unread(entity.name, entity.last_line)) {
      report_.Error(entity.name.at, "entity `" + entity.name.text + "` has no key",
                    "mark the attributes that identify it: id text(~8) key");
    }
    for (Attribute& attribute : entity.attributes) {
      ResolveReference(attribute);
    }
    if (!entity.ttl.text.empty()) {
      report_.Attribute(entity, entity.ttl);
    }
  }

  bool Unread(const Name& name, int last_line) const {
    return report_.unread.Within(name.at.line, last_line);
  }

  // The type and size of `references` are those of the attribute at the end of the chain.
  void ResolveReference(Attribute& attribute) {
    if (!attribute.references) {
      return;
    }
    const Path* path = &*attribute.references;
    for (int hop = 0; hop < kReferenceChainMax; ++hop) {
      const Entity* entity = report_.Entity(model_, path->entity);
      const Attribute* target =
          entity != nullptr ? report_.Attribute(*entity, path->attribute) : nullptr;
      if (target == nullptr) {
        return;
      }
      if (target->references) {
        path = &*target->references;
        continue;
      }
      attribute.type = target->type;
      attribute.type_given = true;
      attribute.size_avg = target->size_avg;
      attribute.size_max = target->size_max;
      return;
    }
    report_.Error(attribute.name.at,
                  "the references of `" + attribute.name.text + "` go round in a circle",
                  "give one of them a type");
  }

  void ResolveRelationship(Relationship& relationship) {
    const Entity* from = report_.Entity(model_, relationship.from);
    if (from == nullptr) {
      return;
    }
    if (relationship.kind == RelationshipKind::kHierarchy) {
      for (const Name& level : relationship.levels) {
        report_.Attribute(*from, level);
      }
      return;
    }
    const Entity* to = report_.Entity(model_, relationship.to);
    if (to == nullptr) {
      return;
    }
    if (relationship.kind == RelationshipKind::kManyToMany) {
      ResolveThrough(relationship, *from, *to);
    } else {
      ResolveBy(relationship, *from, *to);
    }
    for (const Cardinality& cardinality : relationship.cardinalities) {
      if (!(cardinality.entity == relationship.from) && !(cardinality.entity == relationship.to)) {
        report_.Error(cardinality.entity.at,
                      "`" + cardinality.entity.text + "` is not a side of this relationship",
                      RespellingOf(cardinality.entity.at, cardinality.entity.text,
                                   {relationship.from.text, relationship.to.text}));
        continue;
      }
      ResolveRole(relationship, cardinality);
    }
    CheckRoles(relationship);
  }

  // `each User by followerId has …`: the attributes are in the rows that are counted and name the entity.
  void ResolveRole(const Relationship& relationship, const Cardinality& cardinality) {
    const bool many = relationship.kind == RelationshipKind::kManyToMany;
    const Name& counted = many ? relationship.through : relationship.to;
    const Entity* rows = model_.FindEntity(counted.text);
    for (const Name& name : cardinality.by) {
      const Attribute* attribute = rows != nullptr ? report_.Attribute(*rows, name) : nullptr;
      if (attribute != nullptr &&
          (!attribute->references || !(attribute->references->entity == cardinality.entity))) {
        report_.Error(name.at,
                      "`" + counted.text + "." + name.text + "` does not reference `" +
                          cardinality.entity.text + "`",
                      "name the attribute of `" + counted.text + "` that does");
      }
    }
  }

  // Two figures for one entity are about two attributes that name it.
  void CheckRoles(const Relationship& relationship) {
    const std::vector<Cardinality>& all = relationship.cardinalities;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto same = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const Cardinality& before) {
                                       return before.entity == all[i].entity &&
                                              (before.by.empty() || all[i].by.empty() ||
                                               before.by == all[i].by);
                                     });
      if (same == all.begin() + static_cast<std::ptrdiff_t>(i)) {
        continue;
      }
      const bool self = relationship.from == relationship.to &&
                        relationship.kind == RelationshipKind::kManyToMany;
      report_.Error(all[i].entity.at,
                    "`each " + all[i].entity.text + "` is stated twice",
                    self ? "say which attribute of `" + relationship.through.text +
                               "` names it: each " + all[i].entity.text + " by attribute has …"
                         : "state one of them");
    }
  }

  // A part of the key that the parent shares with others, such as its tenant, references what it identifies.
  void ReportNoReference(const SourceSpan& at, const Entity& child, const Entity& parent,
                         std::string_view flag) {
    std::vector<std::string> missing;
    const std::vector<std::string> keys = parent.KeyNames();
    for (const std::string& key : keys) {
      const Attribute* part = parent.Find(key);
      const bool found = std::ranges::any_of(child.attributes, [&](const Attribute& attribute) {
        const auto leads = [&](const Name& entity, const std::string& name) {
          return attribute.references && attribute.references->entity == entity &&
                 attribute.references->attribute.text == name;
        };
        return leads(parent.name, key) ||
               (part != nullptr && part->references &&
                leads(part->references->entity, part->references->attribute.text));
      });
      if (!found) {
        missing.push_back(key);
      }
    }
    missing = missing.empty() ? keys : missing;  // Two attributes that could be the same part.
    const bool partly = missing.size() < keys.size();
    if (keys.empty()) {
      missing = {"id"};
    }
    std::string lines;
    for (const std::string& key : missing) {
      const Attribute* part = keys.size() > 1 ? parent.Find(key) : nullptr;
      if (part != nullptr && part->references) {
        lines += (lines.empty() ? "" : ", and ") + key + " references " + part->references->entity.text + "." +
                 part->references->attribute.text + std::string(flag);
        continue;
      }
      std::string name = parent.name.text + key;
      name[0] = absl::ascii_tolower(static_cast<unsigned char>(name[0]));
      name[parent.name.text.size()] = absl::ascii_toupper(static_cast<unsigned char>(key[0]));
      lines += (lines.empty() ? "" : ", and ") + name + " references " + parent.name.text + "." + key + std::string(flag);
    }
    report_.Error(at,
                  "`" + child.name.text + "` does not reference the key of `" + parent.name.text + "`" +
                      (partly ? ": `" + absl::StrJoin(missing, "`, `") + "` is missing" : ""),
                  "add to " + child.name.text + ": " + lines);
  }

  void ResolveThrough(const Relationship& relationship, const Entity& from, const Entity& to) {
    const Entity* link = report_.Entity(model_, relationship.through);
    if (link == nullptr) {
      return;
    }
    for (const Entity* end : {&from, &to}) {
      if (JoinColumns(*link, *end).empty() && !Unread(link->name, link->last_line)) {
        ReportNoReference(relationship.through.at, *link, *end, " key");
      }
    }
  }

  void ResolveBy(Relationship& relationship, const Entity& from, const Entity& to) {
    if (!relationship.by.empty()) {
      for (const Name& name : relationship.by) {
        report_.Attribute(to, name);
      }
      return;
    }
    for (const JoinColumn& column : JoinColumns(to, from)) {
      const Attribute* attribute = to.Find(column.from);
      relationship.by.push_back(attribute->name);
    }
    if (relationship.by.empty() && !Unread(to.name, to.last_line) &&
        !Unread(from.name, from.last_line)) {
      ReportNoReference(relationship.to.at, to, from, "");
    }
  }

  void ResolvePattern(Pattern& pattern) {
    const bool unread = Unread(pattern.name, pattern.last_line);
    if (pattern.sections.empty() && !unread) {
      report_.Error(pattern.name.at, "pattern `" + pattern.name.text + "` finds nothing",
                    "add a line such as: find Student where id = :student");
    }
    for (Section& section : pattern.sections) {
      ResolveSection(section);
    }
    if (pattern.freshness == Freshness::kAfterWrite &&
        model_.FindWrite(pattern.after_write.text) == nullptr &&
        !report_.unread.Mentions(pattern.after_write.text)) {
      std::vector<std::string> names;
      for (const Write& write : model_.writes) {
        names.push_back(write.name.text);
      }
      report_.Error(pattern.after_write.at, "there is no write `" + pattern.after_write.text + "`",
                    RespellingOf(pattern.after_write.at, pattern.after_write.text, names));
    }
    const bool optional =
        std::any_of(pattern.sections.begin(), pattern.sections.end(), [](const Section& section) {
          return std::any_of(section.conditions.begin(), section.conditions.end(),
                             [](const Condition& one) { return one.optional; });
        });
    // Examples of optional conditions give some of the parameters only.
    if (!unread && !optional) {
      ResolveExamples(pattern);
    }
  }

  void ResolveSection(Section& section) {
    const Entity* entity = report_.Entity(model_, section.entity);
    if (entity == nullptr) {
      return;
    }
    ResolveMeasure(*entity, section);
    const Entity* source = entity;
    if (!section.via.text.empty()) {
      source = report_.Entity(model_, section.via);
      if (source == nullptr) {
        return;
      }
      if (JoinColumns(*source, *entity).empty()) {
        report_.Error(
            section.via.at,
            "`" + source->name.text + "` does not reference the key of `" + entity->name.text + "`",
            "name the entity that links them after `via`");
      }
    }
    for (const Condition& condition : section.conditions) {
      report_.Attribute(*source, condition.attribute);
    }
    for (const OrderKey& key : section.order) {
      report_.Attribute(*entity, key.attribute);
    }
    for (const Path& path : section.get) {
      ResolveGet(*entity, path);
    }
  }

  // Every view of an entity has its key, so counting needs nothing else.
  void ResolveMeasure(const Entity& entity, Section& section) {
    if (section.measure == Measure::kCount) {
      for (const std::string& key : entity.KeyNames()) {
        section.get.push_back({{}, {key, section.entity.at}});
      }
    }
    if (section.measure != Measure::kSum) {
      return;
    }
    const Name& name = section.get[0].attribute;
    const Attribute* attribute = entity.Find(name.text);
    if (attribute != nullptr && !IsNumber(attribute->type)) {
      report_.Error(name.at, "`" + name.text + "` is no number and cannot be added up",
                    "name a number, or write: count " + entity.name.text + " …");
    }
  }

  void ResolveGet(const Entity& entity, const Path& path) {
    if (path.entity.text.empty() || path.entity.text == entity.name.text) {
      report_.Attribute(entity, path.attribute);
      return;
    }
    const Entity* other = report_.Entity(model_, path.entity);
    if (other == nullptr || report_.Attribute(*other, path.attribute) == nullptr) {
      return;
    }
    if (JoinColumns(entity, *other).empty()) {
      report_.Error(path.entity.at,
                    "`" + entity.name.text + "` does not point at `" + other->name.text + "`",
                    "only attributes of entities that it references can be fetched with it");
    }
  }

  void ResolveExamples(const Pattern& pattern) {
    const std::vector<std::string> parameters = pattern.Parameters();
    for (const Example& example : pattern.examples) {
      std::set<std::string> given;
      for (const auto& [name, value] : example.arguments) {
        given.insert(name.text);
        if (std::find(parameters.begin(), parameters.end(), name.text) == parameters.end()) {
          report_.Error(name.at,
                        "pattern `" + pattern.name.text + "` has no parameter `" + name.text + "`",
                        RespellingOf(name.at, name.text, parameters));
        }
      }
      for (const std::string& parameter : parameters) {
        if (!given.contains(parameter)) {
          report_.Error(example.at, "this example gives no value for :" + parameter,
                        "add " + parameter + " = …");
        }
      }
    }
  }

  // Resolves the names of a step besides the attributes it sets.
  void ResolveStep(const WriteStep& step, const Entity& entity) {
    for (const Name& name : step.remove) {
      const Attribute* attribute = report_.Attribute(entity, name);
      if (attribute != nullptr && !attribute->optional) {
        report_.Error(name.at, "`" + name.text + "` must have a value and cannot be removed",
                      "declare it optional");
      }
    }
    for (const Increment& increment : step.increments) {
      const Attribute* attribute = entity.Find(increment.attribute.text);
      if (attribute != nullptr && !IsNumber(attribute->type)) {
        report_.Error(increment.attribute.at, "`" + increment.attribute.text + "` is no number",
                      "only numbers can be counted up");
      }
    }
    std::set<std::string> bound;
    for (const Condition& condition : step.where) {
      report_.Attribute(entity, condition.attribute);
      if (condition.comparison == Comparison::kEqual) {
        bound.insert(condition.attribute.text);
      }
    }
    for (const std::string& key : entity.KeyNames()) {
      if (step.where.empty() || bound.contains(key)) {
        continue;
      }
      report_.Error(
          step.where[0].attribute.at,
          "`where` must name one `" + entity.name.text + "`, and does not mention `" + key + "`",
          "add: and " + key + " = :" + key);
    }
    for (const Condition& condition : step.guard) {
      report_.Attribute(entity, condition.attribute);
    }
    if (!step.for_each.text.empty()) {
      report_.Entity(model_, step.for_each);
    }
    std::vector<const Entity*> going;
    for (const Name& child : step.cascade) {
      if (const Entity* found = report_.Entity(model_, child)) {
        going.push_back(found);
      }
    }
    for (const Name& child : step.cascade) {
      const auto same = std::ranges::find(going, child, [](const Entity* one) { return one->name; });
      const Entity* found = same != going.end() ? *same : nullptr;
      if (found != nullptr && JoinColumnsThrough(*found, entity, going).empty()) {
        report_.Error(
            child.at,
            "`" + child.text + "` does not reference the key of `" + entity.name.text + "`",
            "only rows that belong to a row, or to others that go with it, can go with it");
      }
    }
  }

  void ResolveWrite(const Write& write) {
    for (const WriteStep& step : write.steps) {
      const Entity* entity = report_.Entity(model_, step.entity);
      if (entity == nullptr) {
        continue;
      }
      ResolveStep(step, *entity);
      for (const Name& name : step.set) {
        const Attribute* attribute = report_.Attribute(*entity, name);
        if (attribute != nullptr && attribute->is_key) {
          report_.Error(name.at,
                        "`" + name.text + "` is part of the key of `" + entity->name.text +
                            "` and cannot be set",
                        "delete the old row and put a new one, together");
        }
        if (attribute != nullptr && attribute->immutable) {
          report_.Error(name.at, "`" + name.text + "` is declared immutable",
                        "remove `immutable`, or do not set it");
        }
      }
    }
    if (write.steps.empty() && !Unread(write.name, write.last_line)) {
      report_.Error(write.name.at, "write `" + write.name.text + "` does nothing",
                    "add: put, update or delete");
    }
  }

  void ResolveStrategy(const StrategyChoice& choice) {
    if (model_.FindRelationship(choice.relationship.text) == nullptr &&
        !report_.unread.Mentions(choice.relationship.text)) {
      std::vector<std::string> names;
      for (const Relationship& relationship : model_.relationships) {
        names.push_back(relationship.name.text);
      }
      report_.Error(choice.relationship.at,
                    "there is no relationship `" + choice.relationship.text + "`",
                    RespellingOf(choice.relationship.at, choice.relationship.text, names));
    }
    std::vector<std::string> known;
    for (const Strategy& strategy : AllStrategies()) {
      known.emplace_back(strategy.name);
    }
    for (const Name& name : choice.strategies) {
      if (FindStrategy(name.text) == nullptr) {
        report_.Error(name.at, "there is no strategy `" + name.text + "`",
                      RespellingOf(name.at, name.text, known));
      }
    }
  }

  ParsedModel& model_;
  NameReporter report_;
};

}  // namespace

void ResolveModel(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics) {
  LogicalResolver(model, unread, diagnostics).Run();
  ResolvePhysical(model, unread, diagnostics);
}

}  // namespace prejoin::model
