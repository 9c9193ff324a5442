#include "tests/model/hostile_model.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string_view>

#include "tests/model/random_model.h"

namespace prejoin::model {
namespace {

// Declarations that RandomModel does not make. Each can be added to any of its models: those have P0 with its `id` and `note`, and C0 with
// `no`, `tally`, `s0` and `mark`.
constexpr auto kMore = std::to_array<std::string_view>({
    "tenant P0.id\n",
    "strategy R0 = item-collection\n",
    "strategy R0 = P7\n",
    "allow PJ203 because \"a reason\"\n",
    "items from \"/dev/null\" in T\n",
    "pattern Maybe {\n  find C0 where parent = :p and optional s0 = :s and optional tally > :t\n  "
    "rate 3/s peak 9/s\n}\n",
    "pattern Begins \"a \\\"quoted\\\" */ title\" {\n  find C0 where parent = :p and "
    "begins_with(no, :n) and contains(note, :w)\n}\n",
    "pattern Whole {\n  find P0\n  find C0\n  scan allowed because \"rarely\"\n}\n",
    "pattern Late {\n  find P0 where id = :id\n  fresh after Save\n  example id = \"a\" gives "
    "1\n}\nwrite Save {\n  put P0\n}\n",
    "pattern Many {\n  find P0 where id in (:a, :b, \"c\") get id\n  find C0 where parent = :a "
    "order by no desc, tally limit 3 returns ~2\n}\n",
    "pattern One {\n  find P0 where id = \"x\"\n  rate 0.5/min\n}\n",
    "write Grow {\n  update C0 where parent = :p and at = :a and no = :n set tally += 3, note "
    "remove mark if tally between "
    "1 and 9\n  rate 2/s peak 90/s\n}\n",
    "write Both {\n  put C0 once\n  update P0 set note\n  delete C0 if exists(mark)\n  together\n  "
    "rate 1/day\n}\n",
    "write Gone {\n  delete P0 where id = :id with C0\n}\n",
    "write Several {\n  put C0 times 40\n  put P0\n}\n",
    "entity O {\n  id references P0.id key\n  body binary(~20) optional\n  words text-set(~9)\n  "
    "sizes number-set optional 5%\n}\n"
    "relationship OO: P0 one-to-one O {\n}\npattern ReadO {\n  find O where id = :id\n  find P0 "
    "where id = :id\n}\n"
    "table UO partition id {\n  item O {\n  }\n}\n",
    "entity W {\n  country text(~3) key\n  state text(~4) key grows\n  city text(~6) key\n  many "
    "number(3) zipf 1.1\n  kept 7 days\n}\n"
    "hierarchy Places: W by country > state > city\n"
    "pattern Near {\n  find W where country = :c and optional state = :s\n}\npattern Large {\n  "
    "find W where many >= :m order by many desc\n}\n"
    "table V partition country sort PLACE {\n  index ByMany partition many sort city, state "
    "project all\n"
    "  local index L sort many project keys\n  item W {\n    PLACE = \"{state lower}#{city "
    "upper}\"\n  }\n}\nwrite PutW {\n  put W\n}\n"
    "sample W (country, state, city, many) {\n  \"a\", \"É#{x}\", \"c\", 1\n  \"a\", "
    "\"\\\"\\\\\\n\", \"'`$\", 100000000000000000000\n}\n",
    "entity D {\n  day date key grows\n  no number(12) key\n  hot text(~3) hottest 50% distinct "
    "4\n  ttlAt number(10)\n  ttl ttlAt kept 1 days\n}\n"
    "pattern Days {\n  find D where day between :a and :b\n}\npattern Hot {\n  find D where hot = "
    ":h and day >= :d\n}\n"
    "table X partition PK sort SK {\n  type T_ upper\n  index G partition GPK sort GSK project "
    "hot\n  item D {\n    PK = \"D#{day}#{shard 4 of no}\"\n"
    "    SK = \"{no pad 12}\"\n    GPK = \"{hot}\"\n    GSK = \"{day}#{no pad 12}\"\n    without "
    "day, no\n  }\n  sorts D before D\n}\n",
});

// Names of RandomModel and of the above that are names only, never words of the language.
constexpr auto kNames = std::to_array<std::string_view>(
    {"P0",     "P1",   "P2",      "C0",     "C1",    "C2",      "N",         "F",       "Feed",
     "L",      "O",    "W",       "D",      "id",    "note",    "amount",    "flag",    "tags",
     "extra",  "word", "rank",    "who",    "ok",    "size",    "box",       "kind",    "parts",
     "no",     "seen", "words",   "parent", "s0",    "s1",      "s2",        "tally",   "mark",
     "ticket", "lhs",  "rhs",     "plan",   "until", "expires", "day",       "pnote",   "inside",
     "sum0",   "sum1", "many0",   "many1",  "a",     "b",       "owner",     "post",    "since",
     "T",      "GSI1", "ByTally", "PK",     "SK",    "GSI1PK",  "GSI1SK",    "Kind",    "B0",
     "M0",     "R0",   "B1",      "R1",     "NR",    "LR",      "Followers", "country", "state",
     "city",   "many", "PLACE",   "hot",    "ttlAt", "p",       "s",         "to",      "n",
     "ReadP0", "All0", "Range0",  "Put0",   "Set0",  "Del0",    "In0",       "V",       "X",
     "GPK",    "GSK",  "Status0", "Join",   "Post",  "body",    "sizes"});

class Disguise {
 public:
  explicit Disguise(std::uint64_t seed) : random_(seed ^ 0x9e3779b97f4a7c15u) {}

  std::string Run(const std::string& text) {
    std::string kept = Thin(text);
    for (std::size_t count = Below(4); count > 0; --count) {
      const std::string_view more = kMore[Below(kMore.size())];
      if (kept.find(more) == std::string::npos) {
        kept += more;
      }
    }
    return Below(8) == 0 ? kept : Renamed(kept);
  }

 private:
  std::size_t Below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  // Leaves out most patterns and writes: the model reads as before, and takes a fraction of the time.
  std::string Thin(const std::string& text) {
    const std::size_t of = 4 + Below(8);
    std::string kept;
    bool leave_out = false;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      if (line.starts_with("pattern ") || line.starts_with("write ")) {
        leave_out = Below(of) != 0;
      }
      if (!leave_out) {
        kept += line;
      }
      if (line == "}\n") {
        leave_out = false;
      }
      begin = end;
    }
    return kept;
  }

  std::string Renamed(const std::string& text) {
    std::vector<std::string> fresh;
    for (const std::string& name : HostileNames()) {
      if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
        fresh.push_back(name);
      }
    }
    std::shuffle(fresh.begin(), fresh.end(), random_);
    const std::size_t share = 1 + Below(4);
    std::map<std::string, std::string, std::less<>> renamed;
    for (std::size_t i = 0; i < kNames.size() && i < fresh.size(); ++i) {
      if (Below(4) < share) {
        renamed.emplace(kNames[i], fresh[i]);
      }
    }
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      std::size_t end = i;
      while (end < text.size() && IsWord(text[end])) {
        ++end;
      }
      if (end == i) {
        out += text[i++];
        continue;
      }
      // Behind a slash stands a unit of time: 5/s.
      const auto found = i > 0 && text[i - 1] == '/'
                             ? renamed.end()
                             : renamed.find(std::string_view(text).substr(i, end - i));
      out += found == renamed.end() ? text.substr(i, end - i) : found->second;
      i = end;
    }
    return out;
  }

  static bool IsWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '-';
  }

  std::mt19937_64 random_;
};

}  // namespace

const std::vector<std::string>& HostileNames() {
  static const std::vector<std::string> names = {
      "item",
      "items",
      "Item",
      "Items",
      "tables",
      "table",
      "Table",
      "key",
      "Key",
      "keys",
      "error",
      "Error",
      "err",
      "self",
      "this",
      "class",
      "def",
      "func",
      "fn",
      "type",
      "Type",
      "types",
      "interface",
      "package",
      "import",
      "lambda",
      "yield",
      "async",
      "await",
      "None",
      "True",
      "nil",
      "null",
      "undefined",
      "NaN",
      "void",
      "int",
      "string",
      "str",
      "String",
      "Object",
      "object",
      "list",
      "List",
      "dict",
      "map",
      "Map",
      "set",
      "Set",
      "range",
      "chan",
      "go",
      "select",
      "defer",
      "switch",
      "case",
      "default",
      "new",
      "delete",
      "operator",
      "template",
      "namespace",
      "std",
      "auto",
      "const",
      "static",
      "public",
      "private",
      "final",
      "enum",
      "struct",
      "union",
      "return",
      "throw",
      "try",
      "catch",
      "finally",
      "for",
      "while",
      "if",
      "else",
      "in",
      "is",
      "not",
      "and",
      "or",
      "with",
      "as",
      "args",
      "row",
      "rows",
      "client",
      "query",
      "Query",
      "value",
      "values",
      "name",
      "Name",
      "NAME",
      "names",
      "result",
      "results",
      "request",
      "response",
      "context",
      "ctx",
      "options",
      "params",
      "page",
      "pages",
      "limit",
      "cursor",
      "start",
      "database",
      "prejoin",
      "Prejoin",
      "constructor",
      "prototype",
      "__proto__",
      "toString",
      "hashCode",
      "equals",
      "getClass",
      "wait",
      "notify",
      "hasOwnProperty",
      "__init__",
      "__class__",
      "len",
      "print",
      "id",
      "Id",
      "ID",
      "i",
      "x",
      "X",
      "_",
      "__",
      "_a",
      "a1",
      "A",
      "aa",
      "aA",
      "Aa",
      "AA",
      "a_a",
      "a-a",
      "a#a",
      "x-1",
      "x1",
      "x_1",
      "GSI1-PK",
      "GSI1_PK",
      "gsi1pk",
      "PK",
      "pk",
      "SK",
      "sk",
      "é",
      "É",
      "名前",
      "straße",
      "STRASSE",
      "größe",
      "İ",
      "ı",
      "naïve",
      "entity",
      "pattern",
      "write",
      "find",
      "where",
      "order",
      "by",
      "get",
      "via",
      "count",
      "copy",
      "sum",
      "unique",
      "lock",
      "shard",
      "pad",
      "lower",
      "upper",
      "ttl",
      "kept",
      "grows",
      "spread",
      "values_",
      "references",
      "optional",
      "together",
      "each",
      "expires",
      "shardCount",
      "put",
      "update",
      "remove",
      "batch",
      "transaction",
      "stream",
      "Stream",
      "condition",
      "expression",
      "attributes",
      "size",
      "data",
      "user",
      "date",
      "time",
      "year",
      "zone",
      "status",
      "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
      "Record",
      "Partial",
      "Promise",
      "Optional",
      "Any",
      "Callable",
      "Iterable",
      "Awaitable",
      "DynamoDBClient",
      "boto3",
      "java",
      "Java",
      "Override",
      "record",
      "var",
      "val",
      "let",
      "export",
  };
  return names;
}

std::string HostileModel(std::uint64_t seed) { return Disguise(seed).Run(RandomModel(seed)); }

}  // namespace prejoin::model
