// Item collections: how many items of an entity lie under one partition key, as estimated and as counted. Each item asks once for the
// collection that it lies in, as requests do, so that large collections count as often as they are read.
#ifndef PREJOIN_MODEL_PROVE_COLLECTION_COUNTS_H_
#define PREJOIN_MODEL_PROVE_COLLECTION_COUNTS_H_

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/data/item_render.h"
#include "model/plan/expectation.h"
#include "model/prove/compared_figure.h"

namespace prejoin::model {

class CollectionCounts {
 public:
  void Count(const TableItems& some);

  // Items under one partition key, for each entity in each view.
  std::vector<ComparedFigure> Sizes(Expectations& estimates) const;
  // The percentage of an entity's requests that goes to the most used key, where more of its items lie under one.
  std::vector<ComparedFigure> Hottest(Expectations& estimates) const;

 private:
  struct Counted {
    double items = 0;
    double squares = 0;
    double largest = 0;
    double keys = 0;
  };
  Counted CountedOf(const std::string& view, const std::string& entity) const;

  std::map<std::pair<std::string, std::string>, std::unordered_map<std::string, double>>
      counts_;  // By view and entity: the items under each key.
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_COLLECTION_COUNTS_H_
