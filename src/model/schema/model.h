// A model file: the logical half (entities, relationships, patterns, writes, sample) and the physical half (tables, indexes, items), each
// part with its place in the file. The readers make a ParsedModel, in which references are names that may mean nothing. model/bind makes a
// Model of it, in which each one has its declaration. Plain data, thread-compatible.
#ifndef PREJOIN_MODEL_SCHEMA_MODEL_H_
#define PREJOIN_MODEL_SCHEMA_MODEL_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema/attribute_type.h"
#include "model/schema/key_template.h"
#include "model/schema/reference.h"
#include "model/syntax/diagnostic.h"
#include "prejoin/item.h"

namespace prejoin::model {

struct Entity;
struct Relationship;
struct Write;

// ---- Logical half ----

// Entity.attribute
struct Path {
  Reference<Entity> entity;  // Names nothing: the entity at hand.
  Name attribute;
};

// The skew of rows or requests over the values of a key. Neither: all alike.
struct Skew {
  double zipf = 0;     // The exponent of Zipf's law.
  double hottest = 0;  // The share of the most used value, from 0 to 1.

  bool given() const { return zipf > 0 || hottest > 0; }
};

// For a date or time, the value in new rows: the present one, which makes it a hot key, or any.
enum class Drift { kNotStated, kGrows, kSpread };

struct Attribute {
  Name name;
  AttributeType type = AttributeType::kText;
  bool type_given = true;  // False for `references` until resolve.cc copies the target's type.
  double size_avg = 0;     // Bytes of the value; digits for numbers. 0: the type's usual size.
  double size_max = 0;     // 0: not stated.
  bool is_key = false;
  bool optional = false;
  std::optional<double> presence;  // `optional 2%`: the share of rows that have it.
  std::string group;               // Attributes of one group come and go together.
  double distinct = 0;             // Different values in all rows; 0: not stated.
  Skew skew;
  Drift drift = Drift::kNotStated;
  bool unique = false;
  bool immutable = false;
  double changes_per_second = 0;
  bool changes_given = false;
  std::vector<AttributeValue> values;  // Closed list of values; empty: open.
  std::vector<double> shares;          // For `values`: the share of rows that has each; empty: not stated.
  // `day distinct 90`: how many different beginnings the values have.
  std::vector<std::pair<Derivation, double>> derived_distinct;
  // For a member of Entity::derived: the attribute whose beginning it is, and how much of it. Empty for all others.
  std::string derived_from;
  Derivation derivation;
  std::optional<Path> references;
  std::vector<Attribute> members;  // The members of a map, or of each map in a list; empty: anything.
};

// The share of rows that have this one of the closed list of values; nothing for an open list. A value that is not in the list has 0.
std::optional<double> ShareOfValue(const Attribute& attribute, const AttributeValue& value);

// The share of rows under one value, averaged over requests that ask for values as often as rows have them: Σp². Nothing where no
// shares are stated.
std::optional<double> ShareOfOneValue(const Attribute& attribute);

// The first fault of a map or list that declares its members, as "plan.kind is missing"; empty: none.
std::string MemberFault(const Attribute& attribute, const AttributeValue& value);

struct Entity {
  Name name;
  std::size_t place = 0;  // In its model; bind.cc numbers them.
  std::vector<Attribute> attributes;
  // The parts of attributes that keys and conditions use, under names such as `at day`. Made by resolve.cc. Never
  // stored by themselves, so code that walks the attributes of a row skips them; Find knows them.
  std::vector<Attribute> derived;
  double count = 0;
  bool count_given = false;
  bool count_fixed = false;  // `count 12 fixed`: at any scale.
  double kept_days = 0;      // `kept 90 days`; 0: for ever.
  Name ttl;                  // The attribute that says when a row expires; empty: none.
  // For the rows of a second layout (Model::second_layouts): their entity. Names nothing for all others.
  Reference<Entity> rows_of;
  int last_line = 0;

  const Attribute* Find(std::string_view attribute) const;
  std::vector<std::string> KeyNames() const;
};

enum class RelationshipKind { kOneToOne, kOneToMany, kManyToMany, kHierarchy };

// The number of rows on the other side per `Entity` row.
struct Cardinality {
  Reference<Entity> entity;
  // `each User by follower has …`: the attributes that name the entity, where an entity is related to itself. Empty: not stated.
  std::vector<Name> by;
  double average = 0;
  double bound = 0;  // 0: unbounded.
  Skew skew;         // Between parents.
};

struct Relationship {
  Name name;
  std::size_t place = 0;
  RelationshipKind kind = RelationshipKind::kOneToMany;
  // The "one", or the first side of a many-to-many; of a hierarchy, the entity that has the levels.
  Reference<Entity> from;
  Reference<Entity> to;       // Names nothing for a hierarchy.
  Reference<Entity> through;  // For a many-to-many: the entity that holds the edges.
  std::vector<Name> by;  // Attributes of `to` that point at `from`; empty: found by `references`.
  std::vector<Name> levels;  // For a hierarchy, from the top.
  std::vector<Cardinality> cardinalities;
  double changes_per_second = 0;
  bool changes_given = false;
  std::optional<bool> sparse;

  const Cardinality* CardinalityOf(std::string_view entity) const;
  // The same among those that some of these attributes name; where none is stated to be so, any.
  const Cardinality* CardinalityOf(std::string_view entity,
                                   const std::set<std::string>& attributes) const;
  // The sides of a relationship of an entity with itself come in the order in which they are written.
  const Cardinality* CardinalityOfFrom() const;
  const Cardinality* CardinalityOfTo() const;
  // Whose rows point at the parent: the edges of a many-to-many, the "many" of others; of a hierarchy, the entity itself.
  const Reference<Entity>& child() const {
    return through.given() ? through : to.given() ? to : from;
  }
};

enum class Comparison {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kBeginsWith,
  kIn,
  kContains,
  kExists,
  kNotEqual,
  kNotExists
};

// True if the comparison has no operand.
inline bool IsPresenceTest(Comparison comparison) {
  return comparison == Comparison::kExists || comparison == Comparison::kNotExists;
}

std::string_view ComparisonName(Comparison comparison);
// A condition as DynamoDB's expressions spell it: "#a BETWEEN :x AND :y".
std::string ConditionText(Comparison comparison, const std::string& name,
                          const std::vector<std::string>& values);

// :parameter or a literal.
struct Operand {
  std::string parameter;  // Empty: literal.
  AttributeValue literal;
  SourceSpan at;
};

struct Condition {
  Name attribute;  // It may also be derived from one, `at day`: then both sides are compared by that much of their beginning.
  Comparison comparison = Comparison::kEqual;
  std::vector<Operand> operands;  // Two for between, any number for in, none for exists.
  bool optional = false;          // Only until optional_conditions.h has made variants of it.
  // For `at day`: how much of `derived_from` is compared. resolve_values.h gives `attribute` the name of both.
  Derivation derivation = {};
  std::string derived_from = {};
};

struct OrderKey {
  Name attribute;
  bool descending = false;
};

// The result of a section: the rows, their number, or the sum of an attribute.
enum class Measure { kRows, kCount, kSum };

// `find Entity [via Link] where … order by … limit … get …`: rows of one entity. `count Entity where …` and `sum Entity.attribute where …`
// read the same rows.
struct Section {
  Reference<Entity> entity;
  Measure measure = Measure::kRows;
  // Link entity: rows of `entity` that link rows point at; the conditions are on the link.
  Reference<Entity> via;
  std::vector<Condition> conditions;
  std::vector<OrderKey> order;
  std::optional<int> limit;
  // Empty: all attributes of the entity. For a count, the entity's key, filled in by resolve.cc; of a sum what is added up.
  std::vector<Path> get;
  std::optional<double> returns;  // `returns ~5`: rows of one answer.
  // `or` was written; or_at is its place. check reports it, planning refuses it.
  bool has_or = false;
  SourceSpan or_at;

  // Whose rows the conditions choose.
  const Reference<Entity>& searched() const { return via.given() ? via : entity; }
};

enum class Freshness { kEventual, kStrong, kAfterWrite };

struct Example {
  std::vector<std::pair<Name, AttributeValue>> arguments;
  std::optional<int> rows;  // "gives 3"
  SourceSpan at;
};

struct Pattern {
  Name name;
  std::string variant_of;  // For one combination of optional conditions: the pattern as declared.
  std::string title;
  std::vector<Section> sections;
  Freshness freshness = Freshness::kEventual;
  Reference<Write> after_write;
  double rate_per_second = 0;
  double peak_per_second = 0;  // 0: not stated.
  std::string scan_reason;     // `scan allowed because "…"`; empty: not allowed.
  std::vector<Example> examples;
  bool requires_one_request = false;
  SourceSpan one_request_at;
  int last_line = 0;

  std::vector<std::string> Parameters() const;
};

enum class WriteKind { kPut, kUpdate, kDelete };

struct Increment {
  Name attribute;
  double by = 1;
};

// `status = "DONE"`, `owner = :owner`
struct Setting {
  Name attribute;
  Operand value;
};

struct WriteStep {
  WriteKind kind = WriteKind::kPut;
  Reference<Entity> entity;
  bool once = false;                  // Put only if it is not there yet.
  std::vector<Name> set;              // Attributes an update changes, counters included.
  std::vector<Name> remove;           // Attributes an update takes away.
  std::vector<Increment> increments;  // `people += 1`
  std::vector<Setting> values;        // Assignments of `set` and `with` that state a value.
  std::vector<Name> with;             // For a put: attributes that each new row has, …
  std::vector<Name> without;          // … and those that none has.
  std::vector<Condition> where;       // Which row; its parameters are the write's.
  std::vector<Condition> guard;       // `if people < 50`: refused when it does not hold.
  int times = 1;                      // So many rows at once: `put OrderItem times 3`.
  Reference<Entity> for_each;  // One row for each row of this entity: `put Timeline for each Follower`.
  std::vector<Reference<Entity>> cascade;  // `delete Order with Line`: what goes with it.
};

struct Write {
  Name name;
  std::size_t place = 0;
  std::string title;
  std::vector<WriteStep> steps;
  bool together = false;  // One transaction.
  double rate_per_second = 0;
  double peak_per_second = 0;  // 0: not stated.
  int last_line = 0;
};

struct SampleRow {
  std::vector<std::optional<AttributeValue>> values;
  std::vector<SourceSpan> at;
  SourcePlace end;  // After its last value.
};

// `items from "dump.json" in Shop`: what a table really holds, for audits and proofs.
struct StoredItems {
  std::string file;  // Beside the model file, unless it is absolute.
  Name table;
  SourceSpan at;
};

struct Sample {
  Reference<Entity> entity;
  std::vector<Name> columns;
  std::vector<SampleRow> rows;
};

// ---- Physical half ----

enum class ProjectionKind { kAll, kKeys, kInclude };

struct Index {
  Name name;
  bool local = false;
  std::vector<Name> partition;  // For a local index: the table's.
  std::vector<Name> sort;
  ProjectionKind projection = ProjectionKind::kAll;
  bool projection_given = false;
  std::vector<Name> include;
  SourceSpan at;

  bool HasKey(std::string_view attribute) const;
};

enum class StoredKind { kTemplate, kCopy, kEmbedList, kEmbedMap, kSum, kCount };
enum class CopyUpkeep { kNotStated, kNever, kTransaction, kStream, kBatch };

std::string_view CopyUpkeepName(CopyUpkeep upkeep);

// One attribute of an item that is not simply an attribute of its entity.
struct StoredAttribute {
  Name name;
  StoredKind kind = StoredKind::kTemplate;
  KeyTemplate key;  // kTemplate
  Path copy;  // kCopy: `copy of Customer.name`; kSum: `sum of Line.price`; kCount: `count of Line`.
  CopyUpkeep upkeep = CopyUpkeep::kNotStated;
  Reference<Entity> embedded;  // kEmbed…: `list of Address`
  Name by;                    // kEmbedMap: attribute that becomes the map's key.
  std::vector<Path> members;  // Empty: all attributes but the ones that point at this item.
  SourceSpan at;
};

struct ItemLayout {
  Reference<Entity> entity;  // For a second layout: its own rows, in Model::second_layouts.
  // `item OrderById of Order`: the entity whose rows are stored once more; empty for the first layout.
  Reference<Entity> of;
  // `item OrderById of Order (status, total)`: all that is stored; empty: every attribute.
  std::vector<Name> only;
  std::vector<StoredAttribute> attributes;
  // Attributes of the entity that are kept in the keys only, or in another layout.
  std::vector<Name> without;
  std::vector<Name> locks;  // `unique email by lock item`: an item for each value keeps it unique.
  int last_line = 0;

  const StoredAttribute* Find(std::string_view attribute) const;
  bool Omits(std::string_view attribute) const;
};

// `sorts A before B`: a claim about the order inside a collection, which check verifies.
struct SortClaim {
  Reference<Entity> first;
  Reference<Entity> second;
};

struct Table {
  Name name;
  Name partition;
  Name sort;  // Empty: partition key only.
  Name type_attribute;
  bool type_upper = false;  // Holds STUDENT instead of Student.
  std::vector<Index> indexes;
  std::vector<ItemLayout> items;
  std::vector<SortClaim> sort_claims;
  int last_line = 0;

  const Index* FindIndex(std::string_view name) const;
  // True if the attribute is a key of the table or of one of its indexes.
  bool HasKey(std::string_view attribute) const;
};

struct StrategyChoice {
  Reference<Relationship> relationship;
  std::vector<Name> strategies;
};

// `allow PJ210 because "…"`: inside a block it covers that declaration, at the top the whole file.
struct Suppression {
  Name rule;
  std::string reason;
  int first_line = 0;
  int last_line = 0;
};

// `tenant Org.name`
struct Tenant {
  Path path;
};

// The layout of an entity's items and the table they are in; nulls if it has no items of its own.
struct Placement {
  const Table* table = nullptr;
  const ItemLayout* layout = nullptr;
  explicit operator bool() const { return layout != nullptr; }
};

// The declarations of a file. Its references may be unresolved.
struct ParsedModel {
  std::string title;
  std::vector<Entity> entities;
  std::vector<Relationship> relationships;
  std::vector<Pattern> patterns;
  std::vector<Write> writes;
  std::vector<Sample> samples;
  std::vector<StoredItems> stored_items;
  std::vector<Table> tables;
  std::vector<StrategyChoice> strategies;
  std::vector<Suppression> suppressions;
  std::optional<Tenant> tenant;
  // Rows of second layouts: like the entity, under the layout's name. Made by resolve_physical.cc. Apart from
  // `entities`, so that what goes through the logical half sees each row once, and what goes through items finds
  // the rows of each.
  std::vector<Entity> second_layouts;

  // For names that a person gives: in the file while it is bound, on the command line, at a cursor.
  const Entity* FindEntity(std::string_view name) const;
  const Relationship* FindRelationship(std::string_view name) const;
  const Pattern* FindPattern(std::string_view name) const;
  const Write* FindWrite(std::string_view name) const;
  Placement FindPlacement(std::string_view entity) const;
  // The first layout of an entity and the second ones, in the order of the file; of a second layout, only itself.
  std::vector<Placement> LayoutsOf(std::string_view entity) const;
};

// A model whose references all mean something. Only Bind makes one that is not empty. Its tables and patterns may be edited; its
// entities, relationships and writes keep their order, so that references stay right in every copy.
class Model : public ParsedModel {
 public:
  Model() = default;

  const Entity& At(const Reference<Entity>& entity) const;
  const Relationship& At(const Reference<Relationship>& relationship) const;
  const Write& At(const Reference<Write>& write) const;
  // Null where the reference names nothing.
  const Entity* AtOrNull(const Reference<Entity>& entity) const {
    return entity.given() ? &At(entity) : nullptr;
  }
  // For rooms that still hand names on as text.
  const Entity& AtName(std::string_view name) const { return *FindEntity(name); }
  // Returns the part of this model with the same name as a part of another model, such as the design before a change; null: none.
  const Entity* Counterpart(const Entity& of_another_model) const {
    return FindEntity(of_another_model.name.text);
  }

  using Placement = model::Placement;
  using ParsedModel::FindPlacement;
  Placement FindPlacement(const Reference<Entity>& entity) const {
    return FindPlacement(std::string_view(entity.text));
  }
  Placement FindPlacement(const Entity& entity) const {
    return FindPlacement(std::string_view(entity.name.text));
  }
  using ParsedModel::LayoutsOf;
  std::vector<Placement> LayoutsOf(const Reference<Entity>& entity) const {
    return LayoutsOf(std::string_view(entity.text));
  }
  std::vector<Placement> LayoutsOf(const Entity& entity) const {
    return LayoutsOf(std::string_view(entity.name.text));
  }
  // The entity whose rows these are: Order for a second layout of Order, the entity itself for all others.
  const Entity& RowsOf(const Entity& entity) const {
    return entity.rows_of.given() ? At(entity.rows_of) : entity;
  }
  const Entity& RowsOf(const Reference<Entity>& entity) const { return RowsOf(At(entity)); }
  const std::string& RowsOf(const std::string& name) const;

 private:
  explicit Model(ParsedModel bound) : ParsedModel(std::move(bound)) {}
  friend class Binder;
};

// Expected bytes of an attribute's value, by AWS's size rule.
double AverageValueBytes(const Attribute& attribute);
double MaximumValueBytes(const Attribute& attribute);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_MODEL_H_
