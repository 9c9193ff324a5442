// How keys are spelled: the word in front, the parts behind `#`, numbers padded. Whatever proposes a key writes it with these.
#ifndef PREJOIN_MODEL_LAYOUT_KEY_SPELLING_H_
#define PREJOIN_MODEL_LAYOUT_KEY_SPELLING_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Digits of a number in a key where the file does not say how many it has.
inline constexpr int kPadDigits = 10;

// "ORDER": the word that begins the keys of an entity's items.
std::string KeyWord(std::string_view entity);
std::string KeyWord(const Entity& entity);

// "{name}"; a number is padded, so that its text sorts as it does.
std::string PartText(const Attribute& attribute, int digits = kPadDigits);
// "#{a}#{b}", as they are.
std::string PartsText(const std::vector<std::string>& names);
// "#{a}#{b pad 10}", numbers padded. Every name is an attribute of the entity.
std::string PartsText(const Entity& entity, const std::vector<std::string>& names);
// "#{shard 8 of id}"
std::string ShardText(int shards, const std::string& attribute);

// "CUSTOMER#{id}"
std::string OwnKeyText(const Entity& entity);
// "CUSTOMER#{customerId}": the key of `owner`, in the attributes of `entity` that point at it.
std::string OwnerKeyText(const Entity& entity, const Entity& owner);
// "ORDER#{placed}#{id}": what the busiest pattern sorts the entity by, then the rest of its key, without what `bound` fixes already
// and what cannot be part of a table's key.
std::string CollectionSortText(const Model& model, const Entity& entity,
                               const std::set<std::string>& bound);

// Why an attribute cannot be part of a table's key: a write sets it, or it may be absent. Empty: it can.
std::string WhyNotInKey(const Model& model, const Entity& entity, const std::string& name);

// A template that is known to be right, and an attribute with it.
KeyTemplate KeyOfText(const std::string& text);
StoredAttribute KeyAttribute(const std::string& name, KeyTemplate key);
StoredAttribute MakeStored(const std::string& name, const std::string& text);
// `id = id`: the attribute itself is the key.
StoredAttribute NaturalKey(Name name);

// The template without its quotes; "{id}" for a natural key.
std::string TemplateText(const KeyTemplate& key);
// The template with more behind it.
KeyTemplate Extended(const KeyTemplate& key, const std::string& more);
StoredAttribute Extended(StoredAttribute stored, const std::string& more);
// The template with another word in front: CUSTOMER#{id} → ORDER#{id}, {id} → ORDER#{id}.
StoredAttribute WithPrefix(const StoredAttribute& stored, const std::string& prefix);

// The attributes of a key, without the one that only chooses a shard, in order.
std::vector<std::string> PartsOfKey(const KeyTemplate& key);
std::set<std::string> NamesInKey(const KeyTemplate& key);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_LAYOUT_KEY_SPELLING_H_
