// Completes the text that is being typed.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan/parameters.h"
#include "shell/shell.h"
#include "shell/words.h"

namespace prejoin::shell {

// The parameters that may follow `\run PATTERN`.
std::vector<std::string> Shell::ParametersBehind(std::string_view run) const {
  const std::string_view rest = Trim(run.substr(std::string_view("\\run").size()));
  const std::string name(rest.substr(0, rest.find(' ')));
  std::vector<std::string> names;
  const model::Pattern* pattern =
      settings_.model != nullptr ? settings_.model->FindPattern(name) : nullptr;
  if (pattern == nullptr) {
    return names;
  }
  for (const model::Parameter& one : model::ParametersOf(*settings_.model, *pattern)) {
    names.push_back(one.name + "=");
  }
  return names;
}

std::vector<std::string> Shell::Complete(const std::string& before, const std::string& word) {
  static constexpr std::array<const char*, 16> kKeywords = {
      "SELECT",  "FROM",   "WHERE",       "AND",     "OR",          "INSERT INTO",
      "VALUE",   "UPDATE", "SET",         "REMOVE",  "DELETE FROM", "ORDER BY",
      "BETWEEN", "IN",     "begins_with", "contains"};
  std::vector<std::string> all;
  const std::string_view trimmed = Trim(before);
  if (word.starts_with("\\")) {
    all = {"\\d",        "\\call",   "\\explain", "\\run",   "\\patterns", "\\entities",
           "\\x",        "\\format", "\\timing",  "\\watch", "\\help",     "\\q"};
  } else if (trimmed == "\\call") {
    all = {"GetItem",    "Query",      "Scan",       "PutItem",
           "UpdateItem", "DeleteItem", "ListTables", "DescribeTable"};
  } else if (trimmed == "\\run" || trimmed == "\\explain") {
    if (settings_.model != nullptr) {
      for (const model::Pattern& one : settings_.model->patterns) {
        all.push_back(one.name.text);
      }
    }
  } else if (trimmed.starts_with("\\run ")) {
    all = ParametersBehind(trimmed);
  } else {
    for (const char* keyword : kKeywords) {
      all.emplace_back(keyword);
    }
    for (const std::string& table : Tables()) {
      all.push_back(table);
    }
    all.insert(all.end(), attributes_.begin(), attributes_.end());
    if (settings_.model != nullptr) {
      for (const model::Entity& entity : settings_.model->entities) {
        all.push_back(entity.name.text);
        for (const model::Attribute& attribute : entity.attributes) {
          all.push_back(attribute.name.text);
        }
      }
    }
  }
  const std::string lower = LowerCase(word);
  std::vector<std::string> fitting;
  for (std::string& one : all) {
    if (LowerCase(one).starts_with(lower) &&
        std::find(fitting.begin(), fitting.end(), one) == fitting.end()) {
      fitting.push_back(std::move(one));
    }
  }
  return fitting;
}

}  // namespace prejoin::shell
