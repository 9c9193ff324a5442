// The largest transaction of a write: the items of its rows in all layouts with their locks, the copies that change with them, and the
// rows that a deletion takes along, each as many as the relationships allow.
#include "model/prove/trial/transaction_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/limits.h"
#include "model/cost/write_cost.h"
#include "model/plan/expectation.h"
#include "model/schema/join.h"
#include "model/schema/total.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Load {
  double items = 0;
  double bytes = 0;
  std::string most;  // The largest part, in words.
  double most_items = 0;

  void Add(double count, double each, const std::string& what) {
    items += count;
    bytes += std::isinf(count) ? 0 : count * each;
    if (count > most_items) {
      most_items = count;
      most = what;
    }
  }
};

// Returns the largest number of rows of `child` that may point at one row of `parent`.
double MostChildren(const Model& model, const WriteStep& step, const Reference<Entity>& child) {
  const double most =
      MostRows(model, child, NamesIn(CascadeColumns(model, step, model.At(child))));
  return most > 0 ? most : kUnbounded;
}

double LargestItem(const Model& model, const Reference<Entity>& layout) {
  const double largest = LargestItemBytes(model, layout);
  const double most = static_cast<double>(kItemBytesMax);
  return largest < 0 ? most : std::min(largest, most);
}

void AddRows(const Model& model, const Reference<Entity>& entity, double rows, const std::string& what,
             Load& load) {
  for (const Model::Placement& placement : model.LayoutsOf(entity)) {
    load.Add(rows, LargestItem(model, placement.layout->entity), what);
    for (std::size_t i = 0; i < placement.layout->locks.size(); ++i) {
      load.Add(rows, 0, what);
    }
  }
}

double RowsOfPut(const Model& model, const WriteStep& step) {
  if (!step.for_each.given()) {
    return step.times;
  }
  const std::vector<std::string> keys = model.At(step.for_each).KeyNames();
  const double most = keys.empty() ? 0 : MostRows(model, step.for_each, {keys[0]});
  return most > 0 ? most : kUnbounded;
}

// Copies that a transaction keeps: as many as rows point at the changed one.
void AddCopies(const Model& model, const WriteStep& step, Load& load) {
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      const bool holds = std::ranges::any_of(layout.attributes, [&](const StoredAttribute& stored) {
        return stored.kind == StoredKind::kCopy && stored.upkeep == CopyUpkeep::kTransaction &&
               stored.copy.entity == step.entity && !(layout.entity == step.entity) &&
               std::ranges::find(step.set, stored.copy.attribute) != step.set.end();
      });
      if (!holds) {
        continue;
      }
      const Entity& rows = model.RowsOf(layout.entity);
      load.Add(MostChildren(model, step, rows), LargestItem(model, rows),
               "copies in " + rows.name.text);
    }
  }
}

Load LoadOf(const Model& model, const WriteStep& step) {
  Load load;
  const double rows = step.kind == WriteKind::kPut ? RowsOfPut(model, step) : 1;
  AddRows(model, step.entity, rows, "items of " + step.entity.text, load);
  if (step.kind == WriteKind::kUpdate) {
    AddCopies(model, step, load);
  }
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      const bool total = std::ranges::any_of(layout.attributes, [&](const auto& stored) {
        return IsTotal(stored) && stored.copy.entity == step.entity &&
               (stored.upkeep == CopyUpkeep::kTransaction ||
                stored.upkeep == CopyUpkeep::kNotStated);
      });
      if (total) {
        load.Add(1, LargestItem(model, layout.entity), "items of " + layout.entity.text);
      }
    }
  }
  for (const Reference<Entity>& child : step.cascade) {
    AddRows(model, child, MostChildren(model, step, child),
            "items of " + child.text, load);
  }
  return load;
}

void Judge(const Load& load, std::vector<std::string>& faults) {
  if (load.items > static_cast<double>(kTransactionItemsMax)) {
    const std::string count = std::isinf(load.most_items)
                                  ? "nothing limits the " + load.most
                                  : "there may be " + FigureText(load.most_items) + " " + load.most;
    faults.push_back("a transaction holds 100 items, and " + count +
                     ": keep them by a stream or a batch, write them in requests of their own, or "
                     "state `at most`");
  } else if (load.bytes > static_cast<double>(kTransactionBytesMax)) {
    faults.push_back("a transaction holds 4 MB, and these " + FigureText(load.items) +
                     " items may have " + BytesText(load.bytes));
  }
}

}  // namespace

std::vector<std::string> TransactionFaults(const Model& model, const Write& write) {
  std::vector<std::string> faults;
  Load all;
  for (const WriteStep& step : write.steps) {
    const Load load = LoadOf(model, step);
    if (!write.together && !NeedsTransaction(model, step).empty()) {
      Judge(load, faults);
    }
    all.items += load.items;
    all.bytes += load.bytes;
    if (load.most_items > all.most_items) {
      all.most_items = load.most_items;
      all.most = load.most;
    }
  }
  if (write.together) {
    Judge(all, faults);
  }
  return faults;
}

}  // namespace prejoin::model
