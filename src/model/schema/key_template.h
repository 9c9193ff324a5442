// Key templates such as "STU#{id}" as data: parsed once, rendered everywhere, and read back to
// attributes.
//
//   "ORG#{org}#USER#{user}"            attributes between literals
//   "{createdAt}", "{position pad 6}"  numbers padded with zeros, so that text order is number
//   order
//   "{email lower}", "{code upper}"    case folded
//   "CRS#{courseId}#{shard 8 of studentId}"  one of 8 suffixes, chosen by a hash of the attribute
//   "LOG#{at day}", "{geohash first 5}"      the beginning of the value
//   "{score descending 6}"                   999999 - score, so that text order is number order backwards
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

inline constexpr int kFirstMax = 64;

// The part of a value that a key or a condition uses: its beginning. `at day` is the first ten characters of a time,
// `geohash first 5` the first five of a text. All of them keep the order of the values, and deriving twice changes nothing.
struct Derivation {
  int first = 0;        // Characters; 0: no derivation.
  std::string text;     // As it is written: "day", "first 5".
  bool moment = false;  // For dates and times only.

  bool given() const { return first > 0; }
  friend bool operator==(const Derivation& a, const Derivation& b) { return a.text == b.text; }
};

// year, month, day or hour; nullopt for any other word.
std::optional<Derivation> MomentDerivation(std::string_view word);
// first 1 to first kFirstMax; nullopt outside of that.
std::optional<Derivation> FirstDerivation(int first);

// "at day"
std::string DerivedName(std::string_view attribute, const Derivation& derivation);

// "at" of "at day"; the name itself if nothing is derived.
std::string BaseName(std::string_view name);

// The beginning of a text, never a part of a character.
std::string BeginningOf(std::string_view text, const Derivation& derivation);

enum class TemplateTransform { kNone, kPad, kLower, kUpper, kShard, kFirst, kDescending };

struct TemplatePart {
  std::string literal;  // Set: literal text. Else the attribute.
  std::string attribute;
  TemplateTransform transform = TemplateTransform::kNone;
  int argument = 0;  // Pad width, shard count, digits of `descending` (0: those of the attribute).
  int offset = 0;    // Bytes from the opening quote, for diagnostics.
  // For a part of a key: the literal after it, and the values that are refused (key_refusals.h).
  std::string next = {};
  std::vector<std::string> rules = {};
  Derivation derivation = {};  // kFirst

  bool is_literal() const { return attribute.empty(); }
  // The attribute in this part, or the value derived from it. Conditions and figures use this name.
  std::string label() const {
    return transform == TemplateTransform::kFirst ? DerivedName(attribute, derivation) : attribute;
  }
  // True if the attribute can be read back from the key.
  bool gives_back() const {
    return transform == TemplateTransform::kNone || transform == TemplateTransform::kPad;
  }
};

struct KeyTemplate {
  std::vector<TemplatePart> parts;
  // `PK = id` without quotes: the attribute's own value and type, not text.
  bool natural = false;
  SourceSpan at;

  bool empty() const { return parts.empty(); }
  std::vector<std::string> Attributes() const;
  // The attributes that the key fixes, or the values derived from them (TemplatePart::label).
  std::vector<std::string> Labels() const;
  const TemplatePart* Shard() const;
  // As it would be written in a model file, quotes included.
  std::string ToString() const;
  // The literal before the first attribute.
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

// Why the value has no place in a `descending` part of so many digits: "is negative". Empty: it has one.
std::string WhyNotDescending(const AttributeValue& value, int digits);

// The shard that `value` belongs to. Stable across versions and machines: FNV-1a of the text,
// modulo `count`.
int ShardOf(const AttributeValue& value, int count);

// Attributes, and what is derived from them, read back from a rendered key; nullopt when the text does not fit the template. Where
// two readings are possible, an attribute ends at the first occurrence of the literal after it.
std::optional<std::map<std::string, std::string>> ReadKey(const KeyTemplate& key,
                                                          std::string_view text);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_KEY_TEMPLATE_H_
