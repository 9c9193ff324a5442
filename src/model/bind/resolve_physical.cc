#include "model/bind/resolve_physical.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "model/layout/key_spelling.h"
#include "model/schema/join.h"
#include "model/syntax/spelling.h"
#include "model/syntax/statement.h"

namespace prejoin::model {
namespace {

// A value of the attribute as it is written in a sample; empty where none can be made up.
std::string MadeUpValue(const Attribute& attribute, std::size_t row) {
  const auto quoted = [](const std::string& text) { return "\"" + text + "\""; };
  const AttributeTypeTraits& traits = TraitsOf(attribute.type);
  if (!attribute.values.empty()) {
    const AttributeValue& first = attribute.values.front();
    const std::string number = first.number() != nullptr ? first.number()->ToString() : "";
    return first.string() != nullptr ? quoted(*first.string()) : number;
  }
  if (IsNumber(attribute.type)) {
    return std::to_string(row);
  }
  if (IsBool(attribute.type)) {
    return "true";
  }
  if (traits.stored != ValueType::kString) {
    return {};
  }
  return quoted(traits.form != nullptr ? traits.form(row)
                                       : attribute.name.text + " " + std::to_string(row));
}

// The sample with one column more, last, and a value in each row for a person to replace.
Suggestion WithColumn(const Sample& sample, const Attribute& attribute) {
  constexpr std::size_t kRowsMax = 1'000;
  Suggestion suggestion = "add the column, or declare the attribute optional";
  if (sample.rows.size() > kRowsMax) {
    return suggestion;
  }
  const SourcePlace header = EndOf(sample.columns.back().at);
  Fix fix{"add the column `" + attribute.name.text + "`",
          suggestion.text(),
          {{header, header, "", ", " + attribute.name.text}},
          Applicability::kDisplayOnly};
  for (const SampleRow& row : sample.rows) {
    const std::string value = MadeUpValue(attribute, fix.edits.size());
    if (value.empty()) {
      return suggestion;
    }
    fix.edits.push_back({row.end, row.end, "", ", " + value});
  }
  return fix;
}

class PhysicalResolver {
 public:
  PhysicalResolver(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics)
      : model_(model), report_{diagnostics, unread} {}

  void Run() {
    AddSecondLayouts();
    std::set<std::string> placed;
    for (Table& table : model_.tables) {
      for (ItemLayout& layout : table.items) {
        if (!placed.insert(layout.entity.text).second) {
          report_.Error(
              layout.entity.at, "`" + layout.entity.text + "` has two layouts",
              "name the second one: item " + layout.entity.text + "Again of " + layout.entity.text);
        }
        ResolveLayout(table, layout);
      }
      for (const SortClaim& claim : table.sort_claims) {
        for (const Name* name : {&claim.first, &claim.second}) {
          if (!model_.FindPlacement(name->text)) {
            report_.Entity(model_, *name);
          }
        }
      }
    }
    for (Sample& sample : model_.samples) {
      ResolveSample(sample);
    }
    for (StoredItems& stored : model_.stored_items) {
      ResolveStored(stored);
    }
  }

 private:
  // Rows under the names of second layouts, before any name is looked up.
  void AddSecondLayouts() {
    for (Table& table : model_.tables) {
      for (ItemLayout& layout : table.items) {
        if (layout.of.text.empty()) {
          continue;
        }
        const Entity* entity = report_.Entity(model_, layout.of);
        if (model_.FindEntity(layout.entity.text) != nullptr) {
          report_.Error(layout.entity.at,
                        "there is an entity or a layout `" + layout.entity.text + "` already",
                        "give this layout of `" + layout.of.text + "` a name of its own");
          layout.of = {};
          continue;
        }
        if (entity == nullptr) {
          continue;
        }
        Entity rows = *entity;
        rows.name = layout.entity;
        rows.rows_of = layout.of;
        model_.second_layouts.push_back(std::move(rows));
        if (!model_.FindPlacement(layout.of.text)) {
          report_.Error(layout.of.at, "`" + layout.of.text + "` has no layout yet",
                        "write its first layout: item " + layout.of.text);
        }
        KeepOnly(*entity, layout);
      }
    }
  }

  // An attribute that is not in the list is not stored here.
  void KeepOnly(const Entity& entity, ItemLayout& layout) {
    for (const Name& name : layout.only) {
      report_.Attribute(entity, name);
    }
    if (layout.only.empty()) {
      return;
    }
    for (const Attribute& attribute : entity.attributes) {
      if (std::ranges::find(layout.only, attribute.name) == layout.only.end() &&
          !layout.Omits(attribute.name.text)) {
        layout.without.push_back(attribute.name);
      }
    }
  }

  // A second layout must give the row's key back, because that is how its parts are put together; and it holds
  // nothing that is made of other rows, because that belongs to the first.
  void ResolveSecond(const Entity& entity, const ItemLayout& layout) {
    for (const Name& lock : layout.locks) {
      report_.Error(
          lock.at, "a second layout has no lock item",
          "write it in `item " + layout.of.text + "`: unique " + lock.text + " by lock item");
    }
    for (const StoredAttribute& stored : layout.attributes) {
      if (stored.kind == StoredKind::kTemplate || stored.kind == StoredKind::kCopy) {
        continue;
      }
      report_.Error(
          stored.name.at,
          "`" + stored.name.text + "` is made of other rows, which a second layout does not hold",
          "write it in `item " + layout.of.text + "`");
    }
    for (const std::string& key : entity.KeyNames()) {
      const bool in_key =
          std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
            return stored.kind == StoredKind::kTemplate && GivesBack(stored.key, key);
          });
      if (!layout.Omits(key) || in_key) {
        continue;
      }
      report_.Error(layout.entity.at,
                    "items of `" + layout.entity.text + "` do not say which `" + layout.of.text +
                        "` they belong to: `" + key + "` is neither stored nor in a key",
                    "add it to the list after `of " + layout.of.text + "`");
    }
  }

  static bool GivesBack(const KeyTemplate& key, const std::string& attribute) {
    return std::ranges::any_of(key.parts, [&](const TemplatePart& part) {
      return part.attribute == attribute && part.gives_back();
    });
  }

  void ResolveLayout(const Table& table, ItemLayout& layout) {
    const Entity* entity = layout.of.text.empty() ? report_.Entity(model_, layout.entity)
                                                  : model_.FindEntity(layout.entity.text);
    if (entity == nullptr) {
      return;
    }
    AddNaturalKeys(table, *entity, layout);
    if (!table.type_attribute.text.empty() && entity->Find(table.type_attribute.text) != nullptr) {
      ReportTaken(table.type_attribute, *entity, "name another attribute behind `type`");
    }
    if (!layout.of.text.empty()) {
      ResolveSecond(*entity, layout);
    }
    for (const Name& name : layout.without) {
      report_.Attribute(*entity, name);
    }
    ResolveLocks(*entity, layout);
    for (StoredAttribute& stored : layout.attributes) {
      ResolveStored(*entity, layout, stored);
    }
    std::vector<Name> keys = {table.partition};
    if (!table.sort.text.empty()) {
      keys.push_back(table.sort);
    }
    for (const Name& key : keys) {
      const StoredAttribute* stored = layout.Find(key.text);
      if (stored == nullptr && !report_.unread.Within(layout.entity.at.line, layout.last_line)) {
        report_.Error(layout.entity.at,
                      "items of `" + layout.entity.text + "` have no " + key.text +
                          ", a key of table `" + table.name.text + "`",
                      "add: " + key.text + " = \"" + KeyWord(*entity) +
                          PartsText({entity->KeyNames().empty() ? "id" : entity->KeyNames()[0]}) +
                          "\"");
      }
    }
  }

  void AddNaturalKeys(const Table& table, const Entity& entity, ItemLayout& layout) {
    std::vector<Name> keys = {table.partition, table.sort};
    for (const Index& index : table.indexes) {
      for (const std::vector<Name>* names : {&index.partition, &index.sort}) {
        // An attribute that a second layout does not store does not bring the layout into an index.
        std::ranges::copy_if(*names, std::back_inserter(keys), [&](const Name& name) {
          return layout.of.text.empty() || !layout.Omits(name.text);
        });
      }
    }
    for (const Name& key : keys) {
      if (key.text.empty() || layout.Find(key.text) != nullptr ||
          entity.Find(key.text) == nullptr) {
        continue;
      }
      layout.attributes.push_back(NaturalKey({key.text, layout.entity.at}));
    }
  }

  void ResolveStored(const Entity& entity, const ItemLayout& layout,
                     const StoredAttribute& stored) {
    switch (stored.kind) {
      case StoredKind::kTemplate:
        ResolveTemplate(entity, layout, stored);
        break;
      case StoredKind::kCopy:
        ResolveCopy(entity, stored);
        break;
      case StoredKind::kSum:
      case StoredKind::kCount:
        ResolveAggregate(entity, stored);
        break;
      case StoredKind::kEmbedList:
      case StoredKind::kEmbedMap:
        ResolveEmbedded(entity, stored);
        break;
    }
  }

  void ResolveTemplate(const Entity& entity, const ItemLayout& layout,
                       const StoredAttribute& stored) {
    for (const TemplatePart& part : stored.key.parts) {
      if (part.is_literal() || entity.Find(part.attribute) != nullptr) {
        continue;
      }
      const StoredAttribute* copy = layout.Find(part.attribute);
      if (copy != nullptr && copy->kind == StoredKind::kCopy) {
        continue;
      }
      SourceSpan at = stored.key.at;
      at.column += part.offset;
      at.length = static_cast<int>(part.attribute.size());
      report_.Attribute(entity, {part.attribute, at});
    }
    if (!stored.key.natural && entity.Find(stored.name.text) != nullptr) {
      ReportTaken(stored.name, entity, "give the key another name, such as PK or GSI1SK");
    }
  }

  // An item has one value under a name.
  void ReportTaken(const Name& name, const Entity& entity, const std::string& advice) {
    report_.Error(name.at, "`" + name.text + "` is already an attribute of `" + entity.name.text + "`",
                  advice);
  }

  void ResolveCopy(const Entity& entity, const StoredAttribute& stored) {
    const Entity* owner = report_.Entity(model_, stored.copy.entity);
    if (owner == nullptr || report_.Attribute(*owner, stored.copy.attribute) == nullptr) {
      return;
    }
    if (JoinColumns(entity, *owner).empty()) {
      report_.Error(stored.copy.entity.at,
                    "`" + entity.name.text + "` does not point at `" + owner->name.text + "`",
                    "a copy comes from an entity that this one references");
    }
    if (entity.Find(stored.name.text) != nullptr) {
      ReportTaken(stored.name, entity, "give the copy another name");
    }
  }

  void ResolveAggregate(const Entity& entity, const StoredAttribute& stored) {
    const Attribute* own = entity.Find(stored.name.text);
    if (own == nullptr || !IsNumber(own->type)) {
      report_.Error(stored.name.at,
                    "`" + stored.name.text + "` is no number of `" + entity.name.text + "`",
                    "add to the entity: " + stored.name.text + " number");
    }
    const Entity* rows = report_.Entity(model_, stored.copy.entity);
    if (rows == nullptr) {
      return;
    }
    if (stored.kind == StoredKind::kSum) {
      report_.Attribute(*rows, stored.copy.attribute);
    }
    if (JoinColumns(*rows, entity).empty()) {
      report_.Error(
          stored.copy.entity.at,
          "`" + rows->name.text + "` does not reference the key of `" + entity.name.text + "`",
          "only rows that belong to this one can be added up");
    }
  }

  void ResolveLocks(const Entity& entity, const ItemLayout& layout) {
    for (const Name& name : layout.locks) {
      report_.Attribute(entity, name);
    }
  }

  void ResolveEmbedded(const Entity& entity, const StoredAttribute& stored) {
    const Entity* embedded = report_.Entity(model_, stored.embedded);
    if (embedded == nullptr) {
      return;
    }
    if (JoinColumns(*embedded, entity).empty()) {
      report_.Error(
          stored.embedded.at,
          "`" + embedded->name.text + "` does not reference the key of `" + entity.name.text + "`",
          "only rows that belong to an item can be kept inside it");
    }
    if (stored.kind == StoredKind::kEmbedMap) {
      const Attribute* by = report_.Attribute(*embedded, stored.by);
      if (by != nullptr && TraitsOf(by->type).stored != ValueType::kString) {
        report_.Error(stored.by.at,
                      "the names in a map are text, and `" + embedded->name.text + "." +
                          by->name.text + "` is not",
                      "write: " + stored.name.text + " = list of " + embedded->name.text);
      }
    }
    for (const Path& path : stored.members) {
      const Entity* owner =
          path.entity.text.empty() ? embedded : report_.Entity(model_, path.entity);
      if (owner != nullptr) {
        report_.Attribute(*owner, path.attribute);
      }
    }
  }

  void ResolveStored(StoredItems& stored) {
    if (stored.table.text.empty() && model_.tables.size() == 1) {
      stored.table = model_.tables[0].name;
      return;
    }
    const bool known = std::any_of(model_.tables.begin(), model_.tables.end(),
                                   [&](const Table& table) { return table.name == stored.table; });
    if (known) {
      return;
    }
    std::vector<std::string> names;
    for (const Table& table : model_.tables) {
      names.push_back(table.name.text);
    }
    const bool given = !stored.table.text.empty();
    report_.Error(given ? stored.table.at : stored.at,
                  given ? "there is no table `" + stored.table.text + "`"
                        : std::string("which table holds these items?"),
                  given ? RespellingOf(stored.table.at, stored.table.text, names)
                        : Suggestion("write: items from \"" + stored.file + "\" in " +
                                     (names.empty() ? "Table" : names[0])));
  }

  void ResolveSample(Sample& sample) {
    const Entity* entity = report_.Entity(model_, sample.entity);
    if (entity == nullptr) {
      return;
    }
    std::vector<const Attribute*> columns;
    for (const Name& column : sample.columns) {
      columns.push_back(report_.Attribute(*entity, column));
    }
    for (const Attribute& attribute : entity->attributes) {
      const bool given = std::any_of(sample.columns.begin(), sample.columns.end(),
                                     [&](const Name& column) { return column == attribute.name; });
      if (!given && !attribute.optional && report_.diagnostics.size() < kDiagnosticsMax) {
        report_.Error(
            sample.entity.at,
            "the sample of `" + entity->name.text + "` has no column `" + attribute.name.text + "`",
            WithColumn(sample, attribute));
      }
    }
    for (SampleRow& row : sample.rows) {
      ResolveRow(columns, row);
    }
  }

  void ResolveRow(const std::vector<const Attribute*>& columns, SampleRow& row) {
    for (std::size_t i = 0; i < row.values.size() && i < columns.size(); ++i) {
      const Attribute* attribute = columns[i];
      if (attribute == nullptr) {
        continue;
      }
      std::optional<AttributeValue>& value = row.values[i];
      if (!value) {
        if (!attribute->optional) {
          report_.Error(row.at[i], "`" + attribute->name.text + "` must have a value",
                        "declare it optional, or fill it in");
        }
        continue;
      }
      std::optional<AttributeValue> converted = ConvertWritten(attribute->type, *value);
      if (!converted) {
        report_.Error(row.at[i],
                      "`" + attribute->name.text + "` is " +
                          std::string(AttributeTypeName(attribute->type)) + ", this is not",
                      IsNumber(attribute->type)
                          ? "numbers are written without quotes"
                          : "text, dates and times are written in double quotes");
        continue;
      }
      value = *std::move(converted);
      if (const std::string fault = MemberFault(*attribute, *value); !fault.empty()) {
        report_.Error(row.at[i], fault, "write the members that the entity declares");
      }
    }
  }

  ParsedModel& model_;
  NameReporter report_;
};

}  // namespace

void ResolvePhysical(ParsedModel& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics) {
  PhysicalResolver(model, unread, diagnostics).Run();
}

}  // namespace prejoin::model
