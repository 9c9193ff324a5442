#include "model/check/fix_lines.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/bind/resolve.h"
#include "model/plan/expectation.h"
#include "model/schema/print_physical.h"

namespace prejoin::model {
namespace {

// Returns how often an attribute changes: as declared, or by the writes that set it.
double ChangeRate(const Model& model, const Entity& entity, const Attribute& attribute) {
  if (attribute.immutable) {
    return 0;
  }
  if (attribute.changes_given) {
    return attribute.changes_per_second;
  }
  double rate = 0;
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets = step.entity == entity.name &&
                        std::any_of(step.set.begin(), step.set.end(),
                                    [&](const Name& name) { return name == attribute.name; });
      if (sets) {
        rate += write.rate_per_second;
      }
    }
  }
  return rate;
}

}  // namespace

bool CopyLoad::TooMuch() const {
  constexpr double kManyCopies = 20;
  return changes_per_second > kFastChangePerSecond && copies > kManyCopies;
}

CopyLoad LoadOfCopy(const Model& model, const Reference<Entity>& holder,
                    const Path& source) {
  const Entity& owner = model.At(source.entity);
  std::set<std::string> pointing;
  for (const JoinColumn& column : JoinColumns(model.At(holder), owner)) {
    pointing.insert(column.from);
  }
  const Attribute* attribute = owner.Find(source.attribute.text);
  return {attribute != nullptr ? ChangeRate(model, owner, *attribute) : 0,
          ExpectedRows(model, holder, pointing)};
}

bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored) {
  return stored.at.line != layout.entity.at.line;
}

LineEdit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                       const StoredAttribute& now) {
  return ReplaceIn("item " + layout.entity.text, old.name.at, PrintStored(old), PrintStored(now));
}

LineEdit RemoveStored(const ItemLayout& layout, const StoredAttribute& stored) {
  return RemoveFrom("item " + layout.entity.text, stored.name.at, PrintStored(stored));
}

LineEdit RemoveFrom(std::string declaration, const SourceSpan& at, std::string old) {
  return {LineEditKind::kRemove, std::move(declaration), at, {}, std::move(old), ""};
}

LineEdit ReplaceIn(std::string declaration, const SourceSpan& at, std::string old,
                   std::string now) {
  return {LineEditKind::kReplace, std::move(declaration), at, {std::move(now)}, std::move(old), ""};
}

LineEdit ReplaceHead(std::string declaration, const SourceSpan& at, std::string head,
                     std::string now) {
  LineEdit edit = ReplaceIn(std::move(declaration), at, head + " …", std::move(now));
  edit.head = std::move(head);
  return edit;
}

StoredAttribute WithPrefix(StoredAttribute stored, const std::string& prefix) {
  std::string text = stored.key.ToString();
  if (stored.key.natural) {
    text = "\"{" + text + "}\"";
  }
  text = text.substr(1, text.size() - 2);
  if (!stored.key.natural) {
    text = text.substr(stored.key.LeadingLiteral().size());
  }
  // The part after a removed prefix may have nothing left to follow.
  return MakeStored(stored.name.text, prefix + (text.empty() ? "" : "#" + text));
}

StoredAttribute WithPart(StoredAttribute stored, const std::string& part) {
  std::string text = stored.key.ToString();
  if (stored.key.natural) {
    text = "\"{" + text + "}\"";
  }
  return MakeStored(stored.name.text, text.substr(1, text.size() - 2) + "#{" + part + "}");
}

bool CollectionsAreBounded(const Model& model, const Table& table) {
  return std::ranges::all_of(table.items, [&](const ItemLayout& layout) {
    std::set<std::string> bound;
    for (const std::string& name : layout.Find(table.partition.text)->key.Attributes()) {
      bound.insert(name);
    }
    const Reference<Entity>& entity = layout.entity;
    const double most = MostRows(model, entity, bound);
    if (most == 0) {
      return ExpectedRows(model, entity, bound) <= 1;
    }
    // Once in the table and once in the index.
    return 2 * most * ExpectedItemBytes(model, entity, View{&table, nullptr}) <
           static_cast<double>(kItemCollectionBytesMax);
  });
}

std::vector<LineEdit> RemoveOwnKeys(const Table& table, const ItemLayout& layout,
                                    const Index& index) {
  std::set<std::string> shared = {table.partition.text, table.sort.text};
  for (const Index& other : table.indexes) {
    if (other.name == index.name) {
      continue;
    }
    for (const auto* names : {&other.partition, &other.sort}) {
      for (const Name& name : *names) {
        shared.insert(name.text);
      }
    }
  }
  std::vector<LineEdit> edits;
  for (const auto* names : {&index.partition, &index.sort}) {
    for (const Name& name : *names) {
      const StoredAttribute* stored = layout.Find(name.text);
      if (stored != nullptr && IsWritten(layout, *stored) && !shared.contains(name.text)) {
        edits.push_back(RemoveStored(layout, *stored));
      }
    }
  }
  return edits;
}

}  // namespace prejoin::model
