#include "model/prove/trial/taken_keys.h"

#include <algorithm>
#include <functional>

namespace prejoin::model {
namespace {

std::size_t TupleHash(const Row& row, const std::vector<std::string>& attributes) {
  return std::hash<std::string>()(TupleText(row, attributes));
}

}  // namespace

TakenKeys::TakenKeys(const Entity& entity, std::initializer_list<const std::vector<Row>*> all_rows)
    : names_(entity.KeyNames()) {
  std::size_t count = 0;
  for (const std::vector<Row>* rows : all_rows) {
    count += rows->size();
  }
  hashes_.reserve(count);
  for (const std::vector<Row>* rows : all_rows) {
    for (const Row& row : *rows) {
      hashes_.push_back(TupleHash(row, names_));
    }
  }
  std::ranges::sort(hashes_);
}

bool TakenKeys::Contain(const Row& row) const {
  return std::ranges::binary_search(hashes_, TupleHash(row, names_));
}

bool SameTuple(const Row& a, const Row& b, const std::vector<std::string>& attributes) {
  return std::ranges::all_of(attributes, [&](const std::string& attribute) {
    const AttributeValue* one = a.Find(attribute);
    const AttributeValue* other = b.Find(attribute);
    return one == nullptr || other == nullptr ? one == other : *one == *other;
  });
}

}  // namespace prejoin::model
