// Totals: attributes that follow from other rows and are kept right by their writes.
#ifndef PREJOIN_MODEL_SCHEMA_TOTAL_H_
#define PREJOIN_MODEL_SCHEMA_TOTAL_H_

#include "model/schema/model.h"

namespace prejoin::model {

inline bool IsTotal(const StoredAttribute& stored) {
  return stored.kind == StoredKind::kSum || stored.kind == StoredKind::kCount;
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_TOTAL_H_
