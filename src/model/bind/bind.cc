#include "model/bind/bind.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "model/bind/optional_conditions.h"
#include "model/bind/resolve.h"
#include "model/schema/key_refusals.h"

namespace prejoin::model {
namespace {

bool IsError(const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kError; }

// Gives every reference of a model its place. The resolvers have reported the names that mean nothing where they know what to suggest;
// one that they did not look at is reported here, so that none gets through.
class ReferenceBinder {
 public:
  ReferenceBinder(ParsedModel& model, const NameReporter& report) : model_(model), report_(report) {
    std::size_t place = 0;
    for (std::vector<Entity>* all : {&model.entities, &model.second_layouts}) {
      for (Entity& entity : *all) {
        entity.place = place++;
        entities_.emplace(entity.name.text, &entity);
      }
    }
    Number(model.relationships, relationships_);
    Number(model.writes, writes_);
  }

  // True if every reference has its declaration.
  bool Run() {
    for (std::vector<Entity>* all : {&model_.entities, &model_.second_layouts}) {
      for (Entity& entity : *all) {
        To(entity.rows_of);
        Attributes(entity.attributes);
        Attributes(entity.derived);
      }
    }
    for (Relationship& relationship : model_.relationships) {
      To(relationship.from);
      To(relationship.to);
      To(relationship.through);
      for (Cardinality& cardinality : relationship.cardinalities) {
        To(cardinality.entity);
      }
    }
    for (Pattern& pattern : model_.patterns) {
      Bind(pattern.after_write, writes_, "write");
      for (Section& section : pattern.sections) {
        To(section.entity);
        To(section.via);
        Paths(section.get);
      }
    }
    Writes();
    for (Sample& sample : model_.samples) {
      To(sample.entity);
    }
    Tables();
    for (StrategyChoice& choice : model_.strategies) {
      Bind(choice.relationship, relationships_, "relationship");
    }
    if (model_.tenant) {
      To(model_.tenant->path.entity);
    }
    return complete_;
  }

 private:
  template <class T>
  using Declarations = std::map<std::string_view, const T*>;

  template <class T>
  static void Number(std::vector<T>& all, Declarations<T>& declarations) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].place = i;
      declarations.emplace(all[i].name.text, &all[i]);
    }
  }

  template <class T>
  void Bind(Reference<T>& reference, const Declarations<T>& declarations, const char* what) {
    if (!reference.given()) {
      return;
    }
    const auto found = declarations.find(reference.text);
    if (found != declarations.end()) {
      reference.Bind(*found->second);
      return;
    }
    complete_ = false;
    if (std::ranges::none_of(report_.diagnostics, IsError)) {
      report_.Error(reference.at, std::string("there is no ") + what + " `" + reference.text + "`", "");
    }
  }

  void To(Reference<Entity>& reference) { Bind(reference, entities_, "entity"); }

  void Attributes(std::vector<Attribute>& attributes) {
    for (Attribute& attribute : attributes) {
      if (attribute.references) {
        To(attribute.references->entity);
      }
      Attributes(attribute.members);
    }
  }

  void Paths(std::vector<Path>& paths) {
    for (Path& path : paths) {
      To(path.entity);
    }
  }

  void Writes() {
    for (Write& write : model_.writes) {
      for (WriteStep& step : write.steps) {
        To(step.entity);
        To(step.for_each);
        for (Reference<Entity>& child : step.cascade) {
          To(child);
        }
      }
    }
  }

  void Tables() {
    for (Table& table : model_.tables) {
      for (SortClaim& claim : table.sort_claims) {
        To(claim.first);
        To(claim.second);
      }
      for (ItemLayout& layout : table.items) {
        To(layout.entity);
        To(layout.of);
        for (StoredAttribute& stored : layout.attributes) {
          To(stored.copy.entity);
          To(stored.embedded);
          Paths(stored.members);
        }
      }
    }
  }

  ParsedModel& model_;
  const NameReporter& report_;
  Declarations<Entity> entities_;
  Declarations<Relationship> relationships_;
  Declarations<Write> writes_;
  bool complete_ = true;
};

}  // namespace

std::optional<Model> Binder::Bind(ParsedModel& parsed, const UnreadText& unread,
                                  std::vector<Diagnostic>& diagnostics) {
  ResolveModel(parsed, unread, diagnostics);
  ExpandOptionalConditions(parsed, diagnostics);
  const NameReporter report{diagnostics, unread};
  if (!ReferenceBinder(parsed, report).Run() || std::ranges::any_of(diagnostics, IsError)) {
    return std::nullopt;
  }
  Model model(std::exchange(parsed, {}));
  FillKeyRefusals(model);
  return model;
}

}  // namespace prejoin::model
