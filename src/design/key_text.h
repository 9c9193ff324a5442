// Key templates for shapes: prefixes that a person would write, equal where keys mean the same thing, different elsewhere.
#ifndef PREJOIN_DESIGN_KEY_TEXT_H_
#define PREJOIN_DESIGN_KEY_TEXT_H_

#include <string>
#include <vector>

#include "design/choice.h"
#include "model/schema/model.h"

namespace prejoin::design {

// "CUSTOMER#{customerId}", "DAY#{day}#{status}#{shard 4 of id}", "ORDER" when nothing is bound.
std::string PartitionText(const model::Model& logical, const std::string& entity,
                          const KeyShape& key);

// The prefix that places an entity in its collection, when it has nothing to sort by; alone, it needs no prefix.
enum class SortPlace { kFirst, kLast, kAlone };

// "ORDER#{placed}#{id}"; of a key without sort attributes "#CUSTOMER", which is before all others of its collection, or
// "~CUSTOMER", which follows them.
std::string SortText(const model::Model& logical, const std::string& entity, const KeyShape& key,
                     SortPlace place);

// The partition key in terms of what its attributes mean, whatever they are called in the entity: equal for keys whose
// items share partitions.
std::string PartitionMeaning(const model::Model& logical, const std::string& entity,
                             const KeyShape& key);

// Attributes in the order in which keys name them: those that point furthest up first, whatever the order in the file.
std::vector<std::string> InKeyOrder(const model::Model& logical, const std::string& entity,
                                    std::vector<std::string> attributes);

// True if its values can be read back from a key that holds it.
bool IsReadBack(const model::Attribute& attribute);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_KEY_TEXT_H_
