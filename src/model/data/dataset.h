// Logical data: rows of each entity, as a relational database would hold them.
#ifndef PREJOIN_MODEL_DATA_DATASET_H_
#define PREJOIN_MODEL_DATA_DATASET_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/schema/model.h"
#include "prejoin/item.h"

namespace prejoin::model {

using Row = Item;

struct Dataset {
  std::map<std::string, std::vector<Row>, std::less<>> rows;  // By entity.

  const std::vector<Row>& Of(std::string_view entity) const;
  std::size_t size() const;
};

// Sets sums and counts of other rows on items to the values that follow from those rows.
Dataset SampleData(const Model& model);

// Sets what keys and conditions derive from a row's attributes, under names such as `at day`, so that rows can be found by it. No item
// stores it.
void DeriveValues(const Entity& entity, Row& row);

// Sets the attributes that a layout keeps as a sum or count of other rows.
void DeriveAggregates(const Model& model, Dataset& data);

// -1, 0, 1: text and binary bytewise, numbers by value; an absent value is less than any other.
int CompareValues(const AttributeValue* a, const AttributeValue* b);

// A text that is equal exactly when the values are.
std::string ValueText(const AttributeValue& value);

// The values of some attributes as one text; empty if one of them is absent.
std::string TupleText(const Row& row, const std::vector<std::string>& attributes);

// Rows found by the values of some attributes. Borrows the dataset, which must not change. Single
// thread.
class DataIndex {
 public:
  explicit DataIndex(const Dataset& data) : data_(data) {}

  const Dataset& data() const { return data_; }
  const std::vector<const Row*>& Find(const std::string& entity,
                                      const std::vector<std::string>& attributes,
                                      const std::string& tuple);

 private:
  using ByTuple = std::unordered_map<std::string, std::vector<const Row*>>;
  const Dataset& data_;
  std::map<std::string, std::unique_ptr<ByTuple>> indexes_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_DATASET_H_
