#include "lsp/symbols.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace prejoin::lsp {
namespace {

class Collector {
 public:
  Collector(const model::ParsedModel& model, std::string_view source) : model_(model), source_(source) {}

  std::vector<Occurrence> Run() {
    for (const model::Entity& entity : model_.entities) {
      AddEntity(entity);
    }
    for (const model::Relationship& one : model_.relationships) {
      AddRelationship(one);
    }
    for (const model::Pattern& pattern : model_.patterns) {
      AddPattern(pattern);
    }
    for (const model::Write& write : model_.writes) {
      AddWrite(write);
    }
    for (const model::Table& table : model_.tables) {
      AddTable(table);
    }
    for (const model::Sample& sample : model_.samples) {
      Entity(sample.entity);
      for (const model::Name& column : sample.columns) {
        Attribute(sample.entity.text, column);
      }
    }
    for (const model::StrategyChoice& choice : model_.strategies) {
      Add({SymbolKind::kRelationship, "", choice.relationship.text}, choice.relationship.at);
    }
    if (model_.tenant) {
      Path("", model_.tenant->path);
    }
    const auto place = [](const Occurrence& one) {
      return std::tuple(one.at.line, one.at.column, !one.declaration);
    };
    std::stable_sort(all_.begin(), all_.end(),
                     [&](const Occurrence& a, const Occurrence& b) { return place(a) < place(b); });
    all_.erase(std::unique(all_.begin(), all_.end(),
                           [](const Occurrence& a, const Occurrence& b) {
                             return a.at.line == b.at.line && a.at.column == b.at.column;
                           }),
               all_.end());
    return std::move(all_);
  }

 private:
  // Names that were filled in, or belong to a variant of a pattern, stand nowhere in the text.
  void Add(Symbol symbol, model::SourceSpan at, bool declaration = false) {
    if (at.line <= 0 || symbol.name.empty()) {
      return;
    }
    const std::string_view line = model::SourceLine(source_, at.line);
    const auto column = static_cast<std::size_t>(at.column - 1);
    if (column > line.size() || line.substr(column, symbol.name.size()) != symbol.name) {
      return;
    }
    at.length = static_cast<int>(symbol.name.size());
    all_.push_back({std::move(symbol), at, declaration});
  }

  void Entity(const model::Name& name) { Add({SymbolKind::kEntity, "", name.text}, name.at); }
  void Attribute(const std::string& entity, const model::Name& name) {
    Add({SymbolKind::kAttribute, entity, name.text}, name.at);
  }
  void Path(const std::string& entity, const model::Path& path) {
    Entity(path.entity);
    Attribute(path.entity.text.empty() ? entity : path.entity.text, path.attribute);
  }

  void AddEntity(const model::Entity& entity) {
    Add({SymbolKind::kEntity, "", entity.name.text}, entity.name.at, true);
    for (const model::Attribute& attribute : entity.attributes) {
      Add({SymbolKind::kAttribute, entity.name.text, attribute.name.text}, attribute.name.at, true);
      if (attribute.references) {
        Path(entity.name.text, *attribute.references);
      }
    }
  }

  void AddRelationship(const model::Relationship& one) {
    Add({SymbolKind::kRelationship, "", one.name.text}, one.name.at, true);
    Entity(one.from);
    Entity(one.to);
    Entity(one.through);
    for (const model::Name& name : one.by) {
      Attribute(one.to.text, name);
    }
    for (const model::Name& name : one.levels) {
      Attribute(one.from.text, name);
    }
    for (const model::Cardinality& cardinality : one.cardinalities) {
      Entity(cardinality.entity);
      for (const model::Name& name : cardinality.by) {
        const bool many = one.kind == model::RelationshipKind::kManyToMany;
        Attribute(many ? one.through.text : one.to.text, name);
      }
    }
  }

  void AddPattern(const model::Pattern& pattern) {
    const std::string& name = pattern.variant_of.empty() ? pattern.name.text : pattern.variant_of;
    Add({SymbolKind::kPattern, "", name}, pattern.name.at, true);
    Add({SymbolKind::kWrite, "", pattern.after_write.text}, pattern.after_write.at);
    for (const model::Section& section : pattern.sections) {
      Entity(section.entity);
      Entity(section.via);
      const std::string& conditioned =
          section.searched().text;
      for (const model::Condition& condition : section.conditions) {
        // `at day` has the position of `at`.
        Attribute(conditioned, {model::BaseName(condition.attribute.text), condition.attribute.at});
      }
      for (const model::OrderKey& key : section.order) {
        Attribute(section.entity.text, key.attribute);
      }
      // A count gets what it counts by, which the file does not name.
      for (const model::Path& path : section.get) {
        if (section.measure != model::Measure::kCount) {
          Path(section.entity.text, path);
        }
      }
    }
  }

  void AddWrite(const model::Write& write) {
    Add({SymbolKind::kWrite, "", write.name.text}, write.name.at, true);
    for (const model::WriteStep& step : write.steps) {
      Entity(step.entity);
      for (const auto* names : {&step.set, &step.remove, &step.with, &step.without}) {
        for (const model::Name& name : *names) {
          Attribute(step.entity.text, name);
        }
      }
      for (const auto* conditions : {&step.where, &step.guard}) {
        for (const model::Condition& condition : *conditions) {
          Attribute(step.entity.text, condition.attribute);
        }
      }
    }
  }

  void AddTable(const model::Table& table) {
    const std::string& owner = table.name.text;
    const auto key = [&](const model::Name& name, bool declaration) {
      Add({SymbolKind::kKey, owner, name.text}, name.at, declaration);
    };
    Add({SymbolKind::kTable, "", owner}, table.name.at, true);
    key(table.partition, true);
    key(table.sort, true);
    for (const model::Index& index : table.indexes) {
      Add({SymbolKind::kIndex, owner, index.name.text}, index.name.at, true);
      if (!index.local) {
        for (const model::Name& name : index.partition) {
          key(name, true);
        }
      }
      for (const model::Name& name : index.sort) {
        key(name, true);
      }
    }
    for (const model::ItemLayout& item : table.items) {
      AddItem(table, item);
    }
    for (const model::SortClaim& claim : table.sort_claims) {
      Entity(claim.first);
      Entity(claim.second);
    }
  }

  void AddItem(const model::Table& table, const model::ItemLayout& item) {
    const bool second = !item.of.text.empty();
    const std::string& entity = second ? item.of.text : item.entity.text;
    Entity(second ? item.of : item.entity);
    for (const model::Name& name : item.only.empty() ? item.without : item.only) {
      Attribute(entity, name);
    }
    for (const model::StoredAttribute& stored : item.attributes) {
      if (stored.kind == model::StoredKind::kTemplate) {
        Add({SymbolKind::kKey, table.name.text, stored.name.text}, stored.name.at);
      }
      for (const model::TemplatePart& part : stored.key.parts) {
        if (part.is_literal()) {
          continue;
        }
        model::SourceSpan at = stored.key.at;
        if (!stored.key.natural) {
          at.column += part.offset;
        }
        Add({SymbolKind::kAttribute, entity, part.attribute}, at);
        // `{shard 8 of id}` has the name further right.
        if (part.transform == model::TemplateTransform::kShard) {
          AddBehindOf(entity, part, at);
        }
      }
      if (stored.kind == model::StoredKind::kCopy) {
        Path(entity, stored.copy);
      }
      Entity(stored.embedded);
      if (!stored.by.text.empty()) {
        Attribute(stored.embedded.text, stored.by);
      }
      for (const model::Path& path : stored.members) {
        Path(stored.embedded.text, path);
      }
    }
  }

  void AddBehindOf(const std::string& entity, const model::TemplatePart& part,
                   model::SourceSpan at) {
    const std::string_view line = model::SourceLine(source_, at.line);
    const std::size_t of = line.find(" of ", static_cast<std::size_t>(std::max(0, at.column - 1)));
    if (of == std::string_view::npos) {
      return;
    }
    at.column = static_cast<int>(of) + 5;
    Add({SymbolKind::kAttribute, entity, part.attribute}, at);
  }

  const model::ParsedModel& model_;
  const std::string_view source_;
  std::vector<Occurrence> all_;
};

}  // namespace

std::vector<Occurrence> FindOccurrences(const model::ParsedModel& model, std::string_view source) {
  return Collector(model, source).Run();
}

const Occurrence* OccurrenceAt(const std::vector<Occurrence>& all, int line, int column) {
  for (const Occurrence& one : all) {
    if (one.at.line == line && column >= one.at.column && column <= one.at.column + one.at.length) {
      return &one;
    }
  }
  return nullptr;
}

const Occurrence* DeclarationOf(const std::vector<Occurrence>& all, const Symbol& symbol) {
  for (const Occurrence& one : all) {
    if (one.declaration && one.symbol == symbol) {
      return &one;
    }
  }
  return nullptr;
}

}  // namespace prejoin::lsp
