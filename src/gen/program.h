// The input of every language's emitter: the model with all decisions taken. Which request reads
// what, which attribute comes from where in an item, which keys a write renders again: all of that
// is here, once, so that an emitter only spells. Built by build_program.h from the planner's plans.
// Plain data, thread-compatible; pointers borrow from the model.
#ifndef PREJOIN_GEN_PROGRAM_H_
#define PREJOIN_GEN_PROGRAM_H_

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/plan/parameters.h"
#include "model/plan/plan.h"
#include "model/schema/model.h"

namespace prejoin::gen {

using model::AttributeType;

// One attribute of a row.
struct Field {
  std::string name;  // As the model writes it: "grade", or "Movie.Year" of another entity.
  AttributeType type = AttributeType::kText;
  bool optional = false;
  std::vector<std::string> values;  // Closed list of texts; empty: open.
  std::string nested;  // Which NestedType its map, or each map of its list, is; empty: anything.
};

// A map whose members the model declares.
struct NestedType {
  std::string name;    // "OrderPlan"
  std::string entity;  // Whose attribute it is, or is inside of.
  std::vector<Field> members;
};

// The argument that is the number of a shard; no attribute has such a name.
inline constexpr const char* kOpenShard = "#shard";

// The one place where a key is made. Takes the attributes of its parts, in their order.
struct KeyFunction {
  std::string entity;
  std::string attribute;  // "GSI1PK"
  std::vector<model::TemplatePart>
      parts;  // Parts of the template, from the left; all of them if whole.
  bool whole = true;
  bool open_shard = false;  // Takes the number of the shard, not the attribute it is hashed from.
  std::vector<Field> arguments;  // kOpenShard stands for the number of the shard.
  std::string words;             // Its name, in words: "student gsi1pk prefix by org".

  // A value of the caller's is in it, and may be refused.
  bool refuses() const {
    return std::ranges::any_of(parts, [this](const model::TemplatePart& part) {
      return !part.is_literal() &&
             !(open_shard && part.transform == model::TemplateTransform::kShard);
    });
  }
};

// The place of an attribute's value in an item: under its own name, or as a part of a key.
struct Source {
  std::string attribute;              // Stored name.
  std::vector<std::string> literals;  // Empty: the value itself. Else the texts around the parts …
  std::size_t part = 0;               // … and which part it is.
  bool padded = false;
};

struct FieldSource {
  Field field;
  Source source;
};

// A value that code can name.
struct Value {
  enum class Kind {
    kParameter,  // A parameter of the function.
    kLiteral,
    kEach,   // The value of this turn, of `in (…)`.
    kShard,  // The number of this turn.
    kItem,   // An attribute of the item at hand.
    kRow,    // A member of the row at hand: `name` is the step's parameter, `source.field` which.
  };
  Kind kind = Kind::kParameter;
  std::string name;
  AttributeValue literal;
  FieldSource source;
  AttributeType type = AttributeType::kText;
};

// A key for given values. Without a function it is the value itself: a natural key.
struct KeyCall {
  const KeyFunction* function = nullptr;
  std::vector<Value> arguments;
  bool after = false;  // The first key after all that begin with this one.
};

struct KeyValue {
  std::string attribute;
  KeyCall call;
};

enum class SortTest { kNone, kEqual, kBeginsWith, kBetween, kAtLeast, kAtMost };

// One GetItem, or one Query or Scan with all its pages.
struct Read {
  bool get = false;
  bool scan = false;  // Reads the whole table: no key, no order, no limit.
  std::string table;
  std::string index;            // Empty: the table.
  std::vector<KeyValue> equal;  // All of the key, for a GetItem; none, for a Scan.
  std::string sort_attribute;
  SortTest test = SortTest::kNone;
  std::vector<KeyCall> lows;   // More than one: the least of them.
  std::vector<KeyCall> highs;  // More than one: the greatest.
  int shards = 1;
  std::vector<Value> each;  // One request for each different value.
  bool descending = false;
  bool consistent = false;
  bool all_attributes = false;
  bool counts = false;       // Asks for the number of items only.
  std::optional<int> limit;  // The limit of a page.
  std::vector<std::size_t> sections;

  // One request for each shard, even if there is only one.
  bool sharded() const {
    return std::ranges::any_of(equal, [](const KeyValue& key) {
      return std::ranges::find(key.call.arguments, Value::Kind::kShard, &Value::kind) !=
             key.call.arguments.end();
    });
  }
};

struct Filter {
  FieldSource field;
  model::Comparison comparison = model::Comparison::kEqual;
  std::vector<Value> operands;
  int first = 0;  // Compares so many characters of both sides; 0: all of them.
};

// BatchGetItem of one item for each row.
struct Fetch {
  std::string entity;
  std::string table;
  std::vector<KeyValue> key;  // Values of kind kItem.
};

// Attributes that another layout of the rows holds, fetched to each.
struct Beside {
  Fetch fetch;
  bool needed = false;  // A row without that item is on its way out, and left out.
  bool first = false;   // Before the filters and the limit.
};

struct Embedded {
  std::string attribute;
  bool map = false;                 // Keyed by `by`; else a list.
  std::string by;                   // The attribute that the map's keys are.
  std::string plain_member;         // A list of plain values: what they are called.
  std::vector<FieldSource> parent;  // Attributes that come from the item around it.
};

struct Output {
  Field field;
  Source source;
  int join = -1;  // Which join has it; -1: the item itself.
};

struct SectionSort {
  FieldSource field;
  bool descending = false;
};

// Rows of one entity in the answer of a pattern.
struct Section {
  model::Measure measure = model::Measure::kRows;  // A sum adds up the first output.
  std::string entity;
  std::string item_entity;  // The entity of the items that are read.
  std::string table;
  std::size_t read = 0;
  bool classify = false;  // Items of other entities may be among them.
  std::optional<Embedded> embedded;
  std::optional<Fetch> fetch;  // The whole items, for index entries that lack something.
  std::vector<Filter> filters;
  std::vector<Beside> beside;
  std::optional<Fetch> via;  // Goes on with the items that these rows point at.
  std::vector<SectionSort> sort;
  std::optional<int> limit;
  std::vector<Fetch> joins;
  bool entity_rows = false;  // All fields of the entity, not a choice of them.
  bool whole = false;  // True if, besides, each field is where it is in the entity's own items.
  bool at_most_one = false;
  std::vector<Output> outputs;

  bool measured() const { return measure != model::Measure::kRows; }
};

struct PatternFunction {
  const model::Pattern* pattern = nullptr;
  std::string name;  // The name of its function: "Nearby+city" is "NearbyWithCity".
  std::vector<model::Parameter> parameters;
  std::vector<Read> reads;
  std::vector<Section> sections;
  bool strong = false;
  bool pages = false;   // Can also be read page by page.
  std::string refusal;  // The part of it that has no code yet.
  std::string summary;  // The requests, in words.
};

// An attribute of the item that is not simply a field of the row.
struct StoredKey {
  std::string attribute;
  KeyCall call;  // Arguments of kind kRow.
  bool sparse = false;
};

struct StoredCopy {
  std::string attribute;
  Field field;     // "Customer.CustomerName"
  Fetch original;  // Arguments of kind kRow.
  std::string original_attribute;
  model::CopyUpkeep upkeep = model::CopyUpkeep::kNotStated;

  // The original is stored nowhere, so whoever puts the item must say it.
  bool given() const { return original.key.empty(); }
};

struct StoredRows {
  std::string attribute;
  bool map = false;
};

struct EntityCode {
  const model::Entity* entity = nullptr;
  std::string name;
  std::string code_name;  // The words of its name in generated code; no two entities share them.
  std::string table;      // Empty: it has no items of its own, only rows inside others.
  std::vector<Field> fields;
  std::vector<Field> identity;  // The fields that find the item: its key and what else is in it.
  std::vector<FieldSource> sources;  // Each field, in an item of the table.
  std::vector<Field> plain;          // Fields stored under their own names.
  std::vector<StoredKey> keys;       // The table's first.
  std::vector<StoredCopy> copies;
  std::vector<StoredRows> rows;
  std::string type_attribute;
  std::string type_value;
};

// The tests that identify an item's entity: the first that fits, after the type attribute.
struct LayoutTest {
  std::string entity;
  std::string type_value;
  struct Key {
    std::string attribute;
    std::vector<std::string> literals;  // Empty: anything.
  };
  std::vector<Key> keys;
};

struct TableCode {
  const model::Table* table = nullptr;
  std::string name;
  std::string code_name;         // Its words in generated names.
  std::vector<std::string> key;  // Attribute names.
  std::string type_attribute;
  std::vector<LayoutTest> layouts;
};

// Copies elsewhere that an update must follow.
struct CopyRefresh {
  std::string name;                       // "RefreshOrderCustomerName"
  const PatternFunction* find = nullptr;  // Items with a copy, by the original's key.
  std::string holder;
  std::string stored;
  std::string attribute;  // An attribute of the original.
  model::CopyUpkeep upkeep = model::CopyUpkeep::kNotStated;
};

// The item that keeps a value unique: it holds nothing but its key, which names the value.
struct LockCode {
  std::string attribute;
  std::vector<std::string> names;  // Attributes of the key, whose parts are all the same …
  StoredKey value;                 // … text. Its argument is the row's.
  bool taken = false;              // The step may leave a lock for the row as it is afterwards …
  bool given_up = false;           // … and deletes that of the row before it,
  FieldSource before;              // which it finds here.
};

// The condition on the stored item, as DynamoDB writes it: "#if0 < :if0".
struct StepCondition {
  std::string expression;
  std::vector<Filter>
      tests;  // The same for an item that was read; operands of kind kRow or kLiteral.
  std::vector<std::pair<std::string, std::string>> names;  // Attributes by placeholder.
  std::vector<std::pair<std::string, Value>> values;       // Values of kind kRow or kLiteral.
};

// `people += 1`
struct Counter {
  std::string attribute;
  AttributeValue by;
};

// A sum or count on another item, which follows the rows of the step.
struct TotalCode {
  std::string entity;      // Whose item holds it, …
  std::string attribute;   // … under which name.
  std::vector<Value> key;  // The key of that item, in the order of its identity; of kind kRow.
  std::vector<FieldSource> before;    // The same, in the row's own item.
  std::optional<FieldSource> amount;  // For a sum.
  bool added = false;                 // The row counts after the step …
  bool taken = false;                 // … and did before it.
};

struct WriteStepCode {
  enum class Kind { kPut, kUpdate, kDelete, kPutIn, kUpdateIn, kDeleteIn };
  Kind kind = Kind::kPut;
  const model::WriteStep* source = nullptr;
  const EntityCode* entity = nullptr;  // The entity of the written item.
  std::string row_entity;              // The entity that the step is about; differs for …In.
  std::string parameter;               // "enrollment"; of an update and delete: the row's key.
  bool once = false;
  std::vector<Field> row;  // The caller's part: all fields, or key and changes.
  std::vector<Field> set;  // For an update: fields that get another value, counters apart.
  // For attributes that are set or put, the values that the model states: `status = "DONE"`.
  std::vector<std::pair<std::string, AttributeValue>> constants;
  std::vector<Field> lacks;       // For a put: `without owner`.
  std::vector<Counter> counters;  // For an update.
  std::vector<Counter> counted;   // Attributes that keys or copies need: read, added to and set.
  // Key attributes that get another value, which the caller gives under another name.
  std::map<std::string, std::string> renamed;
  bool moves = false;                    // The update may change the item's key.
  // An item of a second layout, by what the caller's values say of its key.
  enum class Place {
    kGiven,  // They name it, and every row has such an item.
    kKept,   // An update leaves it where it is: the row as it was says where, and whether there is one.
    kMoves,  // It may come, go or move.
  };
  Place place = Place::kGiven;
  bool written = true;  // False: only second layouts hold what the step changes.
  // What the new item of a second layout needs and the first one does not hold: read from another one.
  struct Rest {
    const EntityCode* layout = nullptr;
    std::vector<KeyValue> key;  // Arguments of kind kRow.
    std::vector<Field> fields;
  };
  std::vector<Rest> rest;
  std::vector<WriteStepCode> beside;  // The same row in its second layouts.
  StepCondition condition;               // For an update or delete.
  std::vector<Field> asked;              // The fields of `row` that only the condition needs.
  std::vector<KeyValue> key;             // The key of the item; arguments of kind kRow.
  std::vector<StoredKey> rendered;       // Keys that change with the update.
  std::vector<Field> removed;            // For an update: fields that it removes …
  std::vector<StoredKey> dropped;        // … and the keys that go with it.
  std::vector<LockCode> locks;           // That come, go or move with the step.
  std::vector<FieldSource> read_before;  // Fields that keys need and the caller does not give.
  std::vector<std::string>
      expect_key;                    // Key attributes that must be unchanged since they were read.
  std::vector<StoredCopy> recopied;  // For an update: copies of another original than before.
  std::vector<CopyRefresh> refreshes;
  std::vector<TotalCode> totals;
  bool many = false;                      // The caller gives a list of rows.
  std::vector<WriteStepCode> cascade;     // For a delete: the rows that go with it, each found …
  const PatternFunction* find = nullptr;  // … by this …
  std::string finder;                     // … function, whose rows the step is about.
  // …In: the row inside a list or map.
  StoredRows in;
  std::string by;
  std::vector<Field> members;      // Stored names are the fields' names.
  std::vector<Field> member_keys;  // The fields that tell rows of a list apart.

  bool IsConstant(std::string_view attribute) const {
    return std::ranges::any_of(constants, [&](const auto& one) { return one.first == attribute; });
  }
  // The key, with constants in place of the caller's values.
  StoredKey WithConstants(StoredKey stored) const;

  // It must know the item as it is before the step.
  bool reads_before() const {
    return find == nullptr &&
           (!read_before.empty() || !rest.empty() || moves || !counted.empty() ||
            std::ranges::any_of(locks, [](const LockCode& lock) { return lock.given_up; }) ||
            std::ranges::any_of(totals, [](const TotalCode& total) { return total.taken; }));
  }
};

struct WriteFunction {
  const model::Write* write = nullptr;
  std::string name;
  std::vector<WriteStepCode> steps;
  bool together = false;
  std::string refusal;  // Not empty: why there is no function.

  // Its actions are collected before they are sent: it has loops or changes totals.
  bool collects() const {
    return std::ranges::any_of(steps, [](const WriteStepCode& step) {
      return step.many || !step.totals.empty() || !step.cascade.empty();
    });
  }
};

// A pattern or write that has no function.
struct MissingCode {
  enum class Kind { kPattern, kWrite };
  Kind kind = Kind::kPattern;
  std::string name;
  std::string reason;

  std::string Text() const { return name + ": " + reason; }
};

struct Program {
  const model::Model* model = nullptr;
  std::string title;
  std::string file;     // Name of the model file.
  std::string version;  // The version of the generating program.
  std::string source;   // The model, as `prejoin format` writes it.
  std::string module;   // "students_and_courses"
  std::deque<KeyFunction> key_functions;
  std::deque<EntityCode> entities;
  std::deque<EntityCode> second_layouts;  // Declared by `item X of Entity`, under their own names.
  std::vector<NestedType> nested;         // Inner ones first.
  std::vector<TableCode> tables;
  std::deque<PatternFunction> patterns;
  std::deque<PatternFunction> copy_patterns;  // The patterns of CopyRefresh; not for callers.
  std::deque<model::Pattern> copy_questions;  // The questions that those serve.
  std::vector<WriteFunction> writes;
  std::map<std::string, std::set<std::string>> declared;  // Names of the package, by language.
  std::vector<MissingCode> refused;                       // Patterns that no key serves.

  // Patterns first, then writes.
  std::vector<MissingCode> Missing() const;
  const EntityCode* FindEntity(std::string_view name) const;
  // An entity or a second layout.
  const EntityCode* FindLayout(std::string_view name) const;
  const TableCode* FindTable(std::string_view name) const;
  // The words that an entity or a second layout has in generated names, and the type of its rows.
  std::string CodeName(std::string_view entity) const;
  std::string TypeName(std::string_view entity) const;
};

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_PROGRAM_H_
