// Each language's habits, from the most particular to the most general; the first that fits answers. A habit looks at the
// tokens around the place where the reader stopped, never at the whole file, so it cannot change what is read.
#include "model/syntax/foreign_spelling.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "model/syntax/stopped_line.h"

namespace prejoin::model {
namespace {

using Spelling = std::optional<ForeignSpelling>;

// `==`, `===`
Spelling DoubleEquals(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (!line.IsSymbol(at, "=") || at == 0 || !line.IsSymbol(at - 1, "=")) {
    return std::nullopt;
  }
  std::size_t value = at + 1;
  while (line.IsSymbol(value, "=")) {
    ++value;
  }
  return ForeignSpelling{"`==` is one `=` here",
                         "write: " + line.Raw(at >= 2 ? at - 2 : 0) + " = " + line.Raw(value)};
}

// `"C#" + id`, `"C#" || id`
Spelling Concatenation(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (!line.IsSymbol(at, "+") || !line.IsSymbol(1, "=") || line.size() < 4) {
    return std::nullopt;
  }
  std::string text;
  for (std::size_t i = 2; i < line.size(); ++i) {
    if (line.IsString(i)) {
      text += line.Raw(i).substr(1, line.Raw(i).size() - 2);
    } else if (line.IsWord(i)) {
      text += "{" + line.Raw(i) + "}";
    }
  }
  return ForeignSpelling{"a key is one text, with attributes in braces inside it",
                         "write: " + line.Raw(0) + " = \"" + text + "\""};
}

// `total++`, `set total = total + 1`
Spelling CountedUp(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  const bool twice = line.IsSymbol(at, "+") && line.IsSymbol(at + 1, "+") && at > 0;
  const bool itself = line.IsWord(at) && at >= 2 && line.IsSymbol(at - 1, "=") &&
                      line.Raw(at - 2) == line.Raw(at) &&
                      (line.IsSymbol(at + 1, "+") || line.IsSymbol(at + 1, "-"));
  if (!twice && !itself) {
    return std::nullopt;
  }
  const std::string name = itself ? line.Raw(at) : line.Raw(at - 1);
  const std::string sign = itself ? line.Raw(at + 1) : "+";
  const std::string by = itself && !line.Raw(at + 2).empty() ? line.Raw(at + 2) : "1";
  return ForeignSpelling{"a counter is changed with `+=` or `-=`",
                         "write: set " + name + " " + sign + "= " + by};
}

// `SK: "ORDER#{id}"`, `set status: "DONE"`, `rate: 10/s`
Spelling ValueBehindColon(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  const auto value = [&](std::size_t colon) {
    return line.IsSymbol(colon, ":") ? line.Raw(colon + 1) : line.Raw(colon).substr(1);
  };
  const bool colon = line.IsSymbol(at, ":") || line.Raw(at).starts_with(":");
  const bool counts = at > 2 && (line.Raw(at - 1) == "+=" || line.Raw(at - 1) == "-=");
  if (colon && counts) {
    return ForeignSpelling{"`+=` and `-=` take a number, that of a typical request",
                           "write: " + line.Raw(at - 2) + " " + line.Raw(at - 1) + " 1"};
  }
  if (at > 1 && colon && line.Has("set")) {
    return ForeignSpelling{"a value stands behind `=`",
                           "write: " + line.Raw(at - 1) + " = " + value(at)};
  }
  if (at == 0 && line.IsSymbol(1, ":") && line.IsString(2) && line.IsWord(0)) {
    return ForeignSpelling{"an attribute of an item is given with `=`",
                           "write: " + line.Raw(0) + " = " + line.Raw(2)};
  }
  constexpr std::array kLines = std::to_array<std::string_view>(
      {"rate", "find", "put", "update", "delete", "returns", "fresh", "count", "each"});
  if (at == 1 && colon && std::ranges::find(kLines, std::string_view(line.head())) != kLines.end()) {
    std::string rest;
    for (std::size_t i = 2; i < line.size(); ++i) {
      const bool tight = line.IsSymbol(i, "/") || line.IsSymbol(i - 1, "/") || rest.empty();
      rest += (tight ? "" : " ") + line.Raw(i);
    }
    return ForeignSpelling{"no colon follows `" + line.Raw(0) + "`",
                           "write: " + line.Raw(0) + " " + (line.IsSymbol(1, ":") ? "" : value(1)) +
                               rest};
  }
  return std::nullopt;
}

// `now()`, `uuid()`
Spelling FunctionOfTheServer(const StoppedLine& line) {
  constexpr std::array kFunctions = std::to_array<std::string_view>(
      {"now", "current_timestamp", "getdate", "today", "uuid", "newid", "gen_random_uuid", "cuid"});
  if (std::ranges::find(kFunctions, std::string_view(line.here())) == kFunctions.end() ||
      line.stopped() < 2) {
    return std::nullopt;
  }
  const std::string name = line.Raw(line.stopped() - 2);
  return ForeignSpelling{"DynamoDB computes no value: the caller passes it",
                         "write: " + name + " = :" + name};
}

// `put Order if not exists`, `put Order unless exists`, `create Order`
Spelling PutIfAbsent(const StoppedLine& line) {
  constexpr std::array kOfSql = std::to_array<std::string_view>({"table", "index", "unique", "type", "view", "or"});
  const bool creates =
      line.here() == "create" && std::ranges::find(kOfSql, std::string_view(line.Lower(line.stopped() + 1))) == kOfSql.end();
  const bool guarded =
      line.Has("exists") || line.Has("attribute_not_exists") || line.Has("ignore");
  std::size_t verb = 0;
  while (verb < line.size() && line.Lower(verb) != "put") {
    ++verb;
  }
  if (!creates && (verb == line.size() || !guarded)) {
    return std::nullopt;
  }
  const std::string entity = line.Raw(creates ? line.stopped() + 1 : verb + 1);
  return ForeignSpelling{"`put` with `once` writes a row and is refused if the row exists",
                         "write: put " + entity + " once"};
}

// `each Customer has up to 500`, `each Customer has ~10, max 500`
Spelling Figures(const StoppedLine& line) {
  const std::string here = line.here();
  if (line.head() != "each" || (here != "up" && here != "max" && here != "maximum" && here != "<")) {
    return std::nullopt;
  }
  const std::size_t number = here == "up" ? line.stopped() + 2 : line.stopped() + 1;
  const std::string bound = line.Raw(number).empty() ? "500" : line.Raw(number);
  return ForeignSpelling{
      "a maximum follows the average, as `at most`",
      "write: " + (line.before() == "has" ? "each " + line.Raw(1) + " has ~10, at most " + bound
                                          : "at most " + bound)};
}

// `status enum("A", "B")`, `tags text[]`, `customer -> Customer.id`, `index name`, `unique (a, b)`
Spelling AttributeWords(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  const std::string name = line.Raw(0);
  if (at == 2 && line.IsWord(1) && line.IsSymbol(2, "[") && line.IsSymbol(3, "]")) {
    return ForeignSpelling{"several values are a set or a list",
                           "write: " + name + " text-set, or " + name + " list"};
  }
  if (at >= 2 && line.here() == "index" && line.IsWord(1) && line.head() != "local") {
    return ForeignSpelling{"an index belongs in a table, not in an entity",
                           "write: index By" + Capital(name) + " partition " + name + " project all"};
  }
  if (at != 1 || !line.IsWord(0)) {
    return std::nullopt;
  }
  if (line.here() == "enum") {
    return ForeignSpelling{"a closed list of values is `one of`",
                           "write: " + name + " one of \"OPEN\", \"DONE\""};
  }
  if (line.IsSymbol(1, "-") && line.IsSymbol(2, ">")) {
    return ForeignSpelling{"a reference is the word `references`",
                           "write: " + name + " references " + (line.IsWord(3) ? line.Raw(3) : "Customer") +
                               "." + (line.IsWord(5) ? line.Raw(5) : "id")};
  }
  if (line.head() == "unique" && line.IsSymbol(1, "(")) {
    return ForeignSpelling{"attributes that are unique together are the entity's key",
                           "write `key` after each of these attributes, or declare an entity that "
                           "has them as its key and put it `once` in the same write"};
  }
  if ((line.head() == "index" || line.head() == "unique") && line.size() <= 3) {
    return ForeignSpelling{"an index belongs in a table, not in an entity",
                           "write: index By" + Capital(line.Raw(1)) + " partition " + line.Raw(1) +
                               " project all"};
  }
  return std::nullopt;
}

// What stands behind a name: `text(~8) references User(id)`, `foreign key references User.id`, Prisma's `user User @relation(…)`.
Spelling ReferenceWords(const StoppedLine& line) {
  std::size_t at = 1;
  while (at < line.size() && line.Lower(at) != "references") {
    ++at;
  }
  if (line.stopped() == 0 || !line.IsWord(0) || at == line.size()) {
    return std::nullopt;
  }
  if (line.Has("relation") && line.IsWord(1)) {
    const auto in_brackets = [&](const char* word) {
      for (std::size_t i = 1; i + 3 < line.size(); ++i) {
        if (line.Lower(i) == word && line.IsSymbol(i + 1, ":") && line.IsSymbol(i + 2, "[")) {
          return line.Raw(i + 3);
        }
      }
      return std::string("id");
    };
    return ForeignSpelling{"a relation is an attribute that references the other entity",
                           "write: " + in_brackets("fields") + " references " + line.Raw(1) + "." +
                               in_brackets("references")};
  }
  if (line.stopped() != at && line.here() != "foreign") {
    return std::nullopt;
  }
  // `User.id`, `User(id)`, `User`
  const bool attribute = line.IsSymbol(at + 2, ".") || line.IsSymbol(at + 2, "(");
  return ForeignSpelling{"`references` stands in place of a type, which is that of its target",
                         "write: " + line.Raw(0) + " references " + line.Raw(at + 1) + "." +
                             (attribute ? line.Raw(at + 3) : "id")};
}

// `5..100` behind `each`, `concat("C#", id)`, `User {` and `User:` alone, `- id: text`
Spelling Shapes(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (line.head() == "each" && line.IsSymbol(at, "..")) {
    return ForeignSpelling{"an average and a maximum are two figures",
                           "write: each " + line.Raw(1) + " has ~" + line.Raw(at - 1) + ", at most " +
                               line.Raw(at + 1)};
  }
  if (line.IsSymbol(1, "=") && line.IsWord(2) && line.IsSymbol(at, "(") && at == 3) {
    std::string text;
    for (std::size_t i = 4; i < line.size(); ++i) {
      text += line.IsString(i) ? line.Raw(i).substr(1, line.Raw(i).size() - 2)
              : line.IsWord(i) ? "{" + line.Raw(i) + "}"
                               : "";
    }
    return ForeignSpelling{"a key is one text, with attributes in braces inside it",
                           "write: " + line.Raw(0) + " = \"" + text + "\""};
  }
  if (at == 0 && line.IsSymbol(0, "-") && line.IsWord(1)) {
    const std::size_t type = line.IsSymbol(2, ":") ? 3 : 2;
    const bool tight = type == 2 && line.Raw(2).starts_with(":");  // `id:text`
    const std::string inside = tight ? line.Raw(2).substr(1) : line.Raw(type);
    return ForeignSpelling{"a line needs no dash", "write: " + line.Raw(1) + " " + inside};
  }
  const bool alone = line.size() == 1 || (line.size() == 2 && (line.IsSymbol(1, ":") || line.IsSymbol(1, "{")));
  if (at == 0 && alone && line.IsWord(0) && absl::ascii_isupper(static_cast<unsigned char>(line.Raw(0)[0]))) {
    return ForeignSpelling{"a block begins with what it declares",
                           "write: entity " + line.Raw(0) + " {, or inside a table: item " + line.Raw(0) + " {"};
  }
  return std::nullopt;
}

// `partition key PK sort key SK`, `hash PK range SK`, `primary key (PK, SK)`
Spelling KeyWords(const StoppedLine& line) {
  const std::string head = line.head();
  if (head != "table" && head != "index" && head != "local") {
    return std::nullopt;
  }
  const std::size_t at = line.stopped();
  const std::string two_before = at >= 2 ? line.Lower(at - 2) : "";
  const bool named = two_before == "partition" || two_before == "sort";
  if (line.before() == "key" && named) {
    return ForeignSpelling{"`key` is not written after `" + two_before + "`",
                           "write: " + two_before + " " + line.Raw(at)};
  }
  const std::string here = line.here();
  if (here == "hash" || here == "pk" || here == "primary" || here == "partitionkey") {
    return ForeignSpelling{"the first key is called `partition` here",
                           "write: " + head + " " + line.Raw(1) + " partition PK sort SK"};
  }
  if (here == "range" || here == "sk" || here == "sortkey") {
    return ForeignSpelling{"the second key is called `sort` here", "write: sort SK"};
  }
  if (here == "projection" || here == "include" || here == "projecting") {
    return ForeignSpelling{"the attributes of an index follow `project`",
                           "write: project all, project keys, or project name, total"};
  }
  if (head == "index" && at == 2 && line.IsSymbol(at, "(") && line.IsWord(at + 1)) {
    const bool sort = line.IsSymbol(at + 2, ",") && line.IsWord(at + 3);
    return ForeignSpelling{"the keys of an index follow `partition` and `sort`",
                           "write: index " + line.Raw(1) + " partition " + line.Raw(at + 1) +
                               (sort ? " sort " + line.Raw(at + 3) : "") + " project all"};
  }
  if (head == "table" && at <= 2 && (here == "{" || here.empty() || here == "(")) {
    return ForeignSpelling{"a table needs the names of its key attributes",
                           "write: table " + Capital(line.Raw(1)) + " partition PK sort SK {"};
  }
  return std::nullopt;
}

// The kind of relationship that words of other languages mean; empty if none.
std::string KindOf(const StoppedLine& line, std::size_t at) {
  const std::string first = line.Lower(at);
  const std::string second = line.Lower(at + 1);
  const std::string third = line.Lower(at + 2);
  if ((first == "has" && second == "many") || first == "has_many" || first == "hasmany" ||
      (first == "one" && second == "to" && third == "many") || first == "onetomany" ||
      (first == "1" && (third == "n" || third == "many" || second == "n"))) {
    return "one-to-many";
  }
  if ((first == "has" && second == "one") || first == "has_one" || first == "hasone" ||
      (first == "one" && second == "to" && third == "one") || first == "onetoone") {
    return "one-to-one";
  }
  if ((first == "many" && second == "to" && third == "many") || first == "manytomany" ||
      first == "has_and_belongs_to_many") {
    return "many-to-many";
  }
  if ((first == "belongs" && second == "to") || first == "belongs_to" || first == "belongsto" ||
      (first == "many" && second == "to" && third == "one") || first == "manytoone") {
    return "many-to-one";
  }
  return "";
}

// `Customer has many Order`, `relationship R: Customer has many Order`, `Order belongs to Customer`
Spelling RelationshipWords(const StoppedLine& line) {
  if (line.head() == "relationship") {
    if (line.stopped() == 2 && line.IsWord(1)) {
      const bool ours = line.IsWord(2) && line.IsWord(3) && line.Raw(2).find("-to-") != std::string::npos;
      return ForeignSpelling{"a relationship has a name, a colon and two entities",
                             ours ? "write: relationship " + line.Raw(1) + line.Raw(3) + ": " + line.Raw(1) +
                                        " " + line.Raw(2) + " " + line.Raw(3)
                                  : "write: relationship CustomerOrders: Customer one-to-many Order"};
    }
    const std::string kind = KindOf(line, line.stopped());
    if (kind == "many-to-one") {
      return ForeignSpelling{"a relationship is written from the one side",
                             "write the parent first: Parent one-to-many " + line.Raw(3)};
    }
    if (!kind.empty()) {
      return ForeignSpelling{"the kind of a relationship is one word with hyphens",
                             "write: " + line.Raw(3) + " " + kind + " …"};
    }
    return std::nullopt;
  }
  if (line.stopped() > 1) {
    return std::nullopt;
  }
  const std::size_t at = KindOf(line, 0).empty() ? 1 : 0;
  const std::string kind = KindOf(line, at);
  if (kind.empty() || line.size() < 2) {
    return std::nullopt;
  }
  const std::string other = Capital(line.Raw(line.size() - 1));
  const std::string self = at == 1 ? line.Raw(0) : "Parent";
  const bool child = kind == "many-to-one";
  return ForeignSpelling{
      "a relationship is a statement of its own at the top of the file",
      "write: relationship " + (child ? other + self : self + other) + ": " +
          (child ? other : self) + " " + (child ? "one-to-many" : kind) + " " +
          (child ? self : other) + (kind == "many-to-many" ? " through Link" : "")};
}

struct WordHint {
  std::string_view word;  // The place where the reader stopped, in lower case.
  std::string_view message;
  std::string_view suggestion;
};

// Words that begin a statement in another language.
constexpr std::array kHeads = std::to_array<WordHint>({
    {"create", "tables are declared without CREATE", "write: table Shop partition PK sort SK {"},
    {"select", "a read is declared as an access pattern",
     "write: pattern Orders { find Order where customerId = :customer }"},
    {"insert", "a new row is written with `put`", "write: write AddOrder { put Order once }"},
    {"upsert", "a new row is written with `put`, an old one with `update`",
     "write: write SaveOrder { put Order }"},
    {"relation", "the word is `relationship`", "write: relationship Orders: Customer one-to-many Order"},
    {"alter", "the file states the design that you want; `prejoin migrate OLD NEW` changes tables",
     "write the table as it shall be"},
    {"drop", "the file states the design that you want", "remove the declaration instead"},
    {"foreign", "a foreign key is an attribute that references another entity",
     "write: customerId references Customer.id"},
    {"primary", "the primary key of an entity is the word `key` after its attributes",
     "write: id text key"},
    {"constraint", "constraints follow the type of an attribute",
     "write: email text unique"},
    {"interface", "a record type is an entity", "write: entity"},
    {"type", "a record type is an entity", "write: entity"},
    {"class", "a record type is an entity", "write: entity"},
    {"struct", "a record type is an entity", "write: entity"},
    {"schema", "a record type is an entity", "write: entity"},
    {"collection", "a record type is an entity", "write: entity"},
    {"export", "nothing is exported here", "write: entity"},
    {"const", "nothing is assigned at the top of the file", "write: entity"},
    {"enum", "a closed list of values follows an attribute",
     "write: status text values (\"OPEN\", \"DONE\")"},
    {"datasource", "a model file names no data source", "remove the block"},
    {"generator", "a model file names no generator; `prejoin gen` writes code",
     "remove the block"},
    {"query", "a read is declared as an access pattern",
     "write: pattern Orders { find Order where customerId = :customer }"},
    {"get", "a read is declared as an access pattern",
     "write: pattern OneOrder { find Order where id = :id }"},
    {"gsi", "a global index belongs in its table",
     "write: index GSI1 partition GSI1PK sort GSI1SK project all"},
    {"lsi", "a local index belongs in its table",
     "write: local index LSI1 sort LSI1SK project all"},
    {"attribute", "an attribute belongs in an entity, with its name and type", "write: name text"},
    {"global", "a global index belongs in its table, and `index` alone is global",
     "write: index GSI1 partition GSI1PK sort GSI1SK project all"},
    {"secondary", "a secondary index belongs in its table",
     "write: index GSI1 partition GSI1PK sort GSI1SK project all"},
    {"transaction", "all steps of a write in one transaction is the word `together`",
     "write: together"},
    {"begin", "all steps of a write in one transaction is the word `together`", "write: together"},
    {"commit", "all steps of a write in one transaction is the word `together`", "write: together"},
    {"every", "the number of rows per row follows `each`", "write: each Customer has ~10"},
    {"max", "the largest row is the first in descending order",
     "write: find Order where … order by total desc limit 1"},
    {"min", "the smallest row is the first in its order",
     "write: find Order where … order by total limit 1"},
    {"avg", "an average is a sum and a count", "write two lines: sum Order.total … and count Order …"},
    {"from", "a find names its entity after `find`",
     "write: find Order where customerId = :customer"},
    {"tablename", "this is a CreateTable request",
     "write: table Shop partition PK sort SK {; `prejoin import-model FILE` reads the request"},
    {"keyschema", "this is a CreateTable request",
     "write: table Shop partition PK sort SK {; `prejoin import-model FILE` reads the request"},
});

// Words in the middle of a statement.
constexpr std::array kInside = std::to_array<WordHint>({
    {"join", "DynamoDB has no joins: a pattern lists the rows that it reads",
     "write one `find` line for each entity, or `get id, Customer.name`"},
    {"group", "DynamoDB has no GROUP BY",
     "keep a total with the rows: orders = count of Order, in the item of the group; or ask for one group: count Order where …"},
    {"having", "DynamoDB has no HAVING", "keep a total with the rows and ask for it"},
    {"offset", "DynamoDB has no OFFSET: the next page continues after the last key",
     "remove it; a limit is enough"},
    {"skip", "DynamoDB has no OFFSET: the next page continues after the last key",
     "remove it; a limit is enough"},
    {"null", "attributes are required unless they say `optional`", "write `optional`, or nothing"},
    {"not", "attributes are required unless they say `optional`", "remove NOT NULL"},
    {"nullable", "attributes are required unless they say `optional`", "write: optional"},
    {"required", "attributes are required unless they say `optional`", "remove it"},
    {"primary", "the primary key of an entity is the word `key`", "write: key"},
    {"pk", "the primary key of an entity is the word `key`", "write: key"},
    {"default", "the file declares the data, not how it is filled in", "remove DEFAULT …"},
    {"auto_increment", "DynamoDB has no AUTO_INCREMENT", "make the id in the application: a ULID"},
    {"autoincrement", "DynamoDB has no AUTO_INCREMENT", "make the id in the application: a ULID"},
    {"readonly", "an attribute that never changes is `immutable`", "write: immutable"},
    {"take", "the number of rows is `limit`", "write: limit 10"},
    {"top", "the number of rows is `limit`", "write: order by score desc limit 10"},
    {"first", "the number of rows is `limit`", "write: limit 1"},
    {"returning", "the attributes that a find returns follow `get`", "write: get id, total"},
    {"select", "the attributes that a find returns follow `get`", "write: get id, total"},
    {"values", "a put names the entity only", "write: put Order"},
    {"into", "a put names the entity only", "write: put Order"},
    {"cascade", "rows that belong to a row follow `with`", "write: delete Order with Line"},
});

template <std::size_t N>
const WordHint* FindHint(const std::array<WordHint, N>& hints, const std::string& word) {
  const auto found = std::ranges::find(hints, std::string_view(word), &WordHint::word);
  return found == hints.end() ? nullptr : &*found;
}

// `interface Order {`, `CREATE TABLE orders (`, `SELECT … FROM`
Spelling Heads(const StoppedLine& line) {
  // In an entity the first word is read as the name of an attribute.
  const std::string head = line.head();
  const bool constraint = line.stopped() == 1 && (head == "foreign" || head == "primary");
  if (line.stopped() != 0 && !constraint) {
    return std::nullopt;
  }
  const WordHint* hint = FindHint(kHeads, head);
  if (hint == nullptr) {
    return std::nullopt;
  }
  std::string suggestion(hint->suggestion);
  if (suggestion == "write: entity") {
    std::size_t name = 1;
    while (line.IsWord(name + 1) && FindHint(kHeads, line.Lower(name)) != nullptr) {
      ++name;
    }
    suggestion += " " + (line.IsWord(name) ? Capital(line.Raw(name)) : "Order") + " {";
  }
  return ForeignSpelling{std::string(hint->message), std::move(suggestion)};
}

// Prisma: `model User {`
Spelling PrismaModel(const StoppedLine& line) {
  if (line.head() != "model" || line.stopped() != 1 || !line.IsWord(1)) {
    return std::nullopt;
  }
  return ForeignSpelling{"`model` names the whole file; a record type is an entity",
                         "write: entity " + line.Raw(1) + " {"};
}

// TypeScript: `name: string`, `name: Address[]`
Spelling TypeBehindColon(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if (at != 1 || !line.IsWord(0)) {
    return std::nullopt;
  }
  if (line.IsSymbol(1, ":") || line.Raw(1).starts_with(":")) {
    return ForeignSpelling{"the type follows the name, without a colon",
                           "write: " + line.Raw(0) + " text"};
  }
  if (line.IsWord(1) && line.IsSymbol(2, "[") && line.IsSymbol(3, "]")) {
    constexpr std::array kPlain = std::to_array<std::string_view>(
        {"string", "number", "int", "integer", "varchar", "boolean", "float", "bigint", "uuid"});
    if (std::ranges::find(kPlain, std::string_view(line.Lower(1))) != kPlain.end()) {
      return ForeignSpelling{"several values are a set or a list",
                             "write: " + line.Raw(0) + " text-set, or " + line.Raw(0) + " list"};
    }
    return ForeignSpelling{
        "rows of another entity are no attribute of this one",
        "write: relationship " + Capital(line.Raw(0)) + ": Parent one-to-many " + line.Raw(1)};
  }
  return std::nullopt;
}

// DynamoDB JSON: `"AttributeName": "PK"`, `{"S": "x"}`, and a statement in quotes or brackets.
Spelling Json(const StoppedLine& line) {
  if (line.stopped() != 0 || line.size() < 2) {
    return std::nullopt;
  }
  if (line.IsString(0) && line.IsSymbol(1, ":")) {
    return ForeignSpelling{
        "this is JSON; a model file has statements",
        "`prejoin import-model FILE` reads CreateTable requests and NoSQL Workbench models"};
  }
  return std::nullopt;
}

// `/* … */`, `-- …`
Spelling Comments(const StoppedLine& line) {
  const std::size_t at = line.stopped();
  if ((line.IsSymbol(at, "-") && line.IsSymbol(at + 1, "-")) ||
      (line.IsSymbol(at, "/") && line.IsSymbol(at + 1, "*"))) {
    return ForeignSpelling{"comments start with //", "write: // …"};
  }
  return std::nullopt;
}

Spelling Inside(const StoppedLine& line) {
  if (line.stopped() == 0 || !line.IsWord(line.stopped())) {
    return std::nullopt;
  }
  const WordHint* hint = FindHint(kInside, line.here());
  // `not` alone is a condition.
  const bool condition = line.here() == "not" && line.Lower(line.stopped() + 1) != "null";
  if (hint == nullptr || condition) {
    return std::nullopt;
  }
  return ForeignSpelling{std::string(hint->message), std::string(hint->suggestion)};
}

}  // namespace

std::optional<ForeignSpelling> InOurWords(const std::vector<Token>& tokens, std::size_t stopped) {
  const StoppedLine line(tokens, stopped);
  for (const auto habit :
       {DoubleEquals, Concatenation, CountedUp, ValueBehindColon, FunctionOfTheServer, PutIfAbsent,
        KeyWords, RelationshipWords, PrismaModel, Figures, ReferenceWords, Heads, InOurReads, AttributeWords,
        TypeBehindColon, Json, Comments, Shapes, Inside}) {
    if (Spelling found = habit(line)) {
      return found;
    }
  }
  return std::nullopt;
}

std::string HintForCharacter(char c, std::string_view before, std::string_view after) {
  const std::size_t last = before.find_last_not_of(' ');
  const char previous = last == std::string_view::npos ? ' ' : before[last];
  const bool in_condition = previous == '=' || previous == '>' || previous == '<';
  switch (c) {
    case '#':
      return after.starts_with("{") ? "a key template must be in quotes: \"ORDER#{id}\""
                                          : "comments start with //";
    case '\'':
    case '`':
      return "write text in double quotes, and names without quotes";
    case ';':
      return "a statement ends with its line: remove it";
    case '@':
      return "write `key`, `unique` or `optional` after the type";
    case '?':
      return in_condition ? "parameters have names: :id" : "write `optional` after the type";
    case '$':
      return in_condition ? "parameters start with a colon: :id"
                          : "an attribute of a key needs braces: \"ORDER#{id}\"";
    case '|':
      return after.starts_with("|")
                 ? "there is no `or` in a key condition: write a pattern for each alternative"
                 : "a closed list of values is written as: values (\"OPEN\", \"DONE\")";
    case '&':
      return "write: and";
    case '!':
      return "write a condition that holds: exists(name), or a value with =";
    default:
      return "";
  }
}

}  // namespace prejoin::model
