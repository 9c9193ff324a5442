// Model-aware items: keys come from the templates of a model file and are never put together by hand.
//
//   auto design = prejoin::Design::Parse(text_of_a_prejoin_file);
//   auto put = design->MakePut("Enrollment",
//                              {{"studentId", "a91"}, {"courseId", "math204"}, {"grade", "A"}},
//                              {.once = true});
//   database->PutItem(*put);                               // PK, SK, GSI1PK and GSI1SK are set.
//   auto rows = design->ReadCollection("School", items);   // A Student row, then Enrollment rows.
#ifndef PREJOIN_MODEL_H_
#define PREJOIN_MODEL_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin {

// A row of an entity, as read from an item. `attributes` has the entity's attributes by name, also
// those that the item holds only inside its keys; copies are called "Entity.attribute".
struct TypedRow {
  std::string entity;
  Item attributes;
};

struct PutChoice {
  bool once = false;  // Refuse if there is an item with this key already.
};

// A model, ready for building and reading items. Immutable and thread-safe.
class Design {
 public:
  // An error lists every mistake in the file, each with its line.
  static Result<Design> Parse(std::string_view text);
  ~Design();
  Design(Design&&) noexcept;
  Design& operator=(Design&&) noexcept;

  // The item with all its keys rendered: the table's and those of every index whose attributes are
  // present. Copies and lists of a layout are taken from `attributes` under their stored names. An
  // error if an attribute is unknown or the table's key lacks one.
  Result<Item> MakeItem(std::string_view entity, const Item& attributes) const;
  // Only the table's key.
  Result<Item> MakeKey(std::string_view entity, const Item& attributes) const;
  Result<PutItemInput> MakePut(std::string_view entity, const Item& attributes,
                               PutChoice choice = {}) const;
  // Sets what differs, and with it every index key that depends on it; removes what is gone. An
  // error if the table's key would change: that takes a delete and a put.
  Result<UpdateItemInput> MakeUpdate(std::string_view entity, const Item& before,
                                     const Item& after) const;

  // The entity of each item and its attributes. Items that fit no entity of the table have an empty
  // name and are given as they are.
  std::vector<TypedRow> ReadCollection(std::string_view table,
                                       const std::vector<Item>& items) const;

  // The CreateTable request of each table of the model.
  std::vector<CreateTableInput> Tables() const;

 private:
  struct State;
  explicit Design(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace prejoin

#endif  // PREJOIN_MODEL_H_
