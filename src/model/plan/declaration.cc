#include "model/plan/declaration.h"

#include <algorithm>

#include "model/data/dataset.h"
#include "model/syntax/figure_text.h"
#include "model/syntax/quoted.h"

namespace prejoin::model {
namespace {

constexpr double kSecondsOfDay = 86400;

std::string ShareText(double share) { return PlainFigure(100 * share) + "%"; }

std::string ValuesText(const Attribute& attribute) {
  std::string out;
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    const AttributeValue& value = attribute.values[i];
    out += out.empty() ? "" : ", ";
    out += value.string() != nullptr ? Quoted(*value.string()) : ValueText(value).substr(2);
    out += attribute.shares.empty() ? "" : " " + ShareText(attribute.shares[i]);
  }
  return " values (" + out + ")";
}

// Nesting ends where the reader ended it.
std::string TypeText(const Attribute& attribute) {
  if (attribute.references) {
    return "references " + attribute.references->entity.text + "." +
           attribute.references->attribute.text;
  }
  std::string text(AttributeTypeName(attribute.type));
  if (attribute.size_avg > 0) {
    text += "(~" + PlainFigure(attribute.size_avg);
    if (attribute.size_max > 0) {
      text += ", max " + PlainFigure(attribute.size_max);
    }
    text += ")";
  }
  std::string members;
  for (const Attribute& member : attribute.members) {
    members += (members.empty() ? "" : ", ") + DeclarationOf(member);
  }
  return members.empty() ? text : text + " of (" + members + ")";
}

}  // namespace

std::string DeclarationOf(const Attribute& attribute) {
  std::string text = attribute.name.text + " " + TypeText(attribute);
  if (attribute.is_key) {
    text += " key";
  }
  if (attribute.optional) {
    text += " optional";
  }
  if (attribute.optional && attribute.presence) {
    text += " " + ShareText(*attribute.presence);
  }
  if (attribute.unique) {
    text += " unique";
  }
  if (attribute.immutable) {
    text += " immutable";
  }
  if (attribute.changes_given) {
    text += " changes " + PlainFigure(attribute.changes_per_second * kSecondsOfDay) + "/day";
  }
  if (!attribute.values.empty()) {
    text += ValuesText(attribute);
  }
  for (const auto& [derivation, distinct] : attribute.derived_distinct) {
    text += " " + derivation.text + " distinct " + PlainFigure(distinct);
  }
  if (attribute.distinct > 0) {
    text += " distinct " + PlainFigure(attribute.distinct);
  }
  if (attribute.skew.zipf > 0) {
    text += " zipf " + PlainFigure(attribute.skew.zipf);
  }
  if (attribute.skew.hottest > 0) {
    text += " hottest " + ShareText(attribute.skew.hottest);
  }
  if (attribute.drift != Drift::kNotStated) {
    text += attribute.drift == Drift::kGrows ? " grows" : " spread";
  }
  return text;
}

std::string PlaceOf(const Entity& entity) { return "in `entity " + entity.name.text + "`"; }

bool Covers(const std::set<std::string>& bound, const std::vector<std::string>& names) {
  return !names.empty() &&
         std::ranges::all_of(names, [&](const std::string& name) { return bound.contains(name); });
}

bool IsImplied(const Entity& entity, const Attribute& derived, const std::set<std::string>& bound) {
  if (derived.derived_from.empty()) {
    return false;
  }
  return bound.contains(derived.derived_from) ||
         std::ranges::any_of(entity.derived, [&](const Attribute& other) {
           return other.derived_from == derived.derived_from &&
                  other.derivation.first > derived.derivation.first &&
                  bound.contains(other.name.text);
         });
}

}  // namespace prejoin::model
