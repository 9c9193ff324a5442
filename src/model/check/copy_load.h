// How much work the copies of an attribute are, and how far collections may grow: figures that several rules judge by.
#ifndef PREJOIN_MODEL_CHECK_COPY_LOAD_H_
#define PREJOIN_MODEL_CHECK_COPY_LOAD_H_

#include "model/schema/model.h"

namespace prejoin::model {

inline constexpr double kFastChangePerSecond = 1.0 / 3600;

// The work of keeping copies of an attribute right, in words.
struct CopyLoad {
  double changes_per_second = 0;
  double copies = 0;  // Of one original.

  bool TooMuch() const;
};
CopyLoad LoadOfCopy(const Model& model, const Reference<Entity>& holder, const Path& source);

// True if every collection of the table stays below the 10 GB that it may have with a local index.
bool CollectionsAreBounded(const Model& model, const Table& table);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_COPY_LOAD_H_
