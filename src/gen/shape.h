// The shape of a value in a program: dates and times are texts like any other.
#ifndef PREJOIN_GEN_SHAPE_H_
#define PREJOIN_GEN_SHAPE_H_

#include <cstddef>

#include "model/schema/model.h"

namespace prejoin::gen {

enum class Shape { kText, kNumber, kBool, kBinary, kList, kMap, kTextSet, kNumberSet };

inline Shape ShapeOf(model::AttributeType type) {
  switch (model::TraitsOf(type).stored) {
    case ValueType::kNumber:
      return Shape::kNumber;
    case ValueType::kBool:
      return Shape::kBool;
    case ValueType::kBinary:
      return Shape::kBinary;
    case ValueType::kList:
      return Shape::kList;
    case ValueType::kMap:
      return Shape::kMap;
    case ValueType::kStringSet:
      return Shape::kTextSet;
    case ValueType::kNumberSet:
      return Shape::kNumberSet;
    default:
      return Shape::kText;
  }
}

// A word of a language for each shape, in the order of the shapes.
struct ShapeWords {
  const char* text;
  const char* number;
  const char* boolean;
  const char* binary;
  const char* list;
  const char* map;
  const char* text_set;
  const char* number_set;

  const char* operator()(Shape shape) const {
    const char* const words[] = {text, number, boolean, binary, list, map, text_set, number_set};
    return words[static_cast<std::size_t>(shape)];
  }
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_SHAPE_H_
