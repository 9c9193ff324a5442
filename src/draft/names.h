// Names of the outside as names of a model file.
#ifndef PREJOIN_DRAFT_NAMES_H_
#define PREJOIN_DRAFT_NAMES_H_

#include <set>
#include <string>
#include <string_view>

namespace prejoin::draft {

// Returns true if the text can be in a model file as a name.
bool IsName(std::string_view text);

// Letters, digits, `_` and inner `-` kept, everything else `_`; never empty.
std::string ToName(std::string_view text);

// "order_items", "ORDER-ITEM", "orderItem" → "OrderItems", "OrderItem", "OrderItem".
std::string ToEntityName(std::string_view text);

// "ORDER ITEM" → "orderItem".
std::string ToAttributeName(std::string_view text);

// The name, or the name with the first number that is free; taken from then on.
std::string UniqueName(std::string name, std::set<std::string>& taken);

// Returns true if an attribute is called like a key that holds many things: PK, sk, GSI1PK, gsi2-sk, data.
bool IsGenericKeyName(std::string_view name);

// "pet" → "pets", "city" → "cities", "person" → "people". The last word of a name counts.
std::string Plural(const std::string& name);
// The other way, as far as English can be trusted: "address" and "species" stay.
std::string Singular(const std::string& name);

// The first letter made large, to follow another word in a name.
std::string Capitalised(std::string_view text);
std::string Lowered(std::string_view text);
std::string Uppered(std::string_view text);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_NAMES_H_
