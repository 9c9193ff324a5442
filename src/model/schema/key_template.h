// Key templates such as "STU#{id}" as data: parsed once, rendered everywhere, and read back to
// attributes.
//
//   "ORG#{org}#USER#{user}"            attributes between literals
//   "{createdAt}", "{position pad 6}"  numbers padded with zeros, so that text order is number
//   order
//   "{email lower}", "{code upper}"    case folded
//   "CRS#{courseId}#{shard 8 of studentId}"  one of 8 suffixes, chosen by a hash of the attribute
#ifndef PREJOIN_MODEL_SCHEMA_KEY_TEMPLATE_H_
#define PREJOIN_MODEL_SCHEMA_KEY_TEMPLATE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/syntax/diagnostic.h"
#include "prejoin/item.h"

namespace prejoin::model {

enum class TemplateTransform { kNone, kPad, kLower, kUpper, kShard };

struct TemplatePart {
  std::string literal;  // Set: literal text. Else the attribute.
  std::string attribute;
  TemplateTransform transform = TemplateTransform::kNone;
  int argument = 0;  // Pad width, shard count.
  int offset = 0;    // Bytes from the opening quote, for diagnostics.
  // Of a part of a key: the literal behind it, and what its values must not look like (key_refusals.h).
  std::string next = {};
  std::vector<std::string> rules = {};

  bool is_literal() const { return attribute.empty(); }
};

struct KeyTemplate {
  std::vector<TemplatePart> parts;
  // `PK = id` without quotes: the attribute's own value and type, not text.
  bool natural = false;
  SourceSpan at;

  bool empty() const { return parts.empty(); }
  std::vector<std::string> Attributes() const;
  const TemplatePart* Shard() const;
  // As it would be written in a model file, quotes included.
  std::string ToString() const;
  // The literal in front of the first attribute.
  std::string LeadingLiteral() const;
};

// Gives the attribute's value, or null when it is absent.
using AttributeLookup = std::function<const AttributeValue*(std::string_view)>;

KeyTemplate ParseKeyTemplate(std::string_view text, const SourceSpan& at,
                             std::vector<Diagnostic>& diagnostics);

// Nullopt when an attribute is absent: then the item has no such key, which is how sparse indexes
// come about.
std::optional<AttributeValue> RenderKey(const KeyTemplate& key, const AttributeLookup& lookup);

// Why `text`, as the template writes it, cannot be this part of a key: "contains \"#\", which ends it". Empty: it can.
std::string WhyRefused(const TemplatePart& part, const std::string& text);

// One attribute as a template writes it; nullopt for values that cannot be part of a key: of another type, empty, or refused by
// the part's rules.
std::optional<std::string> RenderPart(const TemplatePart& part, const AttributeValue& value);

// The first attribute whose value the key refuses, and why: "tenant contains \"#\", which ends it". Empty: none; a key that
// RenderKey does not make then lacks an attribute.
std::string WhyNoKey(const KeyTemplate& key, const AttributeLookup& lookup);

// The shard that `value` belongs to. Stable across versions and machines: FNV-1a of the text,
// modulo `count`.
int ShardOf(const AttributeValue& value, int count);

// Attributes read back from a rendered key; nullopt when the text does not fit the template. Where
// two readings are possible, an attribute ends at the first occurrence of the literal behind it.
std::optional<std::map<std::string, std::string>> ReadKey(const KeyTemplate& key,
                                                          std::string_view text);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_KEY_TEMPLATE_H_
