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

// One attribute as a template writes it; nullopt for values that cannot be part of a key.
std::optional<std::string> RenderPart(const TemplatePart& part, const AttributeValue& value);

// The shard that `value` belongs to. Stable across versions and machines: FNV-1a of the text,
// modulo `count`.
int ShardOf(const AttributeValue& value, int count);

// Attributes read back from a rendered key; nullopt when the text does not fit the template. Where
// two readings are possible, an attribute ends at the first occurrence of the literal behind it.
std::optional<std::map<std::string, std::string>> ReadKey(const KeyTemplate& key,
                                                          std::string_view text);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_KEY_TEMPLATE_H_
