#include "model/syntax/words.h"

#include <algorithm>
#include <array>

#include "json/indented_writer.h"

namespace prejoin::model {
namespace {

using enum WordPlace;

// In the order of WordPlace.
constexpr std::array kPlaceNames = std::to_array<std::string_view>(
    {"file",        "entity",  "attribute", "type",   "relationship", "sides",
     "cardinality", "pattern", "find",      "order",  "condition",    "connective",
     "fresh",       "clause",  "write",     "step",   "table",        "keys",
     "projection",  "item",    "stored",    "upkeep", "template",     "value"});

constexpr std::array kWords = std::to_array<Word>({
    // The file.
    {"model", kFile, "Names the design.", "model \"School\""},
    {"entity", kFile, "Declares a kind of record with its attributes.",
     "entity Student { id text(~8) key  count 20_000 }"},
    {"relationship", kFile, "Declares how two entities relate, and how many of each.",
     "relationship Orders: User one-to-many Order { each User has ~8, unbounded }"},
    {"hierarchy", kFile, "Declares levels of one entity, from the largest to the smallest.",
     "hierarchy Places: Shop by country > state > city"},
    {"pattern", kFile, "Declares an access pattern, its rate, and an example that `prove` runs.",
     "pattern Roster { find Enrollment where courseId = :course  rate 10/s }"},
    {"write", kFile, "Declares what the application writes in one step, and how often.",
     "write Enrol { put Enrollment once  rate 1/s }"},
    {"table", kFile, "Declares a table: its keys, its indexes and the items it holds.",
     "table School partition PK sort SK { … }"},
    {"strategy", kFile, "States how a relationship is stored; `check` compares the keys with it.",
     "strategy Enrolments = adjacency-list, inverted-index"},
    {"sample", kFile, "Lists a few rows of an entity, for `prove` and the studio.",
     "sample Student (id, name) { \"a91\", \"Ada\" }"},
    {"items", kFile, "Names a file with the items that a table holds today.",
     "items from \"dump.json\" in School"},
    {"tenant", kFile, "Names the attribute that every partition key should begin with.",
     "tenant Org.id"},
    {"allow", kFile, "Suppresses a rule in the whole file, with a reason.",
     "allow PJ301 because \"the table already exists\""},
    {"from", kClause, "Precedes the file that holds the items.", "items from \"dump.json\"",
     "items"},
    {"in", kClause, "Precedes the table that holds the items.", "items from \"a.json\" in School",
     "items"},
    {"because", kClause, "Precedes the reason of an `allow` or a `scan`.",
     "allow PJ203 because \"few items\"", "allow scan"},
    // Entities.
    {"count", kEntity, "States how many rows the entity has.", "count 20_000"},
    {"kept", kEntity,
     "States how long a row is kept; the row count follows from the rate of its puts.",
     "kept 90 days"},
    {"ttl", kEntity, "Names the attribute that holds the time at which a row expires.",
     "ttl expiresAt kept 90 days"},
    {"together", kEntity, "Lists optional attributes that are present or absent together.",
     "together escalatedTo, escalatedAt"},
    {"allow", kEntity, "Suppresses a rule in this entity, with a reason.", ""},
    {"kept", kClause, "Precedes how long a row lives.", "ttl expiresAt kept 90 days", "ttl"},
    {"fixed", kClause, "Keeps a count the same at every scale.", "count 12 fixed", "count"},
    // Types.
    {"text", kType, "A string; the number is its average length in bytes.", "text(~20, max 80)"},
    {"number", kType, "A number; the figure is its number of digits.", "number(6)"},
    {"bool", kType, "True or false.", ""},
    {"binary", kType, "Bytes.", "binary(~200)"},
    {"date", kType, "A day, written 2026-01-31.", ""},
    {"time", kType, "A time in UTC, written 2026-01-31T12:00:00Z.", ""},
    {"list", kType, "A list of values, or of maps with declared members.", "list of (kind text)"},
    {"map", kType, "A map; `of` declares its members.", "map of (kind text, until date optional)"},
    {"text-set", kType, "A set of strings.", ""},
    {"number-set", kType, "A set of numbers.", ""},
    {"references", kType, "Holds the value of an attribute of another entity, and has its type.",
     "studentId references Student.id"},
    {"max", kType, "States the maximum size in bytes.", "text(~20, max 80)"},
    {"of", kType, "Precedes the members of a map, or of each map in a list.", "map of (kind text)"},
    // Attributes.
    {"key", kAttribute, "Marks an attribute as part of what identifies a row.", "id text(~8) key"},
    {"optional", kAttribute,
     "Marks an attribute that some rows lack; a share says how many have it.",
     "grade text(~2) optional 60%"},
    {"unique", kAttribute, "States that no two rows have the same value.", "email text unique"},
    {"immutable", kAttribute, "States that the value never changes, so copies stay correct.", ""},
    {"changes", kAttribute, "States how often the value changes.", "name text changes 1/year"},
    {"values", kAttribute, "Lists the only values that the attribute may have.",
     "kind text values (\"BOOK\", \"GAME\")"},
    {"one", kAttribute,
     "Begins `one of`: the only values, each with the share of rows that have it.",
     "status one of \"OPEN\" 3%, \"DONE\" 97%"},
    {"of", kAttribute, "Ends `one of`.", "status one of \"OPEN\", \"DONE\""},
    {"day", kAttribute, "Precedes `distinct`: over how many days the values spread.",
     "at time day distinct 90"},
    {"first", kAttribute, "Precedes `distinct`: how many different beginnings the values have.",
     "geohash text(9) first 5 distinct 2_000"},
    {"distinct", kAttribute, "States how many different values the attribute has.", "distinct 200"},
    {"zipf", kAttribute, "States the exponent of Zipf's law by which rows spread over the values.",
     "zipf 1.1"},
    {"hottest", kAttribute, "States the share of rows and requests that the most used value gets.",
     "hottest 5%"},
    {"grows", kAttribute, "States that new rows have the present date or time, a hot key.", ""},
    {"spread", kAttribute, "States that new rows have any date or time, so no key is hot.", ""},
    // Relationships.
    {"one-to-one", kSides, "Each row of either entity belongs to one of the other.", ""},
    {"one-to-many", kSides, "Each row of the second entity belongs to one of the first.", ""},
    {"many-to-many", kSides, "Rows of both entities belong to many; a third entity links them.",
     "Student many-to-many Course through Enrollment"},
    {"through", kSides, "Precedes the entity that links both sides of a many-to-many.", ""},
    {"by", kSides, "Precedes the attributes that join the entities, or the levels of a hierarchy.",
     "hierarchy Places: Shop by country > state"},
    {"each", kRelationship, "States how many rows of the other side one row has.",
     "each Course has ~250, at most 2_000"},
    {"changes", kRelationship, "States how often links are added or removed.", "changes 4/s"},
    {"sparse", kRelationship, "States that few of the possible links exist.", ""},
    {"dense", kRelationship, "States that many of the possible links exist.", ""},
    {"allow", kRelationship, "Suppresses a rule for this relationship, with a reason.", ""},
    {"by", kCardinality, "Names the attribute that points at the entity, where one entity relates to itself.",
     "each User by followerId has ~200"},
    {"has", kCardinality, "Precedes the average number of rows.", "each User has ~8, unbounded"},
    {"at", kCardinality, "Begins `at most`, the maximum.", "at most 2_000"},
    {"most", kCardinality, "Ends `at most`, the maximum.", "at most 2_000"},
    {"unbounded", kCardinality, "States that nothing limits the number.", ""},
    {"skew", kCardinality, "May precede `zipf` or `hottest`.", "skew zipf 1.1"},
    {"zipf", kCardinality, "States the exponent of Zipf's law by which rows spread over parents.",
     ""},
    {"hottest", kCardinality, "States the share of rows that the largest parent has.",
     "hottest 5%"},
    // Patterns.
    {"find", kPattern, "Reads rows of one entity; several lines are parts of one answer.",
     "find Order where userId = :user order by date desc limit 20"},
    {"count", kPattern, "Counts rows of one entity.",
     "count Order where userId = :user and status = \"OPEN\""},
    {"sum", kPattern, "Adds up an attribute of rows of one entity.",
     "sum Order.total where userId = :user"},
    {"rate", kPattern, "States how often the pattern runs.", "rate 20/s peak 80/s"},
    {"returns", kPattern, "States how many rows one answer of the `find` above has.", "returns ~5"},
    {"fresh", kPattern, "States the consistency that the answer needs.", "fresh strong"},
    {"example", kPattern, "Gives arguments, and how many rows they return; `prove` runs it.",
     "example course = \"math204\" gives 2"},
    {"scan", kPattern, "Lets the pattern read the whole table where no key supports it.",
     "scan allowed because \"a nightly report\""},
    {"one", kPattern, "Begins `one request`: the pattern must be answered by a single request.",
     "one request"},
    {"allow", kPattern, "Suppresses a rule in this pattern, with a reason.", ""},
    {"request", kClause, "Ends `one request`.", "one request", "one"},
    {"allowed", kClause, "Follows `scan`.", "scan allowed because \"a nightly report\"", "scan"},
    {"gives", kClause, "Precedes the number of rows that an example returns.", "gives 3 rows",
     "example"},
    {"rows", kClause, "May follow the number of rows.", "gives 3 rows", "example"},
    {"row", kClause, "May follow the number of rows.", "gives 1 row", "example"},
    {"peak", kClause, "States the rate at peak load.", "rate 20/s peak 80/s", "rate"},
    {"from", kClause, "Precedes the hours of the day in which a rate holds.",
     "rate 5/s, 500/s from 08:00 to 10:00", "rate"},
    {"to", kClause, "Precedes the end of the hours in which a rate holds.",
     "rate 5/s, 500/s from 08:00 to 10:00", "rate"},
    {"via", kFind, "Reads the rows that a link entity points at; conditions are on the link.",
     "find Course via Enrollment where studentId = :student"},
    {"where", kFind, "Precedes the conditions, which all must hold.", "where id = :id"},
    {"order", kFind, "Begins `order by`, the order of the answer.", "order by date desc"},
    {"limit", kFind, "States the maximum number of rows.", "limit 20"},
    {"returns", kFind, "States how many rows one answer has.", "returns ~5"},
    {"and", kFind, "Joins two conditions.", "where a = :a and b = :b"},
    {"get", kFind, "Lists what the pattern returns, also from rows that this one references.",
     "get id, Product.title"},
    {"by", kOrder, "Ends `order by`.", "order by date desc"},
    {"asc", kOrder, "Sorts from the smallest value, the default.", ""},
    {"desc", kOrder, "Sorts from the largest value.", "order by date desc"},
    {"descending", kOrder, "Sorts from the largest value, like `desc`.", ""},
    {"and", kConnective, "Joins two conditions.", "where a = :a and b = :b"},
    {"or", kConnective, "Is reported: a Query reads one range of one partition.", ""},
    {"optional", kConnective, "Marks a condition that a request may leave out.",
     "and optional city = :city"},
    {"between", kCondition, "Compares with two values, both included.", "date between :a and :b"},
    {"in", kCondition, "Compares with a list of values.", "id in (:first, :second)"},
    {"begins_with", kCondition, "Compares with the beginning of a text.",
     "begins_with(name, :start)"},
    {"contains", kCondition, "Looks for a member of a set or list, or a part of a text.",
     "contains(tags, :tag)"},
    {"exists", kCondition, "Holds where the row has the attribute.", "exists(escalatedTo)"},
    {"not", kCondition, "Precedes `exists`: true if the row lacks the attribute.",
     "not exists(winner)"},
    {"year", kCondition, "Compares the years of a date or time.", "at year = :year"},
    {"month", kCondition, "Compares the months of a date or time.", "at month = :month"},
    {"day", kCondition, "Compares the days of a date or time.", "at day = :day"},
    {"hour", kCondition, "Compares the hours of a time.", "at hour = :hour"},
    {"first", kCondition, "Compares this many characters from the beginning.",
     "geohash first 5 = :cell"},
    {"strong", kFresh, "Requires a strongly consistent read.", "fresh strong"},
    {"eventual", kFresh, "Accepts an eventually consistent read.", "fresh eventual"},
    {"after", kFresh, "Requires that the answer shows the write named here.", "fresh after Enrol"},
    // Writes.
    {"put", kWrite, "Writes a whole item.", "put Enrollment once"},
    {"update", kWrite, "Changes attributes of one item.", "update Enrollment set grade"},
    {"delete", kWrite, "Deletes one item.", "delete Order where id = :o with Line"},
    {"together", kWrite, "Makes all steps one transaction.", ""},
    {"rate", kWrite, "States how often the write runs.", "rate 2/s peak 9/s"},
    {"allow", kWrite, "Suppresses a rule in this write, with a reason.", ""},
    {"once", kStep, "Refuses the put if the item exists.", "put Enrollment once"},
    {"times", kStep, "Puts several rows of one entity.", "put Line times 3"},
    {"for", kStep, "Begins `for each`: a row for every row of another entity.",
     "put Timeline for each Follower"},
    {"each", kClause, "Ends `for each`.", "put Timeline for each Follower", "put update delete"},
    {"if", kStep, "Precedes a condition; the write is refused where it does not hold.",
     "if people < 50"},
    {"where", kStep, "Precedes the conditions that select the row.", "where id = :id"},
    {"set", kStep,
     "Lists the attributes that the update changes: to any value, to a given one, or by `+=`.",
     "set status = \"DONE\", people += 1"},
    {"remove", kStep, "Lists the attributes that the update removes.", "remove winner"},
    {"with", kStep,
     "Lists the attributes of a new row, or the entities whose rows are deleted with this one.",
     "put Game with opened, status = \"OPEN\""},
    {"without", kStep, "Lists optional attributes that a new row lacks.",
     "put Game without winner"},
    // Tables.
    {"item", kTable, "Declares how one entity is stored: a line for each key, copy and list.",
     "item Student { PK = \"STU#{id}\"  SK = \"PROFILE\" }"},
    {"index", kTable, "Declares a global secondary index, which is eventually consistent.",
     "index GSI1 partition GSI1PK sort GSI1SK project all"},
    {"local", kTable, "Begins `local index`, which sorts each partition in another order.",
     "local index ByTotal sort total project all"},
    {"type", kTable, "Names the attribute that holds the entity's name.", "type EntityType"},
    {"sorts", kTable, "Claims an order between the items of two entities; `check` verifies it.",
     "sorts Customer before Order"},
    {"allow", kTable, "Suppresses a rule in this table, with a reason.", ""},
    {"index", kClause, "Ends `local index`.", "local index ByTotal sort total project all",
     "local"},
    {"before", kClause, "Precedes the entity that sorts later.", "sorts Customer before Order",
     "sorts"},
    {"upper", kClause, "Writes the entity's name in capital letters.", "type EntityType upper",
     "type"},
    {"partition", kKeys, "Precedes the partition key.", "table School partition PK sort SK"},
    {"sort", kKeys, "Precedes the sort key.", "table School partition PK sort SK"},
    {"project", kKeys, "Precedes what an index holds besides its keys.",
     "project grade, enrolledOn"},
    {"of", kClause, "Precedes the entity whose rows a second layout stores again.",
     "item OrderByDay of Order (note) { … }", "item"},
    {"all", kProjection, "Projects every attribute.", "project all"},
    {"keys", kProjection, "Projects the keys only.", "project keys"},
    // Items.
    {"without", kItem, "Lists attributes that are stored in the keys only, or in another layout.",
     "without studentId, courseId"},
    {"unique", kItem, "Keeps an attribute unique by an item for each value, in one transaction.",
     "unique email by lock item"},
    {"allow", kItem, "Suppresses a rule in this item, with a reason.", ""},
    {"by", kClause, "Used in `unique … by lock item`.", "unique email by lock item", "unique"},
    {"item", kClause, "Used in `unique … by lock item`.", "unique email by lock item", "unique"},
    {"lock", kClause, "Used in `unique … by lock item`.", "unique email by lock item", "unique"},
    {"copy", kStored, "Begins `copy of`: an attribute of another entity, stored here too.",
     "name = copy of Student.name kept by stream"},
    {"sum", kStored, "Begins `sum of`: a total over the rows that point at this one.",
     "total = sum of Line.price kept by transaction"},
    {"count", kStored, "Begins `count of`: the number of rows that point at this one.",
     "lines = count of Line"},
    {"list", kStored, "Begins `list of`: rows of another entity inside this item.",
     "Movies = list of Casting (title)"},
    {"map", kStored, "Begins `map of`: rows of another entity inside this item, by an attribute.",
     "Addresses = map of Address by label (street, city)"},
    {"of", kStored, "Precedes the entity or attribute.", "copy of Student.name"},
    {"by", kStored, "Precedes the attribute that becomes the map's key, or who keeps a copy.", ""},
    {"kept", kStored, "Begins `kept by`, which states how copies are kept up to date.",
     "kept by stream"},
    {"transaction", kUpkeep, "The transaction that changes the original updates the copies.", ""},
    {"stream", kUpkeep, "A consumer of the table's stream updates the copies.", ""},
    {"batch", kUpkeep, "A periodic job updates the copies.", ""},
    {"nobody", kUpkeep, "Nothing updates the copies.", ""},
    {"never", kUpkeep, "Nothing updates the copies, like `nobody`.", ""},
    // Templates and values.
    {"pad", kTemplate, "Writes a number with zeros in front, so that it sorts as text.",
     "\"{no pad 6}\""},
    {"lower", kTemplate, "Writes the value in lower case.", "\"{email lower}\""},
    {"upper", kTemplate, "Writes the value in upper case.", "\"{state upper}\""},
    {"shard", kTemplate, "Spreads a hot key over several, chosen by an attribute.",
     "\"VOTE#{shard 8 of voterId}\""},
    {"of", kTemplate, "Precedes the attribute that chooses the shard.", "\"{shard 8 of voterId}\""},
    {"year", kTemplate, "Writes the year of a date or time.", "\"{at year}\""},
    {"month", kTemplate, "Writes the month of a date or time, 2026-01.", "\"{at month}\""},
    {"day", kTemplate, "Writes the day of a date or time, 2026-01-31.", "\"LOG#{at day}\""},
    {"hour", kTemplate, "Writes the hour of a time, 2026-01-31T12.", "\"LOG#{at hour}\""},
    {"first", kTemplate, "Writes this many characters from the beginning.",
     "\"CELL#{geohash first 5}\""},
    {"descending", kTemplate, "Counts a number down from nines, so that the largest sorts first.",
     "\"{score descending 6}\""},
    {"true", kValue, "The value true.", ""},
    {"false", kValue, "The value false.", ""},
    {"null", kValue, "The value null.", ""},
});

}  // namespace

std::string_view WordPlaceName(WordPlace place) {
  return kPlaceNames.at(static_cast<std::size_t>(place));
}

std::span<const Word> AllWords() { return kWords; }

std::vector<std::string> WordsAt(WordPlace place) {
  std::vector<std::string> words;
  for (const Word& word : kWords) {
    if (word.place == place) {
      words.emplace_back(word.text);
    }
  }
  return words;
}

std::vector<std::string> WordsBehind(std::string_view head) {
  std::vector<std::string> words;
  for (const Word& word : kWords) {
    const std::string heads = " " + std::string(word.behind) + " ";
    if (!head.empty() && heads.find(" " + std::string(head) + " ") != std::string::npos) {
      words.emplace_back(word.text);
    }
  }
  return words;
}

const Word* FindWord(std::string_view text, std::span<const WordPlace> places) {
  const Word* found = nullptr;
  for (const Word& word : kWords) {
    if (word.text != text) {
      continue;
    }
    if (std::ranges::find(places, word.place) != places.end()) {
      return &word;
    }
    found = found == nullptr ? &word : found;
  }
  return found;
}

std::string WordsJson() {
  json::IndentedWriter json;
  json.BeginArray();
  for (const Word& word : kWords) {
    json.BeginObject().Field("word", word.text).Field("place", WordPlaceName(word.place));
    json.Field("behind", word.behind)
        .Field("help", word.help)
        .Field("example", word.example)
        .Field("since", word.since);
    json.EndObject();
  }
  return json.EndArray().Finish();
}

}  // namespace prejoin::model
