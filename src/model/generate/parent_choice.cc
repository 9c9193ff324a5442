#include "model/generate/parent_choice.h"

#include <algorithm>
#include <set>

#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

void AddAgreements(const Model& model, const Entity& entity, const Dataset& data,
                   ParentChoice& choice) {
  const Entity& parent = model.At(choice.parent);
  for (const std::string& key : parent.KeyNames()) {
    const bool own = std::ranges::any_of(choice.attributes, [&](const Attribute* one) {
      return one->references->attribute.text == key;
    });
    const Path origin = OriginOf(model, parent, key);
    const auto other = std::ranges::find_if(entity.attributes, [&](const Attribute& one) {
      if (!one.references || one.references->entity == choice.parent) {
        return false;
      }
      const Path from = OriginOf(model, entity, one.name.text);
      return from.entity == origin.entity && from.attribute == origin.attribute;
    });
    if (!own && other != entity.attributes.end()) {
      choice.agreements.push_back({&*other, key});
    }
  }
  const std::vector<Row>& rows = data.Of(choice.parent.text);
  for (std::size_t i = 0; !choice.agreements.empty() && i < rows.size(); ++i) {
    std::vector<std::string> names;
    for (const ParentChoice::Agreement& one : choice.agreements) {
      names.push_back(one.key);
    }
    choice.rows[TupleText(rows[i], names)].push_back(i);
  }
}

// True if references lead from the entity back to it over entities that are not placed yet.
bool IsInCircle(const Model& model, const Entity& entity, const std::set<std::string>& placed) {
  std::set<std::string> seen;
  std::vector<const Entity*> open = {&entity};
  while (!open.empty()) {
    const Entity& here = *open.back();
    open.pop_back();
    for (const Attribute& attribute : here.attributes) {
      const bool leads = attribute.references && !(attribute.references->entity == here.name) &&
                         !placed.contains(attribute.references->entity.text);
      if (leads && seen.insert(attribute.references->entity.text).second) {
        open.push_back(&model.At(attribute.references->entity));
      }
    }
  }
  return seen.contains(entity.name.text);
}

}  // namespace

std::vector<const Entity*> ParentsFirst(const Model& model) {
  std::vector<const Entity*> order;
  std::set<std::string> placed;
  while (order.size() < model.entities.size()) {
    const Entity* next = nullptr;
    for (const Entity& entity : model.entities) {
      if (placed.contains(entity.name.text)) {
        continue;
      }
      const bool ready = std::ranges::all_of(entity.attributes, [&](const Attribute& attribute) {
        return !attribute.references || placed.contains(attribute.references->entity.text) ||
               attribute.references->entity == entity.name;
      });
      if (ready) {
        next = &entity;
        break;
      }
      if (next == nullptr && IsInCircle(model, entity, placed)) {
        next = &entity;
      }
    }
    placed.insert(next->name.text);
    order.push_back(next);
  }
  return order;
}

std::vector<std::string> LinkEnds(const Entity& entity) {
  std::vector<std::string> ends;
  std::map<std::string, int> seen;
  std::set<std::string> decks;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_key) {
      continue;
    }
    if (!attribute.references || attribute.references->entity == entity.name) {
      return {};
    }
    const std::string& parent = attribute.references->entity.text;
    const int turn = seen[parent + "." + attribute.references->attribute.text]++;
    if (decks.insert(parent + " " + std::to_string(turn)).second) {
      ends.push_back(parent);
    }
  }
  return ends;
}

std::vector<ParentChoice> ParentChoicesOf(const Model& model, const Entity& entity,
                                          const Dataset& data) {
  std::vector<ParentChoice> choices;
  std::map<std::string, int> seen;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.references) {
      continue;
    }
    const std::string& parent = attribute.references->entity.text;
    const int turn = seen[parent + "." + attribute.references->attribute.text]++;
    const std::string deck = parent + " " + std::to_string(turn);
    auto found = std::ranges::find(choices, deck, &ParentChoice::deck);
    if (found == choices.end()) {
      found = choices.insert(choices.end(),
                             ParentChoice{attribute.references->entity, {}, deck, {}, {}, {}});
    }
    found->attributes.push_back(&attribute);
  }
  for (ParentChoice& choice : choices) {
    AddAgreements(model, entity, data, choice);
  }
  std::stable_partition(choices.begin(), choices.end(),
                        [](const ParentChoice& choice) { return choice.agreements.empty(); });
  return choices;
}

const Row* AgreeingParent(ParentChoice& choice,
                          const std::map<const Attribute*, const Row*>& parents,
                          const Dataset& data, std::size_t card) {
  if (choice.agreements.empty()) {
    return nullptr;
  }
  Row known;
  std::vector<std::string> names;
  for (const ParentChoice::Agreement& one : choice.agreements) {
    const auto other = parents.find(one.attribute);
    const AttributeValue* value =
        other != parents.end() && other->second != nullptr
            ? other->second->Find(one.attribute->references->attribute.text)
            : nullptr;
    if (value == nullptr) {
      return nullptr;
    }
    known.Set(one.key, *value);
    names.push_back(one.key);
  }
  const std::string tuple = TupleText(known, names);
  const auto found = choice.rows.find(tuple);
  if (found == choice.rows.end()) {
    return nullptr;
  }
  const bool skewed =
      std::ranges::any_of(choice.attributes, [](const auto* one) { return one->skew.given(); });
  const std::size_t turn = skewed ? card : choice.taken[tuple]++;
  return &data.Of(choice.parent.text)[found->second[turn % found->second.size()]];
}

}  // namespace prejoin::model
