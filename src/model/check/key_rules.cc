// Rules about key templates: unique, distinct, readable, in the claimed order.
#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/limits.h"
#include "model/check/checker.h"
#include "model/layout/key_spelling.h"
#include "model/layout/layout_edits.h"
#include "model/layout/print_physical.h"
#include "model/plan/expectation.h"
#include "model/plan/key_expression.h"
#include "model/plan/propose.h"
#include "model/syntax/figure_text.h"

namespace prejoin::model {
namespace {

constexpr std::array kKeyRules = std::to_array<Rule>({
    {"PJ105", "key-collision", Severity::kError, "items of two entities can have the same key",
     "The second put silently replaces the first item.", "Give each entity its own prefix."},
    {"PJ107", "prefix-too-wide", Severity::kError, "a prefix matches more than it should",
     "Without a closing delimiter, PROJECT#p1 also matches PROJECT#p10, and NY#NEWYORK matches "
     "NY#NEWYORKCITY.",
     "Put a delimiter between the attributes: {City}#{Zip}."},
    {"PJ108", "sort-claim", Severity::kError, "items do not sort as the model says",
     "DynamoDB sorts strings by their bytes: # (0x23) comes before digits and letters, and upper "
     "case before lower case.",
     "Change the prefixes, or correct the `sorts` statement."},
    {"PJ114", "ambiguous-items", Severity::kWarning,
     "items of two entities cannot be told apart when they are read",
     "Code that reads an item collection of several entities must know the entity of each item.",
     "Give them different prefixes or declare `type EntityType` in the table."},
    {"PJ118", "key-too-long", Severity::kError, "a key can be longer than DynamoDB allows",
     "A partition key has at most 2,048 bytes, a sort key 1,024.",
     "Declare smaller maximum sizes, or shorten the template."},
    {"PJ120", "key-type", Severity::kError, "a value of this type cannot be a key",
     "Keys are text, numbers or binary.", "Use another attribute."},
    {"PJ124", "key-of-two-types", Severity::kError, "one key attribute has two types",
     "A key attribute of a table or index has one type; DynamoDB refuses every item with another.",
     "Write the key as text in all items, {attribute pad N} for a number; or give the entity an "
     "index of its own."},
    {"PJ125", "empty-key", Severity::kError, "a key can be empty",
     "DynamoDB refuses an item whose key attribute, of the table or of an index, is empty text.",
     "Leave the attribute out (optional) instead of writing an empty text."},
    {"PJ302", "delimiter-first", Severity::kNote,
     "a sort key begins with its delimiter, and no `sorts` statement says that this is intended",
     "# (0x23) sorts before digits and letters, so #ORDER#1 comes before CUSTOMER#1, not after it.",
     "State the order with `sorts A before B`, or leave the delimiter out."},
    {"PJ202", "unprefixed-sort-key", Severity::kWarning,
     "a sort key without a prefix in a collection of several entities",
     "Without a prefix, no Query can read the items of one entity only.",
     "Start the template with the entity's name: ORDER#{id}."},
    {"PJ217", "one-partition", Severity::kWarning,
     "all items of an entity share one partition key, and one partition cannot serve them",
     "One partition serves at most 3,000 RCU and 1,000 WCU per second, so it is the first to "
     "throttle.",
     "Add an attribute or a shard to the key."},
});

bool FixedWidth(const Attribute* attribute, const TemplatePart& part) {
  if (part.transform == TemplateTransform::kShard ||
      part.transform == TemplateTransform::kDescending) {
    return true;
  }
  if (part.transform == TemplateTransform::kPad) {
    return attribute == nullptr || part.argument >= std::max(attribute->size_max, attribute->size_avg);
  }
  return attribute != nullptr && TraitsOf(attribute->type).moment;
}

SourceSpan PartSpan(const KeyTemplate& key, const TemplatePart& part) {
  SourceSpan at = key.at;
  if (!key.natural) {
    at.column += part.offset;
  }
  at.length = static_cast<int>(part.is_literal() ? part.literal.size() : part.attribute.size());
  return at;
}

// The template with a delimiter behind part `i`.
Proposal SeparateParts(const ItemLayout& layout, const StoredAttribute& stored, std::size_t i) {
  StoredAttribute now = stored;
  TemplatePart delimiter;
  delimiter.literal = "#";
  now.key.parts.insert(now.key.parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, delimiter);
  return std::vector{ReplaceStored(layout, stored, now)};
}

// PJ107, PJ118, PJ120, PJ122: one template by itself.
void CheckTemplate(Checker& checker, const ItemLayout& layout, const StoredAttribute& stored,
                   bool is_key, std::size_t bytes_max) {
  const Entity& entity = checker.model.At(layout.entity);
  const KeyTemplate& key = stored.key;
  double longest = 0;
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    const TemplatePart& part = key.parts[i];
    const Attribute* attribute = part.is_literal() ? nullptr : entity.Find(part.attribute);
    longest += part.is_literal() ? static_cast<double>(part.literal.size())
                                 : (attribute != nullptr ? MaximumValueBytes(*attribute) : 0);
    if (attribute == nullptr) {
      continue;
    }
    const bool complex = IsComplex(attribute->type);
    if (is_key && (complex || (key.natural && IsBool(attribute->type)))) {
      checker.Report(RuleIn(kKeyRules, "PJ120"), PartSpan(key, part),
                     "`" + part.attribute + "` is a " +
                         std::string(AttributeTypeName(attribute->type)) +
                         " and cannot be part of a key");
    }
    const bool next_is_attribute = i + 1 < key.parts.size() && !key.parts[i + 1].is_literal();
    if (next_is_attribute && !FixedWidth(attribute, part)) {
      checker.Report(RuleIn(kKeyRules, "PJ107"), PartSpan(key, part),
                     "nothing separates `" + part.attribute + "` from `" +
                         key.parts[i + 1].attribute + "`: a prefix that ends with " +
                         part.attribute + " also matches longer values",
                     SeparateParts(layout, stored, i));
    }
  }
  if (is_key && longest > static_cast<double>(bytes_max)) {
    checker.Report(RuleIn(kKeyRules, "PJ118"), key.at,
                   stored.name.text + " can be " + FigureText(longest) +
                       " bytes long; the limit is " + FigureText(static_cast<double>(bytes_max)));
  }
}

// Could the two templates render the same text? Attributes stand for any text without the delimiter
// behind them.
bool CanBeEqual(const KeyTemplate& a, const KeyTemplate& b) {
  if (a.natural || b.natural) {
    return a.natural && b.natural;
  }
  if (a.parts.size() != b.parts.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (a.parts[i].is_literal() != b.parts[i].is_literal()) {
      return false;
    }
    if (a.parts[i].literal != b.parts[i].literal) {
      return false;
    }
  }
  return true;
}

bool SameKeys(const Table& table, const ItemLayout& a, const ItemLayout& b) {
  for (const Name* name : {&table.partition, &table.sort}) {
    if (name->text.empty()) {
      continue;
    }
    if (!CanBeEqual(a.Find(name->text)->key, b.Find(name->text)->key)) {
      return false;
    }
  }
  return true;
}

// The entity's name as prefix of the last key, of the one of the two where that is a change.
Proposal OwnPrefix(const Table& table, const ItemLayout& a, const ItemLayout& b) {
  const std::string& name = table.sort.text.empty() ? table.partition.text : table.sort.text;
  for (const ItemLayout* layout : {&b, &a}) {
    const StoredAttribute& stored = *layout->Find(name);
    const StoredAttribute now = WithPrefix(stored, KeyWord(layout->entity.text));
    if (PrintStored(now) != PrintStored(stored) && IsWritten(*layout, stored)) {
      return std::vector{ReplaceStored(*layout, stored, now)};
    }
  }
  return {};
}

// PJ105, PJ114: two layouts of a table.
void CheckPairs(Checker& checker, const Table& table) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    for (std::size_t j = i + 1; j < table.items.size(); ++j) {
      const ItemLayout& a = table.items[i];
      const ItemLayout& b = table.items[j];
      if (!SameKeys(table, a, b)) {
        continue;
      }
      checker.Report(RuleIn(kKeyRules, "PJ105"), b.entity.at,
                     "items of `" + a.entity.text + "` and `" + b.entity.text +
                         "` have the same key templates: " +
                         b.Find(table.partition.text)->key.ToString() + " fits both",
                     OwnPrefix(table, a, b));
      if (table.type_attribute.text.empty()) {
        checker.Report(
            RuleIn(kKeyRules, "PJ114"), b.entity.at,
            "nothing tells items of `" + a.entity.text + "` and `" + b.entity.text + "` apart",
            Proposal(std::vector{AddToTable(table, {"type EntityType"})}));
      }
    }
  }
}

// The claim the other way round; keys that begin alike have no order to claim.
LineEdit CorrectedClaim(const Table& table, const SortClaim& claim, int order) {
  const std::string declaration = "table " + table.name.text;
  const std::string old = PrintClaim(claim);
  return order > 0
             ? ReplaceIn(declaration, claim.first.at, old, PrintClaim({claim.second, claim.first}))
             : RemoveFrom(declaration, claim.first.at, old);
}

// PJ108
void CheckClaims(Checker& checker, const Table& table) {
  for (const SortClaim& claim : table.sort_claims) {
    const auto find = [&](const Name& name) -> const ItemLayout* {
      for (const ItemLayout& layout : table.items) {
        if (layout.entity == name) {
          return &layout;
        }
      }
      return nullptr;
    };
    const ItemLayout* first = find(claim.first);
    const ItemLayout* second = find(claim.second);
    if (first == nullptr || second == nullptr || table.sort.text.empty()) {
      continue;
    }
    KeyExpression a;
    KeyExpression b;
    a.AddLiteral(first->Find(table.sort.text)->key.LeadingLiteral());
    b.AddLiteral(second->Find(table.sort.text)->key.LeadingLiteral());
    const int order = CompareExpressions(a, b).value_or(0);
    if (order < 0) {
      continue;
    }
    checker.Report(RuleIn(kKeyRules, "PJ108"), claim.first.at,
                   "`" + claim.first.text + "` does not sort before `" + claim.second.text +
                       "`: \"" + a.LeadingLiteral() + "\" comes " +
                       (order > 0 ? "after" : "together with") + " \"" + b.LeadingLiteral() +
                       "\" in byte order",
                   Proposal(std::vector{CorrectedClaim(table, claim, order)}));
  }
}

// PJ202
void CheckPrefixes(Checker& checker, const Table& table) {
  if (table.items.size() < 2 || table.sort.text.empty()) {
    return;
  }
  for (const ItemLayout& layout : table.items) {
    const StoredAttribute* sort = layout.Find(table.sort.text);
    const StoredAttribute* partition = layout.Find(table.partition.text);
    if (sort == nullptr || !sort->key.LeadingLiteral().empty()) {
      continue;
    }
    const bool shared =
        std::any_of(table.items.begin(), table.items.end(), [&](const ItemLayout& other) {
          return &other != &layout &&
                 CanBeEqual(other.Find(table.partition.text)->key, partition->key);
        });
    if (shared) {
      checker.Report(RuleIn(kKeyRules, "PJ202"), sort->key.at,
                     "the sort key of `" + layout.entity.text +
                         "` has no prefix, but other entities share its partition",
                     OtherKey(layout, *sort, WithPrefix(*sort, KeyWord(layout.entity.text))));
    }
  }
}

// S for a template: it renders text.
ValueType KeyTypeOf(const Entity& entity, const StoredAttribute& stored) {
  if (!stored.key.natural) {
    return ValueType::kString;
  }
  const Attribute* attribute =
      stored.key.parts.empty() ? nullptr : entity.Find(stored.key.parts[0].attribute);
  return attribute == nullptr ? ValueType::kString : TraitsOf(attribute->type).stored;
}

// PJ124
void CheckKeyTypes(Checker& checker, const Table& table, const std::set<std::string>& keys) {
  for (const std::string& key : keys) {
    const ItemLayout* first = nullptr;
    for (const ItemLayout& layout : table.items) {
      const StoredAttribute* stored = layout.Find(key);
      if (stored == nullptr || stored->kind != StoredKind::kTemplate) {
        continue;
      }
      if (first == nullptr) {
        first = &layout;
        continue;
      }
      const ValueType one =
          KeyTypeOf(checker.model.At(first->entity), *first->Find(key));
      const ValueType other = KeyTypeOf(checker.model.At(layout.entity), *stored);
      if (one == other) {
        continue;
      }
      const auto name = [](ValueType type) {
        return type == ValueType::kString ? "text"
                                          : (type == ValueType::kNumber ? "a number" : "binary");
      };
      checker.Report(RuleIn(kKeyRules, "PJ124"), stored->key.at,
                     "`" + key + "` is " + name(other) + " in items of `" + layout.entity.text +
                         "` and " + name(one) + " in items of `" + first->entity.text + "`");
      break;
    }
  }
}

bool IsEmptyText(const AttributeValue& value) {
  return value.string() != nullptr && value.string()->empty();
}

// PJ125: an empty value that the file states, of an attribute that a key is made of.
void CheckEmptyKeys(Checker& checker, const ItemLayout& layout, const std::set<std::string>& keys) {
  const Entity& entity = checker.model.At(layout.entity);
  std::set<std::string> reported;
  for (const StoredAttribute& stored : layout.attributes) {
    if (stored.kind != StoredKind::kTemplate || !keys.contains(stored.name.text)) {
      continue;
    }
    for (const std::string& name : stored.key.Attributes()) {
      const Attribute* attribute = entity.Find(name);
      if (attribute == nullptr || !reported.insert(name).second) {
        continue;
      }
      if (std::ranges::any_of(attribute->values, IsEmptyText)) {
        checker.Report(RuleIn(kKeyRules, "PJ125"), attribute->name.at,
                       "`" + name + "` may be empty, but the key " + stored.name.text + " of `" +
                           layout.entity.text + "` contains it");
      }
    }
  }
}

// True if a collection has one item of this entity: "#METADATA#{id}" behind "GAME#{id}" is the usual way to put the parent first.
bool LeadsCollection(const Checker& checker, const Table& table, const ItemLayout& layout) {
  const std::vector<std::string> names = layout.Find(table.partition.text)->key.Labels();
  const std::set<std::string> bound(names.begin(), names.end());
  return Covers(bound, checker.model.At(layout.entity).KeyNames());
}

// PJ302: two entities in one collection, and the sort key of one begins with the delimiter.
void CheckLeadingDelimiter(Checker& checker, const Table& table) {
  const auto claimed = [&](const ItemLayout& a, const ItemLayout& b) {
    return std::ranges::any_of(table.sort_claims, [&](const SortClaim& claim) {
      return (claim.first == a.entity && claim.second == b.entity) ||
             (claim.first == b.entity && claim.second == a.entity);
    });
  };
  const auto begins_with_sign = [](const std::string& text) {
    return !text.empty() && !absl::ascii_isalnum(static_cast<unsigned char>(text[0]));
  };
  for (const ItemLayout& layout : table.items) {
    const StoredAttribute* sort = table.sort.text.empty() ? nullptr : layout.Find(table.sort.text);
    // A fixed "#META" is the usual way to put the parent first.
    if (sort == nullptr || sort->key.natural || sort->key.Attributes().empty() ||
        !begins_with_sign(sort->key.LeadingLiteral())) {
      continue;
    }
    for (const ItemLayout& other : table.items) {
      const std::string literal = other.Find(table.sort.text)->key.LeadingLiteral();
      if (&other == &layout || literal.empty() || begins_with_sign(literal) ||
          claimed(layout, other) || LeadsCollection(checker, table, layout) ||
          !CanBeEqual(other.Find(table.partition.text)->key,
                      layout.Find(table.partition.text)->key)) {
        continue;
      }
      checker.Report(
          RuleIn(kKeyRules, "PJ302"), sort->key.at,
          "\"" + sort->key.LeadingLiteral() + "\" sorts before \"" + literal + "\": `" +
              layout.entity.text + "` comes before `" + other.entity.text + "`",
          Proposal(std::vector{AddToTable(table, {PrintClaim({layout.entity, other.entity})})}),
          Applicability::kSafe);
      break;
    }
  }
}

void CheckKeys(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    std::set<std::string> partition_keys = {table.partition.text};
    std::set<std::string> sort_keys = {table.sort.text};
    for (const Index& index : table.indexes) {
      for (const Name& name : index.partition) {
        partition_keys.insert(name.text);
      }
      for (const Name& name : index.sort) {
        sort_keys.insert(name.text);
      }
    }
    for (const ItemLayout& layout : table.items) {
      const Entity& entity = checker.model.At(layout.entity);
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind != StoredKind::kTemplate) {
          continue;
        }
        const bool partition = partition_keys.contains(stored.name.text);
        CheckTemplate(checker, layout, stored, partition || sort_keys.contains(stored.name.text),
                      partition ? kPartitionKeyBytesMax : kSortKeyBytesMax);
        const int shards = partition && stored.key.Attributes().empty()
                               ? ShardsFor(checker.model, layout.entity, table)
                               : 1;
        if (shards > 1) {
          checker.Report(RuleIn(kKeyRules, "PJ217"), stored.key.at,
                         "every " + layout.entity.text + " has the same " + stored.name.text +
                             ": " + stored.key.ToString(),
                         entity.KeyNames().empty()
                             ? Proposal()
                             : OtherKey(layout, stored,
                                        Extended(stored, ShardText(shards, entity.KeyNames()[0]))));
        }
      }
    }
    std::set<std::string> keys = partition_keys;
    keys.insert(sort_keys.begin(), sort_keys.end());
    keys.erase("");
    CheckKeyTypes(checker, table, keys);
    for (const ItemLayout& layout : table.items) {
      CheckEmptyKeys(checker, layout, keys);
    }
    CheckPairs(checker, table);
    CheckClaims(checker, table);
    CheckLeadingDelimiter(checker, table);
    CheckPrefixes(checker, table);
  }
}

}  // namespace

constinit const RuleFamily kKeyFamily = {kKeyRules, CheckKeys};

}  // namespace prejoin::model
