// The part of a dataset that one write can touch.
#ifndef PREJOIN_MODEL_DATA_SURROUNDINGS_H_
#define PREJOIN_MODEL_DATA_SURROUNDINGS_H_

#include <map>
#include <set>
#include <string>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The rows of a dataset, and more after them: data at scale is not copied for one new row. Borrows both.
class RowsWith {
 public:
  RowsWith(const Dataset& data, const Dataset& added) : data_(data), added_(added) {}

  std::size_t Count(const std::string& entity) const {
    return data_.Of(entity).size() + added_.Of(entity).size();
  }
  const Row& At(const std::string& entity, std::size_t number) const {
    const std::vector<Row>& rows = data_.Of(entity);
    return number < rows.size() ? rows[number] : added_.Of(entity)[number - rows.size()];
  }
  std::set<std::string> Entities() const;

 private:
  const Dataset& data_;
  const Dataset& added_;
};

// Numbers of rows, by entity.
using TouchedRows = std::map<std::string, std::set<std::size_t>, std::less<>>;

// The touched rows, and every row that is needed to render the items that a change of them touches exactly as with all
// data: what points at them, the items that hold them in a list or map with all that those hold, the rows that sums and
// counts are made of, and the rows that copies come from.
TouchedRows Near(const Model& model, const TouchedRows& touched, const RowsWith& data);

TouchedRows AllRows(const RowsWith& data);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_SURROUNDINGS_H_
