// Pictures of a design, all from the same model: entity chart, item collections, index views,
// access patterns, ER view.
#ifndef PREJOIN_MODEL_CHART_CHART_H_
#define PREJOIN_MODEL_CHART_CHART_H_

#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::model {

// A table of text, however it is drawn.
struct Grid {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// Entity → templates of the table's key and of each index.
Grid EntityChart(const Model& model, const Table& table);
// Pattern → operation, index, key condition, consistency, units.
Grid PatternChart(const Model& model);
// Entities, keys and the relationships between them.
Grid RelationshipChart(const Model& model);

// One item in a collection.
struct CollectionItem {
  std::string entity;
  std::string sort;
  std::vector<std::pair<std::string, std::string>> attributes;
};
struct Collection {
  std::string partition;
  std::vector<CollectionItem> items;  // In the order of the sort key.
};
// The sample as a view stores it.
std::vector<Collection> Collections(const Model& model, const View& view, const Dataset& data);

enum class ChartFormat { kText, kMarkdown, kSvg };

// All views; the item collections show the sample.
std::string DrawChart(const Model& model, ChartFormat format);

std::string DrawSvg(const Model& model, const Dataset& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHART_CHART_H_
