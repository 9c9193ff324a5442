#include "model/bind/optional_conditions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/syntax/statement.h"

namespace prejoin::model {
namespace {

std::size_t CountOptional(const Pattern& pattern) {
  std::size_t count = 0;
  for (const Section& section : pattern.sections) {
    for (const Condition& condition : section.conditions) {
      count += condition.optional ? 1 : 0;
    }
  }
  return count;
}

// The optional conditions whose bit is set are asked for, the others are not there.
Pattern VariantOf(const Pattern& pattern, std::size_t bits) {
  Pattern variant = pattern;
  variant.variant_of = pattern.name.text;
  variant.examples.clear();
  std::size_t bit = 0;
  for (Section& section : variant.sections) {
    std::vector<Condition> kept;
    for (Condition& condition : section.conditions) {
      const bool asked = !condition.optional || ((bits >> bit) & 1) != 0;
      bit += condition.optional ? 1 : 0;
      if (!asked) {
        continue;
      }
      if (condition.optional) {
        variant.name.text += "+" + condition.attribute.text;
      }
      condition.optional = false;
      kept.push_back(std::move(condition));
    }
    section.conditions = std::move(kept);
  }
  return variant;
}

bool Fits(const Example& example, const Pattern& variant) {
  std::set<std::string> given;
  for (const auto& [name, value] : example.arguments) {
    given.insert(name.text);
  }
  const std::vector<std::string> parameters = variant.Parameters();
  return given == std::set<std::string>(parameters.begin(), parameters.end());
}

std::vector<Pattern> Variants(const Pattern& pattern, std::size_t optional,
                              std::vector<Diagnostic>& diagnostics) {
  std::vector<Pattern> variants;
  const std::size_t count = std::size_t{1} << optional;
  for (std::size_t bits = 0; bits < count; ++bits) {
    variants.push_back(VariantOf(pattern, bits));
    variants.back().rate_per_second /= static_cast<double>(count);
    variants.back().peak_per_second /= static_cast<double>(count);
  }
  for (const Example& example : pattern.examples) {
    const auto fitting = std::find_if(variants.begin(), variants.end(),
                                      [&](const Pattern& one) { return Fits(example, one); });
    if (fitting != variants.end()) {
      fitting->examples.push_back(example);
    } else if (diagnostics.size() < kDiagnosticsMax) {
      diagnostics.push_back({"PJ003", Severity::kError, example.at,
                             "this example fits no combination of the optional conditions",
                             "give a value for every parameter of the intended ones"});
    }
  }
  return variants;
}

}  // namespace

void ExpandOptionalConditions(ParsedModel& model, std::vector<Diagnostic>& diagnostics) {
  std::vector<Pattern> all;
  for (Pattern& pattern : model.patterns) {
    const std::size_t optional = CountOptional(pattern);
    if (optional == 0) {
      all.push_back(std::move(pattern));
    } else if (optional > kOptionalConditionsMax) {
      diagnostics.push_back(
          {"PJ003", Severity::kError, pattern.name.at,
           "`" + pattern.name.text + "` has " + std::to_string(optional) +
               " optional conditions: that is " +
               std::to_string(std::size_t{1} << std::min<std::size_t>(optional, 30)) +
               " different questions",
           "keep at most 6, and send the rest to a search engine"});
      all.push_back(std::move(pattern));
    } else {
      for (Pattern& variant : Variants(pattern, optional, diagnostics)) {
        all.push_back(std::move(variant));
      }
    }
  }
  model.patterns = std::move(all);
}

}  // namespace prejoin::model
