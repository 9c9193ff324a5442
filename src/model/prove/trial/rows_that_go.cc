#include "model/prove/trial/rows_that_go.h"

#include <algorithm>
#include <set>

#include "model/data/evaluate.h"
#include "model/data/surroundings.h"
#include "model/prove/trial/write_trial.h"
#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

bool Deletes(const Write& write, const std::string& entity) {
  return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
    return (step.kind == WriteKind::kDelete && step.entity.text == entity) ||
           std::ranges::any_of(step.cascade, [&](const Name& name) { return name.text == entity; });
  });
}

bool Puts(const Model& model, const std::string& entity) {
  return std::ranges::any_of(model.writes, [&](const Write& write) {
    return std::ranges::any_of(write.steps, [&](const WriteStep& step) {
      return step.kind == WriteKind::kPut && step.entity.text == entity;
    });
  });
}

// True if a pattern finds rows of `child` by what points at a parent.
const Pattern* ReaderOf(const Model& model, const std::string& child,
                        const std::vector<JoinColumn>& columns) {
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      const std::string& entity = section.via.text.empty() ? section.entity.text : section.via.text;
      if (entity == child && std::ranges::all_of(columns, [&](const JoinColumn& column) {
            return std::ranges::any_of(section.conditions, [&](const Condition& condition) {
              return condition.comparison == Comparison::kEqual &&
                     condition.attribute.text == column.from;
            });
          })) {
        return &pattern;
      }
    }
  }
  return nullptr;
}

// DynamoDB has one attribute for the time to live of all items of a table.
std::string TimeToLiveOf(const Model& model, const Table& table) {
  for (const ItemLayout& layout : table.items) {
    const Entity& entity = model.RowsOf(layout.entity);
    if (!entity.ttl.text.empty()) {
      return entity.ttl.text;
    }
  }
  return {};
}

WriteProof* ProofOfPut(const Model& model, const std::string& entity, ProofReport& report) {
  for (std::size_t i = 0; i < model.writes.size() && i < report.writes.size(); ++i) {
    const bool puts = std::ranges::any_of(model.writes[i].steps, [&](const WriteStep& step) {
      return step.kind == WriteKind::kPut && step.entity.text == entity;
    });
    if (puts) {
      return &report.writes[i];
    }
  }
  return nullptr;
}

// Rows of `child` that a pattern still finds by a parent that is gone.
struct Orphans {
  const Entity* child = nullptr;
  const Pattern* reader = nullptr;
};

std::vector<Orphans> OrphansOf(const Model& model, const Entity& parent) {
  std::vector<Orphans> all;
  for (const Relationship& relationship : model.relationships) {
    const bool link = relationship.kind == RelationshipKind::kManyToMany;
    const bool holds = relationship.from == parent.name || (link && relationship.to == parent.name);
    const Entity& child = model.At(relationship.child());
    if (!holds || &child == &parent) {
      continue;
    }
    const std::vector<JoinColumn> columns = JoinColumns(child, parent);
    const bool part_of_key = std::ranges::all_of(columns, [&](const JoinColumn& column) {
      return child.Find(column.from) != nullptr && child.Find(column.from)->is_key;
    });
    const Pattern* reader = ReaderOf(model, child.name.text, columns);
    if (!columns.empty() && part_of_key && reader != nullptr) {
      all.push_back({&child, reader});
    }
  }
  return all;
}

// Items of rows that have no time to live themselves and belong to rows that expire.
void ReportOrphansOfExpiry(const Model& model, const Entity& parent, WriteProof& proof) {
  for (const Orphans& orphans : OrphansOf(model, parent)) {
    const std::string& child = orphans.child->name.text;
    if (orphans.child->ttl.text.empty() && model.FindPlacement(child)) {
      proof.problems.push_back("when a " + parent.name.text + " expires, its rows of " + child +
                               " stay: " + orphans.reader->name.text +
                               " still reads them, and a new " + parent.name.text +
                               " with the same key inherits them; give " + child +
                               " a time to live too (ttl)");
    }
  }
}

}  // namespace

std::vector<std::string> RowsLeftBehind(const Model& model, const Write& write) {
  std::vector<std::string> faults;
  for (const WriteStep& step : write.steps) {
    if (step.kind != WriteKind::kDelete) {
      continue;
    }
    std::vector<Reference<Entity>> going = step.cascade;
    going.insert(going.begin(), step.entity);
    for (const Reference<Entity>& name : going) {
      const Entity& parent = model.At(name);
      if (!Puts(model, parent.name.text)) {
        continue;
      }
      for (const Orphans& orphans : OrphansOf(model, parent)) {
        const std::string& child = orphans.child->name.text;
        if (!Deletes(write, child)) {
          faults.push_back("rows of " + child + " stay when their " + parent.name.text +
                           " is deleted: " + orphans.reader->name.text +
                           " still reads them, and a new " + parent.name.text +
                           " with the same key inherits them; write: delete " + step.entity.text +
                           " … with " + child);
        }
      }
    }
  }
  return faults;
}

// Two requests at once both read the figure before either of their rows is in it.
std::vector<std::string> GuardsThatLag(const Model& model, const Write& write) {
  std::vector<std::string> faults;
  for (const WriteStep& step : write.steps) {
    const Model::Placement placement = model.FindPlacement(step.entity);
    for (std::size_t i = 0; placement && i < placement.layout->attributes.size(); ++i) {
      const StoredAttribute& stored = placement.layout->attributes[i];
      const bool later =
          stored.upkeep == CopyUpkeep::kStream || stored.upkeep == CopyUpkeep::kBatch;
      const bool asked = std::ranges::any_of(step.guard, [&](const Condition& condition) {
        return condition.attribute.text == stored.name.text;
      });
      const bool grows = std::ranges::any_of(write.steps, [&](const WriteStep& other) {
        return other.entity == stored.copy.entity && other.kind != WriteKind::kUpdate;
      });
      if (IsTotal(stored) && later && asked && grows) {
        faults.push_back(
            "the condition asks for `" + step.entity.text + "." + stored.name.text +
            "`, which a " + (stored.upkeep == CopyUpkeep::kStream ? "stream" : "batch") +
            " keeps and which does not hold the rows of two writers at once: both go through; "
            "keep it by transaction, or count an attribute down in this write (`-= 1`)");
      }
    }
  }
  return faults;
}

void TryExpiry(const Model& model, const Dataset& data, ProofReport& report) {
  for (const Entity& entity : model.entities) {
    const std::string& name = entity.name.text;
    WriteProof* proof = entity.ttl.text.empty() ? nullptr : ProofOfPut(model, name, report);
    const Model::Placement placement = model.FindPlacement(name);
    if (proof == nullptr) {
      continue;
    }
    if (!placement) {
      proof->problems.push_back(
          "rows of " + name +
          " do not expire: they are kept inside other items, and time to live deletes whole items");
      proof->right = report.all_right = false;
      continue;
    }
    const std::vector<Row>& rows = data.Of(name);
    const auto found = std::ranges::find_if(
        rows, [&](const Row& row) { return row.Find(entity.ttl.text) != nullptr; });
    if (found == rows.end()) {
      continue;
    }
    const Dataset none;
    Dataset near;
    const TouchedRows touched = {{name, {static_cast<std::size_t>(found - rows.begin())}}};
    for (const auto& [other, numbers] : Near(model, touched, RowsWith(data, none))) {
      for (const std::size_t number : numbers) {
        near.rows[other].push_back(data.Of(other)[number]);
      }
    }
    WriteTrial trial(model, std::move(near));
    trial.Expire(entity, *found, TimeToLiveOf(model, *placement.table));
    for (const std::string& difference : trial.Differences()) {
      proof->problems.push_back("when a " + name +
                                " expires, DynamoDB deletes the items that hold `" +
                                entity.ttl.text + "` and nothing else: " + difference);
    }
    ReportOrphansOfExpiry(model, entity, *proof);
    proof->right = proof->problems.empty();
    report.all_right = report.all_right && proof->right;
  }
}

std::vector<std::string> TotalsThatLag(const Model& model, const Pattern& pattern) {
  std::vector<std::string> faults;
  if (pattern.freshness == Freshness::kEventual) {
    return faults;
  }
  for (const Section& section : pattern.sections) {
    const Model::Placement placement = model.FindPlacement(section.entity.text);
    if (!placement) {
      continue;
    }
    std::set<std::string> asked;
    for (const Path& path : SectionPaths(model, section)) {
      if (path.entity.text.empty() || path.entity == section.entity) {
        asked.insert(path.attribute.text);
      }
    }
    for (const StoredAttribute& stored : placement.layout->attributes) {
      const bool later =
          stored.upkeep == CopyUpkeep::kStream || stored.upkeep == CopyUpkeep::kBatch;
      const bool shown = std::ranges::any_of(model.writes, [&](const Write& write) {
        return (pattern.after_write.text.empty() || write.name == pattern.after_write) &&
               std::ranges::any_of(write.steps, [&](const WriteStep& step) {
                 return step.entity == stored.copy.entity;
               });
      });
      if (IsTotal(stored) && later && shown && asked.contains(stored.name.text)) {
        faults.push_back("asks for fresh data, but `" + section.entity.text + "." +
                         stored.name.text + "` is kept by a " +
                         (stored.upkeep == CopyUpkeep::kStream ? "stream" : "batch") +
                         " and follows later; keep it by transaction");
      }
    }
  }
  return faults;
}

}  // namespace prejoin::model
