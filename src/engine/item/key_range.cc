#include "engine/item/key_range.h"

#include "base/check.h"
#include "engine/item/keys.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

std::string With(std::string prefix, const AttributeValue& value) {
  AppendKeyValue(value, prefix);
  return prefix;
}

// `prefix` ends before the part that `term` is about. More parts may follow it in a stored key, so
// "up to and with v" means up to the end of everything that begins with v.
storage::Range TermRange(const std::string& prefix, const expr::KeyTerm& term) {
  switch (term.op) {
    case expr::KeyOperator::kEq: {
      const std::string key = With(prefix, term.value);
      return {.begin = key, .end = PrefixEnd(key)};
    }
    case expr::KeyOperator::kLt:
      return {.begin = prefix, .end = With(prefix, term.value)};
    case expr::KeyOperator::kLe:
      return {.begin = prefix, .end = PrefixEnd(With(prefix, term.value))};
    case expr::KeyOperator::kGt:
      return {.begin = PrefixEnd(With(prefix, term.value)), .end = PrefixEnd(prefix)};
    case expr::KeyOperator::kGe:
      return {.begin = With(prefix, term.value), .end = PrefixEnd(prefix)};
    case expr::KeyOperator::kBetween:
      return {.begin = With(prefix, term.value), .end = PrefixEnd(With(prefix, term.high))};
    case expr::KeyOperator::kBeginsWith: {
      std::string key = prefix;
      AppendKeyPrefix(term.value.string() ? *term.value.string() : *term.value.binary(), key);
      return {.begin = key, .end = PrefixEnd(key)};
    }
  }
  PJ_CHECK(false);
  return {};
}

}  // namespace

storage::Range KeyRange(std::uint32_t space, const KeyAttributes& keys,
                        const expr::KeyCondition& condition) {
  std::string partition;
  std::size_t part = 0;
  for (; part < keys.size() && keys[part].key_type == KeyType::kHash; ++part) {
    AppendKeyValue(condition.terms[part].value, partition);
  }
  std::string prefix = PartitionPrefix(space, partition);
  for (; part < condition.terms.size(); ++part) {
    if (part + 1 == condition.terms.size()) {
      return TermRange(prefix, condition.terms[part]);
    }
    prefix = With(std::move(prefix), condition.terms[part].value);
  }
  std::string end = PrefixEnd(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

}  // namespace prejoin::engine
