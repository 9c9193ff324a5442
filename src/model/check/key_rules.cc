// Rules about key templates: unique, distinct, readable, in the claimed order.
#include <algorithm>
#include <set>

#include "base/limits.h"
#include "model/check/checker.h"
#include "model/plan/expectation.h"
#include "model/plan/key_expression.h"

namespace prejoin::model {
namespace {

bool FixedWidth(const Attribute* attribute, const TemplatePart& part) {
  if (part.transform == TemplateTransform::kPad || part.transform == TemplateTransform::kShard)
    return true;
  return attribute != nullptr &&
         (attribute->type == AttributeType::kDate || attribute->type == AttributeType::kTime);
}

SourceSpan PartSpan(const KeyTemplate& key, const TemplatePart& part) {
  SourceSpan at = key.at;
  if (!key.natural) at.column += part.offset;
  at.length = static_cast<int>(part.is_literal() ? part.literal.size() : part.attribute.size());
  return at;
}

// PJ107, PJ118, PJ120, PJ122: one template by itself.
void CheckTemplate(Checker& checker, const Entity& entity, const StoredAttribute& stored,
                   bool is_key, std::size_t bytes_max) {
  const KeyTemplate& key = stored.key;
  double longest = 0;
  for (std::size_t i = 0; i < key.parts.size(); ++i) {
    const TemplatePart& part = key.parts[i];
    const Attribute* attribute = part.is_literal() ? nullptr : entity.Find(part.attribute);
    longest += part.is_literal() ? static_cast<double>(part.literal.size())
                                 : (attribute != nullptr ? MaximumValueBytes(*attribute) : 0);
    if (attribute == nullptr) continue;
    const bool complex =
        attribute->type == AttributeType::kList || attribute->type == AttributeType::kMap ||
        attribute->type == AttributeType::kTextSet || attribute->type == AttributeType::kNumberSet;
    if (is_key && (complex || (key.natural && attribute->type == AttributeType::kBool))) {
      checker.Report("PJ120", PartSpan(key, part),
                     "`" + part.attribute + "` is a " +
                         std::string(AttributeTypeName(attribute->type)) +
                         " and cannot be part of a key");
    }
    const bool next_is_attribute = i + 1 < key.parts.size() && !key.parts[i + 1].is_literal();
    if (next_is_attribute && !FixedWidth(attribute, part)) {
      checker.Report("PJ107", PartSpan(key, part),
                     "nothing separates `" + part.attribute + "` from `" +
                         key.parts[i + 1].attribute + "`: a prefix that ends in a " +
                         part.attribute + " also matches every longer one",
                     "write {" + part.attribute + "}#{" + key.parts[i + 1].attribute + "}");
    }
  }
  if (is_key && longest > static_cast<double>(bytes_max)) {
    checker.Report("PJ118", key.at,
                   stored.name.text + " can be " + Readable(longest) +
                       " bytes long; the limit is " + Readable(static_cast<double>(bytes_max)));
  }
}

// Could the two templates render the same text? Attributes stand for any text without the delimiter
// behind them.
bool CanBeEqual(const KeyTemplate& a, const KeyTemplate& b) {
  if (a.natural || b.natural) return a.natural && b.natural;
  if (a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (a.parts[i].is_literal() != b.parts[i].is_literal()) return false;
    if (a.parts[i].literal != b.parts[i].literal) return false;
  }
  return true;
}

bool SameKeys(const Table& table, const ItemLayout& a, const ItemLayout& b) {
  for (const Name* name : {&table.partition, &table.sort}) {
    if (name->text.empty()) continue;
    if (!CanBeEqual(a.Find(name->text)->key, b.Find(name->text)->key)) return false;
  }
  return true;
}

// PJ105, PJ114: two layouts of a table.
void CheckPairs(Checker& checker, const Table& table) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    for (std::size_t j = i + 1; j < table.items.size(); ++j) {
      const ItemLayout& a = table.items[i];
      const ItemLayout& b = table.items[j];
      if (!SameKeys(table, a, b)) continue;
      checker.Report("PJ105", b.entity.at,
                     "items of `" + a.entity.text + "` and `" + b.entity.text +
                         "` have the same key templates: " +
                         b.Find(table.partition.text)->key.ToString() + " would hold either",
                     "start one of the keys with another prefix");
      if (table.type_attribute.text.empty()) {
        checker.Report(
            "PJ114", b.entity.at,
            "nothing tells items of `" + a.entity.text + "` and `" + b.entity.text + "` apart");
      }
    }
  }
}

// PJ106: the table's key must contain the entity's.
void CheckUnique(Checker& checker, const Table& table, const Entity& entity,
                 const ItemLayout& layout) {
  std::set<std::string> in_key;
  bool folded = false;
  for (const Name* name : {&table.partition, &table.sort}) {
    if (name->text.empty()) continue;
    for (const TemplatePart& part : layout.Find(name->text)->key.parts) {
      if (part.is_literal() || part.transform == TemplateTransform::kShard) continue;
      in_key.insert(part.attribute);
      folded = folded || part.transform == TemplateTransform::kLower ||
               part.transform == TemplateTransform::kUpper;
    }
  }
  // A unique attribute identifies a row as well as its key does.
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.unique && in_key.contains(attribute.name.text)) return;
  }
  for (const std::string& key : entity.KeyNames()) {
    if (in_key.contains(key)) continue;
    const StoredAttribute* last =
        layout.Find(table.sort.text.empty() ? table.partition.text : table.sort.text);
    checker.Report("PJ106", last->key.at,
                   "`" + key + "` identifies one " + entity.name.text +
                       " but is not in its key: two of them with the same " +
                       (in_key.empty() ? "key" : *in_key.rbegin()) + " overwrite each other",
                   "add #{" + key + "} at the end of " + last->name.text);
    return;
  }
}

// PJ108
void CheckClaims(Checker& checker, const Table& table) {
  for (const SortClaim& claim : table.sort_claims) {
    const auto find = [&](const Name& name) -> const ItemLayout* {
      for (const ItemLayout& layout : table.items) {
        if (layout.entity == name) return &layout;
      }
      return nullptr;
    };
    const ItemLayout* first = find(claim.first);
    const ItemLayout* second = find(claim.second);
    if (first == nullptr || second == nullptr || table.sort.text.empty()) continue;
    KeyExpression a;
    KeyExpression b;
    a.AddLiteral(first->Find(table.sort.text)->key.LeadingLiteral());
    b.AddLiteral(second->Find(table.sort.text)->key.LeadingLiteral());
    const int order = CompareExpressions(a, b).value_or(0);
    if (order < 0) continue;
    checker.Report("PJ108", claim.first.at,
                   "`" + claim.first.text + "` does not sort before `" + claim.second.text +
                       "`: \"" + a.LeadingLiteral() + "\" comes " +
                       (order > 0 ? "after" : "together with") + " \"" + b.LeadingLiteral() +
                       "\" in bytes");
  }
}

// PJ202
void CheckPrefixes(Checker& checker, const Table& table) {
  if (table.items.size() < 2 || table.sort.text.empty()) return;
  for (const ItemLayout& layout : table.items) {
    const StoredAttribute* sort = layout.Find(table.sort.text);
    const StoredAttribute* partition = layout.Find(table.partition.text);
    if (sort == nullptr || !sort->key.LeadingLiteral().empty()) continue;
    const bool shared =
        std::any_of(table.items.begin(), table.items.end(), [&](const ItemLayout& other) {
          return &other != &layout &&
                 CanBeEqual(other.Find(table.partition.text)->key, partition->key);
        });
    if (shared) {
      checker.Report("PJ202", sort->key.at,
                     "the sort key of `" + layout.entity.text +
                         "` has no prefix, but other entities share its partition");
    }
  }
}

}  // namespace

void CheckKeys(Checker& checker) {
  for (const Table& table : checker.model.tables) {
    std::set<std::string> partition_keys = {table.partition.text};
    std::set<std::string> sort_keys = {table.sort.text};
    for (const Index& index : table.indexes) {
      for (const Name& name : index.partition) partition_keys.insert(name.text);
      for (const Name& name : index.sort) sort_keys.insert(name.text);
    }
    for (const ItemLayout& layout : table.items) {
      const Entity& entity = *checker.model.FindEntity(layout.entity.text);
      for (const StoredAttribute& stored : layout.attributes) {
        if (stored.kind != StoredKind::kTemplate) continue;
        const bool partition = partition_keys.contains(stored.name.text);
        CheckTemplate(checker, entity, stored, partition || sort_keys.contains(stored.name.text),
                      partition ? kPartitionKeyBytesMax : kSortKeyBytesMax);
        if (partition && stored.key.Attributes().empty()) {
          checker.Report("PJ217", stored.key.at,
                         "every " + layout.entity.text + " has the same " + stored.name.text +
                             ": " + stored.key.ToString());
        }
      }
      CheckUnique(checker, table, entity, layout);
    }
    CheckPairs(checker, table);
    CheckClaims(checker, table);
    CheckPrefixes(checker, table);
  }
}

}  // namespace prejoin::model
