// The physical half of a model as text: tables, indexes, items and strategies, in the layout of `prejoin fmt`.
#ifndef PREJOIN_MODEL_LAYOUT_PRINT_PHYSICAL_H_
#define PREJOIN_MODEL_LAYOUT_PRINT_PHYSICAL_H_

#include <map>
#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

// Lines to stand as comments above a declaration, without the slashes.
struct PhysicalComments {
  std::map<std::string, std::vector<std::string>> tables;   // By name.
  std::map<std::string, std::vector<std::string>> indexes;  // By "Table.Index".
  std::map<std::string, std::vector<std::string>> items;    // By entity.
  // No comments, but more lines inside an item: `allow …`.
  std::map<std::string, std::vector<std::string>> item_lines;
};

// ReadModel of a file with this text gives the same tables and strategies again.
std::string PrintPhysical(const Model& model, const PhysicalComments& comments = {});

// A file without its physical half, and this one behind it.
std::string WithPhysical(const SyntaxTree& tree, const std::string& physical);

// `table Main partition PK sort SK`
std::string PrintTableHead(const Table& table);

// `index GSI1 partition GSI1PK sort GSI1SK project grade`
std::string PrintIndex(const Index& index);

// `SK = "ORDER#{id}"`; `name = copy of Customer.name kept by stream`; `links = list of Link (b)`
std::string PrintStored(const StoredAttribute& stored);

// `item OrderById of Order (status, total)`
std::string PrintItemHead(const ItemLayout& layout);

// `sorts Customer before Order`
std::string PrintClaim(const SortClaim& claim);

// `strategy CustomerOrders = item-collection`
std::string PrintStrategy(const StrategyChoice& choice);

// The lines of an item, without those that follow from the names of its attributes, indented below the first; and laid out as
// `prejoin fmt` does.
std::vector<std::string> PrintItemLines(const ItemLayout& layout);
std::vector<std::string> FormattedItemLines(const ItemLayout& layout);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_PRINT_PHYSICAL_H_
