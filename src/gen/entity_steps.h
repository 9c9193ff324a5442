// The code of an entity, step by step, for the writers of all languages.
#ifndef PREJOIN_GEN_ENTITY_STEPS_H_
#define PREJOIN_GEN_ENTITY_STEPS_H_

#include <string>
#include <vector>

#include "gen/code.h"
#include "gen/language.h"
#include "gen/program.h"

namespace prejoin::gen {

// Single thread. Borrows everything it is given.
class EntitySteps {
 public:
  // Its type, its key functions, and if it has items: their key, the item of a row, the row of an item, and whether an item is one.
  void Entity(const EntityCode& entity);
  // How to tell items apart, for each table that holds several kinds.
  void AllLayouts();

 protected:
  EntitySteps(const Language& language, const Program& program, Code& code)
      : language_(language), program_(program), code_(code) {}
  virtual ~EntitySteps() = default;

  // ---- What a language spells
  virtual void Type(const EntityCode& entity) = 0;
  virtual void KeyMaker(const KeyFunction& function) = 0;
  // `pairs`: attributes of the key with their values, as in an object.
  virtual void KeyObjectCode(const EntityCode& entity, const std::vector<std::string>& pairs) = 0;
  virtual void ItemCode(const EntityCode& entity) = 0;
  virtual void FromItemCode(const EntityCode& entity) = 0;
  virtual void IsEntityCode(const EntityCode& entity, const TableCode& table) = 0;
  // Around the layouts of a table; and one of them, `keys` from LayoutKey.
  virtual void BeginLayouts(const TableCode& table) = 0;
  virtual void LayoutCode(const LayoutTest& layout, const std::vector<std::string>& keys) = 0;
  virtual void EndLayouts() = 0;
  virtual std::string LayoutKey(const LayoutTest::Key& key) const = 0;
  // The owner of the values of KeyObjectCode; empty: parameters.
  virtual const char* KeyRow() const { return ""; }
  // An attribute of the item of `row`.
  virtual void Member(const std::string& attribute, const std::string& value) = 0;
  // The same, if all of these fields are there.
  virtual void SparseMember(const std::string& attribute, const std::vector<Field>& needed,
                            const std::string& value) = 0;
  virtual std::string CopyText(const StoredCopy& copy) const {
    return language_.name(copy.attribute);
  }

  // ---- What they share
  // Every attribute of an item, by Member and SparseMember.
  void ItemMembers(const EntityCode& entity);
  // `"STU#" + part(id)`: the parts in their order, each as `text_of` or `call_of` gives it.
  template <class TextOf, class CallOf>
  std::vector<std::string> KeyParts(const KeyFunction& function, const TextOf& text_of,
                                    const CallOf& call_of) const {
    std::vector<std::string> parts;
    for (const model::TemplatePart& part : function.parts) {
      parts.push_back(part.is_literal() ? text_of(part.literal)
                                        : call_of(PartCall(language_, part, function.open_shard)));
    }
    return parts;
  }
  // The arguments of a check for each part that a caller's value stands in: the attribute, its text, the text behind it and the
  // rules of model/schema/key_refusals.h.
  std::vector<std::vector<std::string>> PartChecks(const KeyFunction& function) const;
  // One text for each field.
  template <class TextOf>
  static std::vector<std::string> Each(const std::vector<Field>& fields, const TextOf& text_of) {
    std::vector<std::string> texts;
    for (const Field& field : fields) {
      texts.push_back(text_of(field));
    }
    return texts;
  }

  const Language& language_;
  const Program& program_;
  Code& code_;

 private:
  std::vector<std::string> KeyPairs(const EntityCode& entity, const TableCode& table) const;
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_ENTITY_STEPS_H_
