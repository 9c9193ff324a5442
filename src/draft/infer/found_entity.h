// An entity made of one shape, with the facts about its values that later steps need.
#ifndef PREJOIN_DRAFT_INFER_FOUND_ENTITY_H_
#define PREJOIN_DRAFT_INFER_FOUND_ENTITY_H_

#include <map>
#include <string>
#include <vector>

#include "draft/draft.h"
#include "draft/infer/each_once.h"
#include "draft/infer/shape_tree.h"
#include "draft/infer/sketch.h"

namespace prejoin::draft {

struct FoundEntity {
  DraftEntity entity;
  DraftItem item;
  double count = 0;
  std::vector<std::string> variables;    // Attributes of the table's key, in order.
  std::map<std::string, Sketch> values;  // One sketch per attribute.
  std::map<std::string, EachOnce::Answer>
      each_once;                               // Tells for each of `variables` if it names each row alone.
  std::map<std::string, std::string> domains;  // Attribute → the literal before it in a key.
  std::vector<Item> samples;
};

// Label → key attribute → what people call its value, such as `ITEMS#ItemID`.
using KeyHints = std::map<std::string, std::map<std::string, std::string>>;

struct EntityNaming {
  std::string name;
  std::string type_attribute;                // Left out of its attributes.
  std::map<std::string, std::string> hints;  // Key attribute → hint.
  bool counts = true;
};
FoundEntity MakeEntity(const Shape& shape, const DraftTable& table, const EntityNaming& naming);

// "Order" from ORG#… / ORDER#…; the label if the shape has one.
std::string NameOfShape(const Shape& shape, const DraftTable& table);
// Names a second shape with the same label by the label and its sort key.
std::string LongNameOfShape(const Shape& shape, const DraftTable& table);
// Returns true if the partition key begins with that name: STATION#s1 is a station wherever else its name stands.
bool PartitionHasName(const Shape& shape, const DraftTable& table);

// Sets `references` in the entities and gives the relationships that follow.
std::vector<DraftRelationship> FindRelationships(std::vector<FoundEntity>& found);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INFER_FOUND_ENTITY_H_
