// A model on its way from another form: parts by name, each with notes for what could not be read.
// Plain data. PrintDraft makes the text of a model file from it.
#ifndef PREJOIN_DRAFT_DRAFT_H_
#define PREJOIN_DRAFT_DRAFT_H_

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::draft {

// Notes stand as comments above what they are about.
using Notes = std::vector<std::string>;

struct DraftAttribute {
  std::string name;
  std::string type = "text";  // A type of the model language.
  double size = 0;            // 0: not known.
  double size_max = 0;
  bool key = false;
  bool optional = false;
  double share = 0;  // The share of rows that have it, if it is optional; 0: not known.
  bool unique = false;
  std::vector<std::string> values;  // Closed list of texts.
  std::string references;           // "Entity.attribute"; then the type is the target's.
  std::string note;                 // After the line.
};

struct DraftEntity {
  std::string name;
  std::vector<DraftAttribute> attributes;
  double count = 0;
  Notes notes;

  DraftAttribute* Find(std::string_view attribute);
  const DraftAttribute* Find(std::string_view attribute) const;
  std::vector<std::string> KeyNames() const;
};

struct DraftRelationship {
  std::string name;
  std::string from;
  std::string kind = "one-to-many";
  std::string to;
  std::string through;          // Of many-to-many.
  std::vector<std::string> by;  // Else it follows from `references`.
  double average = 0;           // The average number of `to` rows, or of links, per `from` row; 0: not known.
  double back_average = 0;      // The average number of links per `to` row.
  double most = 0;              // Bounds of both; 0: unbounded.
  double back_most = 0;
  Notes notes;
};

struct DraftPattern {
  std::string name;
  std::string title;
  std::vector<std::string> lines;  // find …, rate …, fresh …; of a write: put …, update …
  Notes notes;
  bool is_write = false;
};

struct DraftIndex {
  std::string name;
  bool local = false;
  std::vector<std::string> partition;
  std::vector<std::string> sort;
  std::string projection = "all";    // all, keys or include.
  std::vector<std::string> include;  // Key attributes among them are left out when printing.
};

struct DraftItem {
  std::string entity;
  // Key attribute → what follows the `=`, with its quotes if it is a template.
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::string> without;
  Notes notes;
  std::vector<std::string> locks;  // Attributes that an item for each value keeps unique.
};

struct DraftTable {
  std::string name;
  std::string partition;
  std::string sort;
  std::string type_attribute;
  bool type_upper = false;
  std::vector<DraftIndex> indexes;
  std::vector<DraftItem> items;
  std::vector<std::pair<std::string, std::string>> allows;  // Rule → reason.
  Notes notes;

  // The key attributes of the table and its indexes, each once.
  std::vector<std::string> KeyAttributes() const;
};

struct DraftSample {
  std::string entity;
  std::vector<Item> rows;
};

struct Draft {
  std::string title;
  Notes notes;
  std::vector<DraftEntity> entities;
  std::vector<DraftRelationship> relationships;
  std::vector<DraftPattern> patterns;
  std::vector<DraftTable> tables;
  std::vector<DraftSample> samples;
  Notes end_notes;
  int unread_tables = 0;                          // For SQL: tables that only a comment names.
  std::map<std::string, std::string> sql_tables;  // For SQL: lower-case table → entity.
  std::map<std::string, std::string, std::less<>> spellings;  // For SQL: names in small letters → as the file spells them.

  DraftEntity* FindEntity(std::string_view name);
  const DraftEntity* FindEntity(std::string_view name) const;
};

// The text of a model file, laid out as `prejoin fmt` does.
std::string PrintDraft(const Draft& draft);

// Its parts, notes included, and the text of the model file: for programs.
std::string DraftJson(const Draft& draft);

// Adds what every reader of a foreign format lacks: for each entity a pattern by its key, and one for
// each key that can be queried, so that `prove` has something to run.
void AddKeyPatterns(Draft& draft);

// Allows what `check` says of the collections of a table that exists and has a local index: DynamoDB bounds them itself, at 10 GB,
// and items do not tell whether the application keeps a smaller bound. Needs the patterns.
void AllowKnownCollections(Draft& draft);

// Gives entities that have no key one: an attribute that has one value, for items of which there is
// only one.
void AddMissingKeys(Draft& draft);

// Leaves out attributes that an entity has already, under the same name; the entity says which.
void RemoveRepeatedAttributes(Draft& draft);

// Adds `references` and a one-to-many relationship where an entity has the whole key of another
// among its own attributes, under the same names.
void AddRelationshipsByName(Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_DRAFT_H_
