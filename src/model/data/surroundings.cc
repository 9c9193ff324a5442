#include "model/data/surroundings.h"

#include <set>
#include <utility>
#include <vector>

#include "model/schema/join.h"
#include "model/schema/total.h"

namespace prejoin::model {
namespace {

using Taken = TouchedRows;

class Collector {
 public:
  Collector(const Model& model, const RowsWith& data) : model_(model), data_(data) {}

  TouchedRows Run(const TouchedRows& touched) {
    taken_ = touched;
    AddChildren();
    AddAggregated();
    AddHolders();
    AddHeld();
    AddParents();
    return std::move(taken_);
  }

 private:
  static std::vector<std::string> Side(const std::vector<JoinColumn>& columns, bool from) {
    std::vector<std::string> names;
    for (const JoinColumn& column : columns) {
      names.push_back(from ? column.from : column.to);
    }
    return names;
  }

  // Adds the rows of `added` whose values of `attributes` are those of a row in `known`.
  void AddMatching(const std::string& added, const std::vector<std::string>& attributes,
                   const std::set<std::string>& known, Taken& to) const {
    if (known.empty()) {
      return;
    }
    const std::size_t count = data_.Count(added);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string tuple = TupleText(data_.At(added, i), attributes);
      if (!tuple.empty() && known.contains(tuple)) {
        to[added].insert(i);
      }
    }
  }

  std::set<std::string> TuplesOf(const std::string& entity,
                                 const std::vector<std::string>& attributes) const {
    std::set<std::string> tuples;
    const auto found = taken_.find(entity);
    if (found == taken_.end()) {
      return tuples;
    }
    for (const std::size_t number : found->second) {
      tuples.insert(TupleText(data_.At(entity, number), attributes));
    }
    return tuples;
  }

  // Rows that point at the ones taken so far.
  void AddChildren() {
    Taken more;
    for (const Entity& child : model_.entities) {
      for (const Entity& parent : model_.entities) {
        const std::vector<JoinColumn> columns = JoinColumns(child, parent);
        if (columns.empty() || !taken_.contains(parent.name.text)) {
          continue;
        }
        AddMatching(child.name.text, Side(columns, true),
                    TuplesOf(parent.name.text, Side(columns, false)), more);
      }
    }
    Merge(std::move(more));
  }

  // Rows that hold a sum or count of the ones taken so far, and all that they add up.
  void AddAggregated() {
    for (const Table& table : model_.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          const bool adds = IsTotal(stored);
          if (!adds || !taken_.contains(stored.copy.entity.text)) {
            continue;
          }
          const Entity& parent = model_.At(layout.entity);
          const Entity& child = model_.At(stored.copy.entity);
          const std::vector<JoinColumn> columns = JoinColumns(child, parent);
          Taken more;
          AddMatching(parent.name.text, Side(columns, false),
                      TuplesOf(child.name.text, Side(columns, true)), more);
          Merge(std::move(more));
          Taken siblings;
          AddMatching(child.name.text, Side(columns, true),
                      TuplesOf(parent.name.text, Side(columns, false)), siblings);
          Merge(std::move(siblings));
        }
      }
    }
  }

  // Rows whose items hold the ones taken so far in a list or map.
  void AddHolders() {
    Taken more;
    ForEachEmbedding([&](const Entity& holder, const Entity& held) {
      const std::vector<JoinColumn> columns = JoinColumns(held, holder);
      if (columns.empty() || !taken_.contains(held.name.text)) {
        return;
      }
      AddMatching(holder.name.text, Side(columns, false),
                  TuplesOf(held.name.text, Side(columns, true)), more);
    });
    Merge(std::move(more));
  }

  // All that the items of taken rows hold.
  void AddHeld() {
    Taken more;
    ForEachEmbedding([&](const Entity& holder, const Entity& held) {
      const std::vector<JoinColumn> columns = JoinColumns(held, holder);
      if (columns.empty() || !taken_.contains(holder.name.text)) {
        return;
      }
      AddMatching(held.name.text, Side(columns, true),
                  TuplesOf(holder.name.text, Side(columns, false)), more);
    });
    Merge(std::move(more));
  }

  // The rows that copies come from.
  void AddParents() {
    Taken more;
    for (const Entity& child : model_.entities) {
      if (!taken_.contains(child.name.text)) {
        continue;
      }
      for (const Entity& parent : model_.entities) {
        const std::vector<JoinColumn> columns = JoinColumns(child, parent);
        if (columns.empty()) {
          continue;
        }
        AddMatching(parent.name.text, Side(columns, false),
                    TuplesOf(child.name.text, Side(columns, true)), more);
      }
    }
    Merge(std::move(more));
  }

  template <class Visit>
  void ForEachEmbedding(const Visit& visit) const {
    for (const Table& table : model_.tables) {
      for (const ItemLayout& layout : table.items) {
        for (const StoredAttribute& stored : layout.attributes) {
          if (stored.embedded.given()) {
            visit(model_.At(layout.entity), model_.At(stored.embedded));
          }
        }
      }
    }
  }

  void Merge(Taken more) {
    for (auto& [entity, numbers] : more) {
      taken_[entity].merge(numbers);
    }
  }

  const Model& model_;
  const RowsWith& data_;
  Taken taken_;
};

}  // namespace

std::set<std::string> RowsWith::Entities() const {
  std::set<std::string> entities;
  for (const Dataset* rows : {&data_, &added_}) {
    for (const auto& [entity, some] : rows->rows) {
      entities.insert(entity);
    }
  }
  return entities;
}

TouchedRows Near(const Model& model, const TouchedRows& touched, const RowsWith& data) {
  return Collector(model, data).Run(touched);
}

TouchedRows AllRows(const RowsWith& data) {
  TouchedRows all;
  for (const std::string& entity : data.Entities()) {
    for (std::size_t i = 0; i < data.Count(entity); ++i) {
      all[entity].insert(all[entity].end(), i);
    }
  }
  return all;
}

}  // namespace prejoin::model
