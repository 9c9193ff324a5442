#include "model/check/mend.h"

#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/plan/expectation.h"
#include "model/schema/resolve.h"

namespace prejoin::model {
namespace {

std::string WrittenPath(const Path& path) {
  return path.entity.text.empty() ? path.attribute.text
                                  : path.entity.text + "." + path.attribute.text;
}

std::string EmbedText(const StoredAttribute& stored) {
  std::string out = stored.kind == StoredKind::kEmbedList ? "list of " : "map of ";
  out += stored.embedded.text;
  if (stored.kind == StoredKind::kEmbedMap) {
    out += " by " + stored.by.text;
  }
  std::string members;
  for (const Path& path : stored.members) {
    members += (members.empty() ? "" : ", ") + WrittenPath(path);
  }
  return members.empty() ? out : out + " (" + members + ")";
}

std::string UpkeepText(CopyUpkeep upkeep) {
  if (upkeep == CopyUpkeep::kNotStated) {
    return {};
  }
  if (upkeep == CopyUpkeep::kNever) {
    return " kept by nobody";
  }
  return " kept by " + std::string(CopyUpkeepName(upkeep));
}

// How often an attribute changes: as declared, or by the writes that set it.
double ChangeRate(const Model& model, const std::string& entity, const Attribute& attribute) {
  if (attribute.immutable) {
    return 0;
  }
  if (attribute.changes_given) {
    return attribute.changes_per_second;
  }
  double rate = 0;
  for (const Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const bool sets = step.entity.text == entity &&
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

CopyLoad LoadOfCopy(const Model& model, const std::string& holder, const Path& source) {
  const Entity& owner = *model.FindEntity(source.entity.text);
  std::set<std::string> pointing;
  for (const JoinColumn& column : JoinColumns(*model.FindEntity(holder), owner)) {
    pointing.insert(column.from);
  }
  const Attribute* attribute = owner.Find(source.attribute.text);
  return {attribute != nullptr ? ChangeRate(model, owner.name.text, *attribute) : 0,
          ExpectedRows(model, holder, pointing)};
}

std::string StoredLine(const StoredAttribute& stored) {
  std::string what;
  switch (stored.kind) {
    case StoredKind::kTemplate:
      what = stored.key.ToString();
      break;
    case StoredKind::kCopy:
      what = "copy of " + WrittenPath(stored.copy) + UpkeepText(stored.upkeep);
      break;
    case StoredKind::kSum:
      what = "sum of " + WrittenPath(stored.copy) + UpkeepText(stored.upkeep);
      break;
    case StoredKind::kCount:
      what = "count of " + stored.copy.entity.text + UpkeepText(stored.upkeep);
      break;
    case StoredKind::kEmbedList:
    case StoredKind::kEmbedMap:
      what = EmbedText(stored);
      break;
  }
  return stored.name.text + " = " + what;
}

bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored) {
  return stored.at.line != layout.entity.at.line;
}

Edit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                   const StoredAttribute& now) {
  return {"inside `item " + layout.entity.text + "` in place of `" + StoredLine(old) + "`",
          {StoredLine(now)}};
}

Edit ReplaceIndex(const Table& table, const Index& old, const Index& now) {
  return {"inside `table " + table.name.text + "` in place of `" + IndexLine(old) + "`",
          {IndexLine(now)}};
}

Edit RemoveFrom(const std::string& declaration, std::vector<std::string> lines) {
  return {"remove from `" + declaration + "`", std::move(lines)};
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
  // The part behind a removed prefix may have nothing left to stand behind.
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
    const std::string& entity = layout.entity.text;
    const double most = MostRows(model, entity, bound);
    if (most == 0) {
      return ExpectedRows(model, entity, bound) <= 1;
    }
    // Once in the table and once in the index.
    return 2 * most * ExpectedItemBytes(model, entity, View{&table, nullptr}) <
           static_cast<double>(kItemCollectionBytesMax);
  });
}

std::vector<std::string> OwnKeyLines(const Table& table, const ItemLayout& layout,
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
  std::vector<std::string> lines;
  for (const auto* names : {&index.partition, &index.sort}) {
    for (const Name& name : *names) {
      const StoredAttribute* stored = layout.Find(name.text);
      if (stored != nullptr && IsWritten(layout, *stored) && !shared.contains(name.text)) {
        lines.push_back(StoredLine(*stored));
      }
    }
  }
  return lines;
}

}  // namespace prejoin::model
