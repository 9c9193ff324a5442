// Entities, relationships, hierarchies, tenants and strategies.
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "model/schema/readers.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/spelling.h"
#include "model/syntax/words.h"

namespace prejoin::model {
namespace {

constexpr int kMemberDepthMax = 8;
constexpr double kZipfMax = 10;

// `(~20)`, `(20)`, `(~20, max 200)`
void ReadSizes(TokenCursor& cursor, Attribute& attribute) {
  if (!cursor.TakeSymbol("(")) {
    return;
  }
  const bool digits = attribute.type == AttributeType::kNumber;
  const double max = digits ? kDigitsMax : kAttributeBytesMax;
  const char* const why =
      digits ? "DynamoDB stores numbers of 38 digits" : "DynamoDB stores items of at most 400 KB";
  if (const auto size = cursor.ExpectNumber("a size", max, why)) {
    attribute.size_avg = *size;
  }
  if (cursor.TakeSymbol(",")) {
    if (!cursor.ExpectWord("max")) {
      return;
    }
    if (const auto size = cursor.ExpectNumber("the largest size", max, why)) {
      attribute.size_max = *size;
    }
  }
  cursor.ExpectSymbol(")");
}

enum class Nesting { kNone, kMember };
void ReadAttributeFlags(TokenCursor& cursor, Attribute& attribute, Nesting nesting);
bool ReadType(TokenCursor& cursor, Attribute& attribute, int depth = 0);

// `map of (kind text values ("MONTHLY", "YEARLY"), until date optional)`
bool ReadMembers(TokenCursor& cursor, Attribute& attribute, int depth) {
  if (depth >= kMemberDepthMax) {
    cursor.Fail("maps are nested too deeply here", "keep the inner one as a plain `map`");
    return false;
  }
  if (!cursor.ExpectSymbol("(")) {
    return false;
  }
  do {
    auto name = cursor.ExpectName("a member");
    if (!name) {
      return false;
    }
    Attribute member;
    member.name = *std::move(name);
    if (!ReadType(cursor, member, depth + 1)) {
      return false;
    }
    ReadAttributeFlags(cursor, member, Nesting::kMember);
    if (member.is_key || member.references) {
      cursor.FailAt(member.name.at, "a member of a map is neither a key nor a reference",
                    "make it an attribute of the entity");
      return false;
    }
    attribute.members.push_back(std::move(member));
  } while (cursor.TakeSymbol(","));
  return cursor.ExpectSymbol(")");
}

bool ReadType(TokenCursor& cursor, Attribute& attribute, int depth) {
  if (cursor.TakeWord("references")) {
    attribute.type_given = false;
    auto path = cursor.ExpectPath("Entity.attribute");
    if (!path) {
      return false;
    }
    if (path->entity.text.empty()) {
      cursor.Fail("a reference names an entity and its attribute",
                  "write: references " + path->attribute.text + ".id");
      return false;
    }
    attribute.references = *std::move(path);
    return true;
  }
  if (cursor.Peek().IsWord("one") && cursor.PeekSecond().IsWord("of")) {
    return ReadTypeOfValues(cursor, attribute);
  }
  std::vector<std::string> names;
  for (const AttributeTypeTraits& known : AllAttributeTypes()) {
    if (cursor.TakeWord(known.word.data())) {
      attribute.type = known.type;
      ReadSizes(cursor, attribute);
      const bool nests = known.type == AttributeType::kMap || known.type == AttributeType::kList;
      return !nests || !cursor.TakeWord("of") || ReadMembers(cursor, attribute, depth);
    }
    names.emplace_back(known.word);
  }
  names.emplace_back("references");
  const Token token = cursor.Peek();
  const std::string_view ours = TypeInOtherWords(token.text);
  cursor.Fail("expected the type of `" + attribute.name.text + "`, not " + DescribeToken(token),
              !ours.empty() ? MeantBy(token, ours) : RespellingOf(token, names));
  return false;
}

// `zipf 1.1`, `hottest 5%`; false when neither comes next.
bool ReadSkew(TokenCursor& cursor, Skew& skew) {
  if (cursor.TakeWord("zipf") || cursor.TakeWord("skew")) {
    if (const auto zipf =
            cursor.ExpectNumber("the skew", kZipfMax, "2 already gives most of the share to one value")) {
      skew.zipf = *zipf;
    }
    return true;
  }
  if (!cursor.TakeWord("hottest")) {
    return false;
  }
  if (const auto share = cursor.ExpectShare("the share of the most used")) {
    skew.hottest = *share;
  }
  return true;
}

void ReadAttributeFlags(TokenCursor& cursor, Attribute& attribute, Nesting nesting) {
  while (!cursor.AtEnd() && !cursor.failed()) {
    // A member of a map ends at the comma or the bracket.
    const bool ends = cursor.Peek().IsSymbol(",") || cursor.Peek().IsSymbol(")");
    if (nesting == Nesting::kMember && ends) {
      return;
    }
    if (cursor.TakeWord("key")) {
      attribute.is_key = true;
    } else if (cursor.TakeWord("optional")) {
      attribute.optional = true;
      if (cursor.PeekShare() || cursor.Peek().IsSymbol("~")) {
        attribute.presence = cursor.ExpectShare("how many rows have it");
      }
    } else if (cursor.TakeWord("distinct")) {
      if (const auto distinct = cursor.ExpectNumber("how many different values")) {
        attribute.distinct = *distinct;
      }
    } else if (ReadSkew(cursor, attribute.skew)) {
      continue;
    } else if (cursor.TakeWord("grows")) {
      attribute.drift = Drift::kGrows;
    } else if (cursor.TakeWord("spread")) {
      attribute.drift = Drift::kSpread;
    } else if (cursor.TakeWord("unique")) {
      attribute.unique = true;
    } else if (cursor.TakeWord("immutable")) {
      attribute.immutable = true;
    } else if (cursor.TakeWord("changes")) {
      if (const auto rate = cursor.ExpectRate()) {
        attribute.changes_per_second = *rate;
      }
      attribute.changes_given = true;
    } else if (cursor.TakeWord("values")) {
      ReadValues(cursor, attribute);
    } else if (cursor.Peek().IsWord("one") && cursor.PeekSecond().IsWord("of")) {
      cursor.Take();
      cursor.Take();
      ReadValueList(cursor, attribute);
    } else if (cursor.Peek().IsWord("first") || MomentDerivation(cursor.Peek().text)) {
      ReadDerivedFigure(cursor, attribute);
    } else {
      const Token token = cursor.Peek();
      cursor.Fail("did not expect " + DescribeToken(token) + " after the type of an attribute",
                  RespellingOf(token, WordsAt(WordPlace::kAttribute)));
    }
  }
}

// `kept 90 days`, `ttl expiresAt`, `ttl expiresAt kept 90 days`; false when it is another line, such as an
// attribute called `kept`.
bool ReadRetention(const Statement& statement, Entity& entity, ReadContext& context) {
  const bool kept = statement.head() == "kept" && statement.tokens.size() > 1 &&
                    statement.tokens[1].kind != TokenKind::kWord;
  const bool ttl = statement.head() == "ttl" && statement.tokens.size() > 1 &&
                   (statement.tokens.size() == 2 || statement.tokens[2].IsWord("kept")) &&
                   std::ranges::none_of(AllAttributeTypes(), [&](const AttributeTypeTraits& type) {
                     return statement.tokens[1].IsWord(type.word.data());
                   });
  if (!kept && !ttl) {
    return false;
  }
  TokenCursor cursor(statement, context.diagnostics);
  if (cursor.TakeWord("ttl")) {
    if (auto name = cursor.ExpectName("the attribute that says when a row expires")) {
      entity.ttl = *std::move(name);
    }
  }
  if (cursor.TakeWord("kept")) {
    if (const auto days = cursor.ExpectDays()) {
      entity.kept_days = *days;
    }
  }
  cursor.ExpectEnd();
  return true;
}

// `together escalatedTo, escalatedAt`: they are there or absent together.
bool ReadGroup(const Statement& statement, Entity& entity, ReadContext& context) {
  if (statement.head() != "together" || statement.tokens.size() < 4 ||
      !statement.tokens[2].IsSymbol(",")) {
    return false;
  }
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  const std::vector<Name> names = cursor.ExpectNameList("an attribute");
  cursor.ExpectEnd();
  for (const Name& name : names) {
    const auto found = std::ranges::find(entity.attributes, name, &Attribute::name);
    if (found == entity.attributes.end()) {
      cursor.FailAt(name.at,
                    "`" + entity.name.text + "` has no attribute `" + name.text + "` above",
                    "declare the attributes first, then which of them come and go together");
      return true;
    }
    if (!found->optional) {
      cursor.FailAt(name.at, "`" + name.text + "` is always there", "declare it optional");
      return true;
    }
    found->group = names.front().text;
    // A share that is said of one holds for all of them.
    if (found->presence) {
      for (Attribute& other : entity.attributes) {
        if (other.group == found->group) {
          other.presence = found->presence;
        }
      }
    } else {
      const auto first = std::ranges::find(entity.attributes, names.front(), &Attribute::name);
      found->presence = first->presence;
    }
  }
  return true;
}

void ReadEntityLine(const Statement& statement, const Statement& owner, Entity& entity,
                    ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  if (statement.head() == "allow" && statement.tokens.size() > 1 &&
      statement.tokens[1].text.starts_with("PJ")) {
    ReadAllow(statement, &owner, context);
    return;
  }
  if (statement.head() == "count" && statement.tokens.size() > 1 &&
      statement.tokens[1].kind != TokenKind::kWord) {
    cursor.Take();
    if (const auto count = cursor.ExpectNumber("how many there are")) {
      entity.count = *count;
    }
    entity.count_given = true;
    entity.count_fixed = cursor.TakeWord("fixed");
    cursor.ExpectEnd();
    return;
  }
  if (ReadRetention(statement, entity, context) || ReadGroup(statement, entity, context)) {
    return;
  }
  auto name = cursor.ExpectName("an attribute");
  if (!name) {
    return;
  }
  Attribute attribute;
  attribute.name = *std::move(name);
  // An attribute of unknown type is still an attribute, so its uses are not errors as well.
  if (ReadType(cursor, attribute)) {
    ReadAttributeFlags(cursor, attribute, Nesting::kNone);
  } else {
    attribute.is_key = std::any_of(statement.tokens.begin(), statement.tokens.end(),
                                   [](const Token& token) { return token.IsWord("key"); });
  }
  AddNamed(entity.attributes, std::move(attribute), "attribute", context);
}

struct KindWord {
  const char* word;
  RelationshipKind kind;
};
constexpr std::array kKindWords =
    std::to_array<KindWord>({{"one-to-one", RelationshipKind::kOneToOne},
                             {"one-to-many", RelationshipKind::kOneToMany},
                             {"many-to-many", RelationshipKind::kManyToMany}});

bool ReadRelationshipHead(TokenCursor& cursor, Relationship& relationship) {
  auto name = cursor.ExpectName("the relationship's name");
  if (!name || !cursor.ExpectSymbol(":")) {
    return false;
  }
  relationship.name = *std::move(name);
  auto from = cursor.ExpectReference<Entity>("an entity");
  if (!from) {
    return false;
  }
  relationship.from = *std::move(from);
  bool known = false;
  for (const KindWord& kind : kKindWords) {
    if (!known && cursor.TakeWord(kind.word)) {
      relationship.kind = kind.kind;
      known = true;
    }
  }
  if (!known) {
    cursor.Fail("expected the kind of relationship, not " + DescribeToken(cursor.Peek()),
                "write one-to-one, one-to-many or many-to-many");
    return false;
  }
  auto to = cursor.ExpectReference<Entity>("an entity");
  if (!to) {
    return false;
  }
  relationship.to = *std::move(to);
  if (relationship.kind == RelationshipKind::kManyToMany) {
    if (!cursor.ExpectWord("through")) {
      return false;
    }
    auto through = cursor.ExpectReference<Entity>("the entity that holds the edges");
    if (!through) {
      return false;
    }
    relationship.through = *std::move(through);
  } else if (cursor.TakeWord("by")) {
    relationship.by = cursor.ExpectNameList("an attribute");
  }
  cursor.ExpectEnd();
  return !cursor.failed();
}

// `each Student has ~5, at most 40, skew 1.1`, `each User by followerId has ~100`
void ReadEach(TokenCursor& cursor, Relationship& relationship) {
  Cardinality cardinality;
  auto entity = cursor.ExpectReference<Entity>("an entity");
  if (!entity) {
    return;
  }
  if (cursor.TakeWord("by")) {
    cardinality.by = cursor.ExpectNameList("an attribute");
  }
  if (cursor.failed() || !cursor.ExpectWord("has")) {
    return;
  }
  cardinality.entity = *std::move(entity);
  const auto average = cursor.ExpectNumber("how many");
  if (!average) {
    return;
  }
  cardinality.average = *average;
  while (cursor.TakeSymbol(",")) {
    if (cursor.TakeWord("at")) {
      if (!cursor.ExpectWord("most")) {
        return;
      }
      if (const auto bound = cursor.ExpectNumber("the bound")) {
        cardinality.bound = *bound;
      }
    } else if (cursor.TakeWord("unbounded")) {
      cardinality.bound = 0;
    } else if (!ReadSkew(cursor, cardinality.skew)) {
      cursor.Fail("expected `at most`, `unbounded`, `zipf` or `hottest`, not " +
                      DescribeToken(cursor.Peek()),
                  "");
      return;
    }
  }
  cursor.ExpectEnd();
  relationship.cardinalities.push_back(std::move(cardinality));
}

void ReadRelationshipBody(const Statement& statement, Relationship& relationship,
                          ReadContext& context) {
  for (const Statement& line : statement.body) {
    TokenCursor cursor(line, context.diagnostics);
    if (line.head() == "each") {
      cursor.Take();
      ReadEach(cursor, relationship);
    } else if (line.head() == "changes") {
      cursor.Take();
      if (const auto rate = cursor.ExpectRate()) {
        relationship.changes_per_second = *rate;
      }
      relationship.changes_given = true;
      cursor.ExpectEnd();
    } else if (line.head() == "sparse" || line.head() == "dense") {
      relationship.sparse = line.head() == "sparse";
    } else if (line.head() == "allow") {
      ReadAllow(line, &statement, context);
    } else {
      ReportUnknownStatement(line, WordsAt(WordPlace::kRelationship), "in a relationship", context);
    }
  }
}

}  // namespace

void ReadEntity(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  auto name = cursor.ExpectName("the entity's name");
  if (!name) {
    return;
  }
  cursor.ExpectEnd();
  Entity entity;
  entity.name = *std::move(name);
  for (const Statement& line : statement.body) {
    ReadEntityLine(line, statement, entity, context);
  }
  entity.last_line = LastLine(statement);
  AddNamed(context.model.entities, std::move(entity), "entity", context);
}

void ReadRelationship(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  Relationship relationship;
  if (!ReadRelationshipHead(cursor, relationship)) {
    return;
  }
  ReadRelationshipBody(statement, relationship, context);
  AddNamed(context.model.relationships, std::move(relationship), "relationship", context);
}

// `hierarchy Places: Store by country > state > city > zip`
void ReadHierarchy(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  Relationship hierarchy;
  hierarchy.kind = RelationshipKind::kHierarchy;
  auto name = cursor.ExpectName("the hierarchy's name");
  if (!name || !cursor.ExpectSymbol(":")) {
    return;
  }
  hierarchy.name = *std::move(name);
  auto entity = cursor.ExpectReference<Entity>("the entity that has the levels");
  if (!entity || !cursor.ExpectWord("by")) {
    return;
  }
  hierarchy.from = *std::move(entity);
  do {
    auto level = cursor.ExpectName("a level");
    if (!level) {
      return;
    }
    hierarchy.levels.push_back(*std::move(level));
  } while (cursor.TakeSymbol(">"));
  cursor.ExpectEnd();
  ReadRelationshipBody(statement, hierarchy, context);
  AddNamed(context.model.relationships, std::move(hierarchy), "relationship", context);
}

void ReadTenant(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  auto path = cursor.ExpectPath("Entity.attribute");
  cursor.ExpectEnd();
  if (path && path->entity.text.empty()) {
    cursor.FailAt(path->attribute.at, "a tenant is an entity's attribute", "write: tenant Org.id");
    return;
  }
  if (path) {
    context.model.tenant = Tenant{*std::move(path)};
  }
}

void ReadStrategy(const Statement& statement, ReadContext& context) {
  TokenCursor cursor(statement, context.diagnostics);
  cursor.Take();
  StrategyChoice choice;
  auto name = cursor.ExpectReference<Relationship>("a relationship");
  if (!name || !cursor.ExpectSymbol("=")) {
    return;
  }
  choice.relationship = *std::move(name);
  choice.strategies = cursor.ExpectNameList("a strategy");
  cursor.ExpectEnd();
  context.model.strategies.push_back(std::move(choice));
}

}  // namespace prejoin::model
