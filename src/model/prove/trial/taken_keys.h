// The keys of an entity's rows, as their hashes: of a million rows 8 MB. Two keys of one hash only make a free key look taken.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_TAKEN_KEYS_H_
#define PREJOIN_MODEL_PROVE_TRIAL_TAKEN_KEYS_H_

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Thread-compatible.
class TakenKeys {
 public:
  TakenKeys(const Entity& entity, std::initializer_list<const std::vector<Row>*> all_rows);

  bool Contain(const Row& row) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> hashes_;  // Ascending.
};

// True if both rows have the same values of the attributes. It ends at the first that differs.
bool SameTuple(const Row& a, const Row& b, const std::vector<std::string>& attributes);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_TAKEN_KEYS_H_
