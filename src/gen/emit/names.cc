#include "gen/emit/names.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "gen/request_text.h"
#include "gen/words.h"

namespace prejoin::gen::emit {
namespace {

constexpr std::array kLanguages = {"typescript", "python", "go",    "java",
                                   "cpp",        "rust",   "boto3", "go-structs",
                                   "java-beans"};

std::string Folded(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

bool TakesRow(const WriteStepCode& step) {
  return step.kind == WriteStepCode::Kind::kPut || step.kind == WriteStepCode::Kind::kPutIn;
}

// The names of a package. Single thread.
class PackageNames {
 public:
  explicit PackageNames(Program& program) : program_(program) {
    for (const char* language : kLanguages) {
      reserved_[language] = WordsIn(SpellingOf(language)("reserved"));
    }
    for (const NestedType& nested : program.nested) {
      Take({{"nested", {{"type", nested.name}}}});
    }
  }

  void Decide() {
    Module();
    for (TableCode& table : program_.tables) {
      table.code_name = Choose(Numbered(table.name), [](const std::string& name) {
        return Things{{"table", {{"table", name}}}};
      });
    }
    for (EntityCode& entity : program_.entities) {
      Entity(entity);
    }
    for (EntityCode& layout : program_.second_layouts) {
      layout.code_name = Choose(Numbered(layout.name), [](const std::string& name) {
        return Things{{"layout", {{"entity", name}}}};
      });
    }
    for (KeyFunction& function : program_.key_functions) {
      function.words = Choose(Numbered(KeyWords(function)), [](const std::string& name) {
        return Things{{"key", {{"words", name}}}};
      });
    }
    for (PatternFunction& pattern : program_.patterns) {
      pattern.name = Function(pattern.pattern->name.text, "get", [&](const std::string& name) {
        return Things{{"pattern", PatternParts(pattern, name)}};
      });
    }
    for (WriteFunction& write : program_.writes) {
      write.name = Function(write.write->name.text, "do", [&](const std::string& name) {
        return Things{{"write", WriteParts(write, name)}};
      });
    }
    Refreshes();
    Finders();
    program_.declared = std::move(taken_);
  }

 private:
  using Things = std::vector<std::pair<std::string, Parts>>;

  // Types, and the policies of functions, have files of their own, which must also differ where file names ignore case.
  static std::string FileOf(const std::string& kind, const Parts& parts) {
    const bool type = kind == "entity" || kind == "nested";
    const auto name = parts.find(type ? "type" : "called");
    return name == parts.end() ? "" : (type ? "" : kind + " ") + Folded(name->second.text);
  }

  std::set<std::string> NamesOf(const char* language, const Things& things) const {
    std::set<std::string> names;
    for (const auto& [kind, parts] : things) {
      const std::string text = SpellingOf(language)("declares_" + kind, parts);
      for (const std::string& name : WordsIn(text)) {
        names.insert(name);
      }
    }
    return names;
  }

  bool Needed(const Things& things) const {
    return std::ranges::any_of(kLanguages, [&](const char* language) {
      return std::ranges::any_of(NamesOf(language, things), [&](const std::string& name) {
        return reserved_.find(language)->second.contains(name);
      });
    });
  }

  bool Free(const Things& things) const {
    for (const auto& [kind, parts] : things) {
      if (files_.contains(FileOf(kind, parts))) {
        return false;
      }
    }
    return !Needed(things) && std::ranges::none_of(kLanguages, [&](const char* language) {
      const auto taken = taken_.find(language);
      return taken != taken_.end() &&
             std::ranges::any_of(NamesOf(language, things), [&](const std::string& name) {
               return taken->second.contains(name);
             });
    });
  }

  void Take(const Things& things) {
    for (const char* language : kLanguages) {
      taken_[language].merge(NamesOf(language, things));
    }
    for (const auto& [kind, parts] : things) {
      if (std::string file = FileOf(kind, parts); !file.empty()) {
        files_.insert(std::move(file));
      }
    }
  }

  // The first that is free; there is always one.
  template <class NameOf, class ThingsOf>
  std::string Choose(const NameOf& candidate, const ThingsOf& things_of) {
    for (int number = 0;; ++number) {
      const std::string name = candidate(number);
      const Things things = things_of(name);
      if (Free(things)) {
        Take(things);
        return name;
      }
    }
  }

  static std::function<std::string(int)> Numbered(const std::string& name) {
    return [name](int number) { return number == 0 ? name : name + std::to_string(number + 1); };
  }

  void Module() {
    const std::string title = program_.module;
    const auto needed = [](const std::string& name) {
      return std::ranges::any_of(kLanguages, [&](const char* language) {
        return WordsIn(SpellingOf(language).Maybe("reserved_modules")).contains(name);
      });
    };
    program_.module = needed(title) ? title + "_model" : title;
  }

  // A type that a language needs itself gets another name: ItemRow; entities whose names differ in case or signs only get a number.
  void Entity(EntityCode& entity) {
    const auto things = [](const std::string& name) {
      return Things{
          {"entity", {{"entity", name}, {"key_words", name + " key"}, {"type", PascalCase(name)}}}};
    };
    const std::string base = Needed(things(entity.name)) ? entity.name + "Row" : entity.name;
    entity.code_name = Choose(Numbered(base), things);
  }

  // A function that a language needs itself gets another name: a write Return is DoReturn. A pattern called like a type says what it does.
  template <class ThingsOf>
  std::string Function(const std::string& model_name, const char* verb, const ThingsOf& things) {
    std::string words = model_name;
    for (std::size_t at = words.find('+'); at != std::string::npos; at = words.find('+', at)) {
      words.replace(at, 1, at == model_name.find('+') ? " with " : " ");
    }
    const std::string name = PascalCase(words);
    if (!Free(things(name))) {
      const bool type = files_.contains(Folded(name));
      const std::string longer = PascalCase(((type ? verb : "do") + (" " + words)));
      return Choose(
          [&](int number) {
            const std::string& base =
                number == 0 || (number > 1 && Needed(things(name))) ? longer : name;
            return number == 0 ? base : base + std::to_string(number + (base == name ? 1 : 0));
          },
          things);
    }
    Take(things(name));
    return name;
  }

  std::string KeyWords(const KeyFunction& function) const {
    // The attribute's words are kept apart from the entity's, also where both are capitals.
    std::string words = program_.CodeName(function.entity) + " " + SnakeCase(function.attribute);
    if (function.open_shard) {
      words += " shard";
    }
    if (function.whole) {
      return words;
    }
    words += " prefix";
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
      if (function.arguments[i].name != kOpenShard) {
        words += (i == 0 ? " by " : " ") + function.arguments[i].name;
      }
    }
    // A prefix may end before or after the delimiter.
    if (!function.parts.empty() && !function.parts.back().is_literal() &&
        !function.arguments.empty()) {
      words += " start";
    }
    return words;
  }

  static Parts PatternParts(PatternFunction pattern, const std::string& name) {
    pattern.name.clear();
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
      if (!pattern.sections[i].entity_rows && !pattern.sections[i].measured()) {
        rows.push_back(RowTypeName(pattern, i));
      }
    }
    return {{"called", name}, {"rows", rows}, {"several", pattern.sections.size() > 1}};
  }

  static Parts WriteParts(const WriteFunction& write, const std::string& name) {
    std::vector<std::string> steps;
    for (const WriteStepCode& step : write.steps) {
      if (!TakesRow(step) && write.steps.size() > 1) {
        steps.push_back(step.parameter);
      }
    }
    return {{"called", name}, {"steps", steps}};
  }

  // Functions that find the rows that go with a deleted one.
  void Finders() {
    std::map<std::string, std::string> names;
    for (WriteFunction& write : program_.writes) {
      for (WriteStepCode& step : write.steps) {
        for (WriteStepCode& child : step.cascade) {
          const auto [known, added] = names.try_emplace(child.finder);
          if (added) {
            known->second =
                Choose(Numbered(PascalCase("find " + child.finder)), [&](const std::string& name) {
                  return Things{{"finder", PatternParts(*child.find, name)}};
                });
          }
          child.finder = known->second;
        }
      }
    }
  }

  // Functions that bring copies up to date, by the names that the builder gave them: one for each copy.
  void Refreshes() {
    std::map<std::string, std::string> names;
    for (WriteFunction& write : program_.writes) {
      for (WriteStepCode& step : write.steps) {
        for (CopyRefresh& refresh : step.refreshes) {
          const auto [known, added] = names.try_emplace(refresh.name);
          if (added) {
            const std::string words = PascalCase("refresh " + program_.CodeName(refresh.holder) +
                                                 " " + SnakeCase(refresh.stored));
            known->second = Choose(Numbered(words), [&](const std::string& name) {
              PatternFunction find = *refresh.find;
              return Things{{"refresh", {{"called", name}}},
                            {"finder", PatternParts(find, "Find" + name)}};
            });
          }
          refresh.name = known->second;
        }
      }
    }
  }

  Program& program_;
  std::map<std::string, std::set<std::string>> reserved_;  // By language.
  std::map<std::string, std::set<std::string>> taken_;     // By language.
  std::set<std::string> files_;                            // In lower case.
};

// The names of one style that are used together: no two of a scope may be the same. Single thread.
class LocalNames {
 public:
  LocalNames(Spelling& spelling, const char* style, const std::set<std::string>& taken)
      : spelling_(spelling), style_(style), taken_(taken) {}

  void Together(const std::set<std::string>& scope) {
    for (const std::string& name : scope) {
      for (const std::string& other : scope) {
        if (other != name) {
          beside_[name].insert(other);
        }
      }
      beside_.try_emplace(name);
    }
  }

  void Decide() {
    for (const auto& [name, others] : beside_) {
      for (int number = 1;; ++number) {
        std::string spelled =
            spelling_.Styled(style_, number == 1 ? name : name + std::to_string(number));
        if (taken_.contains(spelled)) {
          spelled += spelling_(std::string(style_) + "_suffix");
        }
        const bool free = std::ranges::none_of(others, [&](const std::string& other) {
          const auto found = chosen_.find(other);
          return found != chosen_.end() && found->second == spelled;
        });
        if (free && !taken_.contains(spelled)) {
          chosen_[name] = std::move(spelled);
          break;
        }
      }
    }
    for (const auto& [name, spelled] : chosen_) {
      spelling_.Rename(style_, name, spelled);
    }
  }

 private:
  Spelling& spelling_;
  const char* style_;
  const std::set<std::string>& taken_;
  std::map<std::string, std::set<std::string>> beside_;
  std::map<std::string, std::string> chosen_;
};

void AddFields(const std::vector<Field>& fields, std::set<std::string>& scope) {
  for (const Field& field : fields) {
    scope.insert(field.name);
  }
}

std::set<std::string> ParametersOf(const PatternFunction& pattern) {
  std::set<std::string> scope;
  for (const model::Parameter& parameter : pattern.parameters) {
    scope.insert(parameter.name);
  }
  return scope;
}

void MembersOf(const PatternFunction& pattern, LocalNames& names) {
  names.Together(ParametersOf(pattern));
  for (const Section& section : pattern.sections) {
    std::set<std::string> scope;
    for (const Output& output : section.outputs) {
      scope.insert(MemberName(output.field, section.outputs));
    }
    names.Together(scope);
  }
  const std::vector<std::string> sections = SectionNames(pattern);
  names.Together({sections.begin(), sections.end()});
}

void VariablesOf(const Spelling& spelling, const Program& program, const PatternFunction& pattern,
                 LocalNames& names) {
  std::set<std::string> scope = ParametersOf(pattern);
  for (std::size_t i = 0; i < pattern.sections.size(); ++i) {
    scope.insert(SectionItemsWords(spelling, program, pattern, i));
    scope.insert(SectionRowsWords(pattern, i));
    for (std::size_t j = 0; j < pattern.sections[i].joins.size(); ++j) {
      scope.insert(JoinWords(program, pattern, i, j));
    }
  }
  names.Together(scope);
}

void VariablesOf(const Program& program, const WriteFunction& write, LocalNames& names) {
  std::set<std::string> scope;
  for (const WriteStepCode& step : write.steps) {
    scope.insert(step.parameter);
    for (const Field& field : step.row) {
      scope.insert(StepMemberWords(write, step, field.name));
    }
    for (const StoredCopy& copy : step.entity->copies) {
      scope.insert(GivenCopyWords(write, copy));
      scope.insert(OriginalWords(program, copy.original.entity));
    }
    for (const Field& field : step.asked) {
      scope.insert(StepMemberWords(write, step, field.name));
    }
    for (const Counter& counter : step.counted) {
      scope.insert(StepMemberWords(write, step, counter.attribute));
    }
    if (step.many) {
      scope.insert(StepRowsWords(step));
      scope.insert(StepEachWords(step));
    }
    for (const WriteStepCode& child : step.cascade) {
      scope.insert(Plural(child.entity->name) + " with it");
      scope.insert(StepEachWords(child));
    }
    for (const CopyRefresh& refresh : step.refreshes) {
      scope.insert(CopiesWords(refresh));
      std::set<std::string> parameters = ParametersOf(*refresh.find);
      parameters.insert(refresh.attribute);
      names.Together(parameters);
    }
  }
  names.Together(scope);
}

void Members(const Program& program, LocalNames& names) {
  for (const EntityCode& entity : program.entities) {
    std::set<std::string> scope;
    AddFields(entity.fields, scope);
    names.Together(scope);
  }
  for (const PatternFunction& pattern : program.patterns) {
    MembersOf(pattern, names);
  }
  for (const PatternFunction& pattern : program.copy_patterns) {
    MembersOf(pattern, names);
  }
  for (const WriteFunction& write : program.writes) {
    for (const WriteStepCode& step : write.steps) {
      std::set<std::string> scope;
      AddFields(step.row, scope);
      names.Together(scope);
    }
  }
  std::set<std::string> tables;
  for (const TableCode& table : program.tables) {
    tables.insert(table.name);
  }
  names.Together(tables);
}

void Variables(const Spelling& spelling, const Program& program, LocalNames& names) {
  for (const EntityCode& entity : program.entities) {
    std::set<std::string> copies;
    for (const StoredCopy& copy : entity.copies) {
      copies.insert(copy.attribute);
    }
    names.Together(copies);
    std::set<std::string> identity;
    AddFields(entity.identity, identity);
    names.Together(identity);
  }
  for (const KeyFunction& function : program.key_functions) {
    std::set<std::string> scope;
    AddFields(function.arguments, scope);
    // The number of a shard has a name of its own.
    scope.erase(kOpenShard);
    names.Together(scope);
  }
  for (const PatternFunction& pattern : program.patterns) {
    VariablesOf(spelling, program, pattern, names);
  }
  for (const PatternFunction& pattern : program.copy_patterns) {
    VariablesOf(spelling, program, pattern, names);
  }
  for (const WriteFunction& write : program.writes) {
    VariablesOf(program, write, names);
  }
}

}  // namespace

bool IsReserved(const std::string& name) {
  return std::ranges::any_of(kLanguages, [&](const char* language) {
    return WordsIn(SpellingOf(language)("reserved")).contains(name);
  });
}

void DecideNames(Program& program) { PackageNames(program).Decide(); }

Spelling SpellingFor(std::string_view language, const Program& program) {
  Spelling spelling = SpellingOf(language);
  const std::set<std::string> members = WordsIn(spelling.Maybe("name_taken"));
  LocalNames names(spelling, "name", members);
  Members(program, names);
  names.Decide();
  // A parameter must not hide a function of the package that its function calls.
  std::set<std::string> hidden = WordsIn(spelling("reserved"));
  hidden.merge(WordsIn(spelling.Maybe("variable_taken")));
  if (const auto declared = program.declared.find(std::string(language));
      declared != program.declared.end()) {
    hidden.insert(declared->second.begin(), declared->second.end());
  }
  LocalNames variables(spelling, "variable", hidden);
  Variables(spelling, program, variables);
  variables.Decide();
  return spelling;
}

std::string SectionItemsWords(const Spelling& spelling, const Program& program,
                              const PatternFunction& pattern, std::size_t section) {
  const std::string& entity = pattern.sections[section].entity;
  const std::string words = program.CodeName(entity) + " " + spelling("rows_words");
  const auto before = pattern.sections.begin() + static_cast<std::ptrdiff_t>(section);
  const bool again = std::any_of(pattern.sections.begin(), before,
                                 [&](const Section& other) { return other.entity == entity; });
  return again ? words + " " + std::to_string(section + 1) : words;
}

std::string SectionRowsWords(const PatternFunction& pattern, std::size_t section) {
  return SectionNames(pattern)[section] + " rows";
}

std::string JoinWords(const Program& program, const PatternFunction& pattern, std::size_t section,
                      std::size_t join) {
  const std::string words = Plural(program.CodeName(pattern.sections[section].joins[join].entity));
  return pattern.sections.size() == 1 ? words : words + " " + std::to_string(section + 1);
}

std::string OriginalWords(const Program& program, const std::string& entity) {
  return "original " + program.CodeName(entity);
}

std::string StepRowsWords(const WriteStepCode& step) { return Plural(step.parameter); }

std::string StepEachWords(const WriteStepCode& step) { return step.parameter + " row"; }

std::string CopiesWords(const CopyRefresh& refresh) {
  return Plural(refresh.holder) + " with " + refresh.stored;
}

std::string FinderName(const CopyRefresh& refresh) { return "Find" + refresh.name; }

namespace {

// An attribute may be called as the row of a step is; both are variables of the function.
std::string BesideRows(const WriteFunction& function, const std::string& words) {
  const bool row = std::ranges::any_of(
      function.steps, [&](const WriteStepCode& step) { return step.parameter == words; });
  return row ? words + " value" : words;
}

}  // namespace

std::string StepMemberWords(const WriteFunction& function, const WriteStepCode& step,
                            const std::string& field) {
  return BesideRows(function, function.steps.size() > 1 ? step.parameter + " " + field : field);
}

std::string GivenCopyWords(const WriteFunction& function, const StoredCopy& copy) {
  return BesideRows(function, copy.attribute);
}

}  // namespace prejoin::gen::emit
