// Rules about sizes: items against 400 KB, collections against 10 GB.
#include <algorithm>
#include <array>
#include <set>

#include "base/limits.h"
#include "model/check/checker.h"
#include "model/layout/layout_edits.h"
#include "model/plan/expectation.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::array kSizeRules = std::to_array<Rule>({
    {"PJ109", "item-too-large", Severity::kError, "items can exceed 400 KB",
     "DynamoDB rejects a write that exceeds the limit.",
     "Move the growing part to items of its own, or to object storage."},
    {"PJ110", "unbounded-list", Severity::kError, "a list or map in an item has no bound",
     "The item grows towards the limit of 400 KB, every write costs more, and two writers "
     "overwrite each other.",
     "Declare `at most N` if the application enforces it; otherwise store the members as items."},
    {"PJ111", "collection-too-large", Severity::kError,
     "an item collection can exceed 10 GB in a table with a local index",
     "With a local secondary index, all items of one partition key are limited to 10 GB in total. "
     "Without one there is no such limit.",
     "Use a global index instead, or a partition key with more values."},
});

void CheckItem(Checker& checker, const ItemLayout& layout) {
  const Entity& entity = checker.model.At(layout.entity);
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind != StoredKind::kEmbedList && stored.kind != StoredKind::kEmbedMap) {
      continue;
    }
    std::set<std::string> pointing;
    for (const JoinColumn& column : JoinColumns(checker.model.At(stored.embedded), entity)) {
      pointing.insert(column.from);
    }
    if (MostRows(checker.model, stored.embedded, pointing) > 0) {
      continue;
    }
    checker.Report(RuleIn(kSizeRules, "PJ110"), stored.name.at,
                   "`" + stored.name.text + "` holds every `" + stored.embedded.text + "` of one " +
                       layout.entity.text + ", and their number has no limit");
  }
  const double largest = LargestItemBytes(checker.model, layout.entity);
  if (largest > static_cast<double>(kItemBytesMax)) {
    checker.Report(RuleIn(kSizeRules, "PJ109"), layout.entity.at,
                   "an item of `" + layout.entity.text + "` can reach " +
                       RoughText(largest / 1024) + " KB; the limit is 400 KB");
  }
}

// Attributes that one partition key of the layout fixes.
std::set<std::string> PartitionAttributes(const Table& table, const ItemLayout& layout) {
  std::set<std::string> names;
  for (const std::string& name : layout.Find(table.partition.text)->key.Labels()) {
    names.insert(name);
  }
  return names;
}

// PJ111. Unbounded children count as ten thousand times the average: nothing stops them.
void CheckCollections(Checker& checker, const Table& table) {
  const auto local = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [](const Index& index) { return index.local; });
  if (local == table.indexes.end()) {
    return;
  }
  constexpr double kUnboundedFactor = 10'000;
  for (const ItemLayout& layout : table.items) {
    const std::set<std::string> bound = PartitionAttributes(table, layout);
    const double most = MostRows(checker.model, layout.entity, bound);
    const double rows =
        most > 0 ? most : kUnboundedFactor * ExpectedRows(checker.model, layout.entity, bound);
    const double bytes =
        rows * ExpectedItemBytes(checker.model, layout.entity, View{&table, nullptr}) * 2;
    if (bytes < static_cast<double>(kItemCollectionBytesMax) && most > 0) {
      continue;
    }
    if (most == 0 && ExpectedRows(checker.model, layout.entity, bound) <= 1) {
      continue;
    }
    Index global = *local;
    global.local = false;
    global.partition = {table.partition};
    checker.Report(RuleIn(kSizeRules, "PJ111"), local->at,
                   "with this local index an item collection of `" + layout.entity.text +
                       "` is limited to 10 GB, and " +
                       (most > 0 ? "can reach " + RoughText(bytes / 1024 / 1024 / 1024) + " GB"
                                 : "nothing bounds it"),
                   Proposal(std::vector{ReplaceIndex(table, *local, global)}));
  }
}

void CheckSizes(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    for (const ItemLayout& layout : table.items) {
      CheckItem(checker, layout);
    }
    CheckCollections(checker, table);
  }
}

}  // namespace

constinit const RuleFamily kSizeFamily = {kSizeRules, CheckSizes};

}  // namespace prejoin::model
