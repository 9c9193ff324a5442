// How a value looks to a program: dates and times are texts like any other.
#ifndef PREJOIN_GEN_SHAPE_H_
#define PREJOIN_GEN_SHAPE_H_

#include "model/schema/model.h"

namespace prejoin::gen {

enum class Shape { kText, kNumber, kBool, kBinary, kList, kMap, kTextSet, kNumberSet };

inline Shape ShapeOf(model::AttributeType type) {
  switch (type) {
    case model::AttributeType::kNumber:
      return Shape::kNumber;
    case model::AttributeType::kBool:
      return Shape::kBool;
    case model::AttributeType::kBinary:
      return Shape::kBinary;
    case model::AttributeType::kList:
      return Shape::kList;
    case model::AttributeType::kMap:
      return Shape::kMap;
    case model::AttributeType::kTextSet:
      return Shape::kTextSet;
    case model::AttributeType::kNumberSet:
      return Shape::kNumberSet;
    default:
      return Shape::kText;
  }
}

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_SHAPE_H_
