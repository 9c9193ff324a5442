#include "model/check/rule.h"

#include <array>

namespace prejoin::model {
namespace {

constexpr Severity kE = Severity::kError;
constexpr Severity kW = Severity::kWarning;
constexpr Severity kN = Severity::kNote;

constexpr std::array kRules = std::to_array<Rule>({
    {"PJ001", "syntax", kE, "the file cannot be read here",
     "A statement that cannot be read is not part of the model.",
     "Follow the suggestion; docs/model/grammar.md has every statement."},
    {"PJ002", "key-template", kE, "a key template cannot be read",
     "Keys are rendered from templates, so they must be exact.",
     "Write {attribute}, {attribute pad 6}, {attribute lower}, {attribute upper} or {shard 8 of "
     "attribute}."},
    {"PJ003", "unknown-name", kE, "a name means nothing, or is used for two things",
     "An attribute on an item that its entity does not have is data nobody declared.",
     "Correct the spelling or declare it."},
    {"PJ004", "unused-allow", kW, "a suppression that suppresses nothing",
     "Left-over suppressions hide the next real finding.", "Remove the `allow` line."},
    {"PJ005", "empty-model", kE, "the file declares nothing",
     "An empty file would pass every other rule.",
     "Start with an entity; docs/model/grammar.md and examples/models show how."},
    {"PJ101", "unserved-pattern", kE, "no key serves this pattern: it would need a Scan",
     "A Scan reads the whole table, costs accordingly and grows with it.",
     "Add the keys that the message proposes."},
    {"PJ102", "or-in-key-condition", kE, "OR cannot be part of a key condition",
     "A Query reads one contiguous range of one partition. OR asks for two.",
     "Write two `find` lines, or `attribute in (…)` for several values of one attribute."},
    {"PJ103", "strong-read-on-index", kE,
     "a strongly consistent read cannot come from a global index",
     "Global indexes follow the table a moment later, always.",
     "Serve the pattern from the table or a local index, or accept `fresh eventual`."},
    {"PJ104", "read-after-write-on-index", kE,
     "the write may not be in the index yet when it is read",
     "A global index is filled a moment after the write is acknowledged.",
     "Read the item back from the table, show what was just written from memory, or accept `fresh "
     "eventual`."},
    {"PJ105", "key-collision", kE, "items of two entities can have the same key",
     "The second put silently replaces the first item.", "Give each entity its own prefix."},
    {"PJ106", "key-not-unique", kE, "two rows of an entity can have the same key",
     "Two shops in one zip code, two orders on one day: the second replaces the first.",
     "Put the whole key of the entity into the table's key, or guard the put with `once` and make "
     "the key what the template has."},
    {"PJ107", "prefix-too-wide", kE, "a prefix matches more than it should",
     "Without a closing delimiter, PROJECT#p1 also matches PROJECT#p10, and NY#NEWYORK matches "
     "NY#NEWYORKCITY.",
     "Put a delimiter between the attributes: {City}#{Zip}."},
    {"PJ108", "sort-claim", kE, "items do not sort as the model says",
     "Bytes decide: # (0x23) sorts before digits and letters, upper case before lower.",
     "Change the prefixes, or the claim."},
    {"PJ109", "item-too-large", kE, "items can pass 400 KB",
     "DynamoDB refuses the write that would pass it.",
     "Move the growing part to items of its own, or to object storage."},
    {"PJ110", "unbounded-list", kE, "a list or map in an item has no bound",
     "It grows until the item hits 400 KB, costs more with every write, and two writers overwrite "
     "each other.",
     "Declare `at most N` if the application enforces it; otherwise store the members as items."},
    {"PJ111", "collection-too-large", kE,
     "a collection can pass 10 GB in a table with a local index",
     "With a local index all items of a partition key together may not pass 10 GB. Without one "
     "there is no such limit.",
     "Use a global index instead, or a partition key with more values."},
    {"PJ112", "hot-partition", kW, "one key takes more than a partition can give",
     "A partition gives 3,000 read and 1,000 write units per second, whatever the table's "
     "capacity.",
     "Spread the key: {shard N of attribute} at its end, read with N parallel queries."},
    {"PJ113", "sample-clash", kE, "two sample rows become one item",
     "What happens in the sample will happen in production.", "Make the key unique."},
    {"PJ114", "ambiguous-items", kW,
     "items of two entities cannot be told apart when they are read",
     "A mixed collection must be read into typed rows.",
     "Give them different prefixes or declare `type EntityType` in the table."},
    {"PJ115", "delimiter-in-value", kW, "a value contains the delimiter of its key",
     "The key can then be read in two ways, and two different rows can become one key.",
     "Forbid the delimiter in the value, or choose another."},
    {"PJ116", "prefix-spelling", kE, "one prefix is written in two ways",
     "User# and USER#, or USER- and USER#, are different keys: a Query with one does not find the "
     "other.",
     "Use one spelling everywhere."},
    {"PJ117", "marker-spelling", kW, "two fixed sort keys differ by a few letters",
     "META here and METADATA there: a GetItem with the wrong one finds nothing.", "Use one word."},
    {"PJ118", "key-too-long", kE, "a key can be longer than DynamoDB allows",
     "A partition key has at most 2,048 bytes, a sort key 1,024.",
     "Declare smaller maximum sizes, or shorten the template."},
    {"PJ119", "index-limits", kE, "more indexes or projected attributes than a table may have",
     "20 global and 5 local indexes, 100 projected attributes in all, 4 partition and 4 sort "
     "attributes in a global index.",
     "Overload the indexes: several entities can share one."},
    {"PJ120", "key-type", kE, "a value of this type cannot be a key",
     "Keys are text, numbers or binary.", "Use another attribute."},
    {"PJ121", "no-projection", kE, "an index says not what it projects",
     "CreateTable is not valid without a projection for each index.",
     "Add `project all`, `project keys` or `project a, b`."},
    {"PJ122", "number-order", kE, "numbers in a text key do not sort like numbers",
     "As text, 10 stands before 9.",
     "Write {attribute pad N}, or use the number as a natural key."},
    {"PJ201", "index-per-relationship", kW, "indexes that could be one",
     "Every index costs writes and storage, and there may be 20.",
     "Overload one index: give each entity its own key values in it."},
    {"PJ202", "unprefixed-sort-key", kW,
     "a sort key without a prefix in a collection of several entities",
     "Without a prefix no Query can ask for one entity alone.",
     "Start the template with the entity's name: ORDER#{id}."},
    {"PJ203", "thrown-away", kW, "the pattern reads items it does not want",
     "Items of another entity stand inside the range it reads: they are paid for and thrown away, "
     "and they push wanted items to the next page.",
     "Move the other entity to a collection of its own (for example an index), or accept that one "
     "level cannot be read without its subtree."},
    {"PJ204", "serial-requests", kW, "the pattern needs several requests, one after the other",
     "Each round trip adds latency, and the parts may not fit together in time.",
     "Put the items into one collection, or copy what is needed."},
    {"PJ205", "missing-attributes", kW,
     "the items that are read do not have what the pattern returns",
     "An edge or an index entry has only its own and its projected attributes. Names of the other "
     "side need another request.",
     "Copy the attributes, or project them; or state that ids are enough with `get`."},
    {"PJ206", "parent-not-in-collection", kW, "parent and children are not in one collection",
     "The parent has no keys in the view that serves the children, so it takes a request of its "
     "own.",
     "Give the parent keys in that view."},
    {"PJ207", "filtered", kW, "a condition is not served by keys",
     "A filter throws away after reading: the read is paid in full.",
     "Put the attribute into a key."},
    {"PJ208", "client-sort", kW, "the keys do not give the order that is asked for",
     "The application must read everything and sort; a limit saves nothing then.",
     "Put the order's attribute right behind the bound part of a sort key."},
    {"PJ209", "projection-too-wide", kW, "the index keeps attributes that nothing reads from it",
     "They cost storage and a write each time they change.",
     "Project only what the patterns need."},
    {"PJ210", "unused-index", kW, "no pattern uses this index",
     "It costs writes and storage for nothing.", "Remove it, or declare the pattern it is for."},
    {"PJ211", "unused-attribute", kN, "no pattern reads this attribute and no write sets it",
     "It is stored for nothing, as far as the model says.", "Remove it, or declare its use."},
    {"PJ212", "fast-copies", kW, "copied data changes often and has many copies",
     "Each change must reach every copy. High rate times many copies is the case where duplication "
     "loses.",
     "Keep it in one place and read it there."},
    {"PJ213", "copy-upkeep", kW, "a copy of data that can change, and nobody keeps it right",
     "Copies drift apart silently.",
     "State `kept by transaction`, `kept by stream` or `kept by batch`, or declare the attribute "
     "immutable."},
    {"PJ214", "tenant-isolation", kW, "not under the tenant's leading key",
     "Fine-grained access control (dynamodb:LeadingKeys) can only allow partition keys that begin "
     "with the tenant.",
     "Start the partition key with the tenant."},
    {"PJ215", "list-of-many", kW, "a many-to-many relationship kept in lists",
     "No reverse read, 400 KB, and two writers that overwrite each other's change.",
     "Store each link as an edge item."},
    {"PJ216", "edge-data-on-endpoint", kW, "data of a relationship copied to one of its ends",
     "The edge is the one place where it can be changed once.",
     "Keep it on the edge item, or declare it immutable."},
    {"PJ217", "one-partition", kW, "all items of an entity have one partition key",
     "One partition serves 3,000 reads and 1,000 writes per second and is the first to throttle.",
     "Put an attribute or a shard into the key."},
    {"PJ218", "relational-tables", kW, "one table for each entity, joined by the application",
     "That is a relational design without its database: every join becomes serial requests.",
     "Pre-join what is read together: one table, shared partition keys."},
    {"PJ219", "strategy-mismatch", kW, "the keys do not do what the stated strategy says",
     "A reader trusts the stated strategy.",
     "State the strategy the keys have, or change the keys."},
    {"PJ220", "local-time", kW, "a time without zone",
     "Local times do not sort across zones and disagree with ids made from epochs.",
     "Store UTC: 2019-09-26T03:31:54Z."},
    {"PJ221", "not-stored", kW, "an entity is stored nowhere",
     "Its data is declared, but no item holds it, so nothing can ever read it.",
     "Give it items in a table, keep it inside another item, or remove it."},
    {"PJ222", "nothing-asked", kW, "the model has no pattern and no write",
     "Keys are right or wrong only for what is asked; without patterns nothing can be proved.",
     "Declare what the application reads and writes."},
    {"PJ223", "counts-disagree", kW, "the counts of a relationship contradict each other",
     "Costs, sizes and generated data follow from the counts, so they must fit together.",
     "Correct one of the counts, or the cardinality."},
    {"PJ224", "unknown-reference", kW, "a sample row points at a row that is not there",
     "Joins on it find nothing, and the proof is about data that cannot exist.",
     "Add the row, or correct the value."},
    {"PJ301", "name-needs-placeholder", kN,
     "this attribute name needs a placeholder in every expression",
     "Hyphens, dots and reserved words cannot stand in an expression.",
     "Rename it, or always use ExpressionAttributeNames."},
});

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

const Rule* FindRule(std::string_view id_or_name) {
  for (const Rule& rule : kRules) {
    if (rule.id == id_or_name || rule.name == id_or_name) return &rule;
  }
  return nullptr;
}

std::string ExplainRule(const Rule& rule) {
  std::string out(rule.id);
  out += " " + std::string(rule.name) + " (" + std::string(SeverityName(rule.severity)) + ")\n";
  out += "  What: " + std::string(rule.summary) + "\n";
  out += "  Why:  " + std::string(rule.why) + "\n";
  out += "  Mend: " + std::string(rule.mend) + "\n";
  out +=
      "  Allow it in one place with: allow " + std::string(rule.id) + " because \"the reason\"\n";
  return out;
}

}  // namespace prejoin::model
