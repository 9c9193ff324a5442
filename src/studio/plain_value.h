// Plain JSON, as people write it, into attribute values: the model says which type is meant.
#ifndef PREJOIN_STUDIO_PLAIN_VALUE_H_
#define PREJOIN_STUDIO_PLAIN_VALUE_H_

#include <string>
#include <string_view>

#include "json/reader.h"
#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::studio {

// Numbers may also come as text, for those that JSON cannot hold; binary comes as base64; sets as
// arrays. `name` is in the refusal.
Result<AttributeValue> ReadPlainValue(json::Value value, model::AttributeType type,
                                      std::string_view name);
// By the JSON type alone.
Result<AttributeValue> ReadUntypedValue(json::Value value, std::string_view name);

// The attributes of an item of `entity` that the caller gives. Null means that there is none.
Result<Item> ReadPlainItem(json::Value object, const model::Model& model,
                           const model::Entity& entity);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_PLAIN_VALUE_H_
