#include "gen/emit/package.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/check.h"
#include "gen/emit/columns.h"
#include "gen/emit/names.h"
#include "gen/emit/rust_layout.h"
#include "gen/readme_text.h"
#include "gen/support_file.h"
#include "gen/words.h"

namespace prejoin::gen::emit {
namespace {

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string WithoutMarks(std::string text) {
  std::erase(text, kImportMark);
  return text;
}

std::string WithoutLeadingLines(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

// Constants, types, functions: as ruff sorts them.
int RankOf(const std::string& name) {
  const bool upper = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return upper && name.size() > 1 ? 0 : name[0] >= 'A' && name[0] <= 'Z' ? 1 : 2;
}

}  // namespace

Package::Package(std::string_view language, const Program& program)
    : Expressions(SpellingFor(language, program), program), language_(language) {}

Code Package::NewCode() const {
  std::istringstream layout(say("lines"));
  std::string indent;
  std::size_t width = 0;
  std::string folding;
  layout >> indent >> width >> folding;
  const Folding how = folding == "each"      ? Folding::kEachLine
                      : folding == "one"     ? Folding::kOneLine
                      : folding == "hanging" ? Folding::kHanging
                                             : Folding::kNone;
  return Code(indent == "tab" ? "\t" : std::string(static_cast<std::size_t>(indent[0] - '0'), ' '),
              width, how);
}

void Package::Add(const std::string& place, const std::string& text) {
  auto found = places_.find(place);
  if (found == places_.end()) {
    found = places_.emplace(place, NewCode()).first;
    if (say.Has("inside_class")) {
      found->second.In();
    }
  }
  if (!text.empty()) {
    found->second.Line(text);
  }
}

void Package::Emit(const std::string& entry, const Parts& parts) {
  if (say.Has(entry)) {
    Add(say.Has("one_place") ? say("one_place") : section_, say(entry, parts));
  }
  for (const char* place : {"header", "keys"}) {
    if (const std::string there = entry + "_in_" + place; say.Has(there)) {
      Add(place, say(there, parts));
    }
  }
  if (say.Has(entry + "_file")) {
    Code code = NewCode();
    code.Line(say(entry + "_file", parts));
    entity_files_.push_back({say(entry + "_path", parts), FileText("entity", code.text())});
  }
}

std::string Package::Body(const std::string& place) {
  Add(place, "");
  return places_.find(place)->second.text();
}

Parts Package::ImportsOf(const std::string& place, const std::string& text) const {
  std::set<std::string> used;
  for (std::size_t at = text.find(kImportMark); at != std::string::npos;
       at = text.find(kImportMark, at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && IsNamePart(text[end])) {
      ++end;
    }
    used.insert(text.substr(at + 1, end - at - 1));
  }
  const std::set<std::string> values = WordsIn(say.Maybe("import_values"));
  std::map<std::string, std::vector<std::string>> by_module;
  const std::string own = place + "_modules";
  std::istringstream modules(say(say.Has(own) ? own : "modules"));
  for (std::string module; modules >> module;) {
    std::istringstream names(say("import_" + module));
    for (std::string name; names >> name;) {
      if (used.erase(name) > 0) {
        by_module[module].push_back(name);
      }
    }
  }
  // Names that no module has are entities, which are generated.
  by_module["entities"].assign(used.begin(), used.end());
  Parts parts;
  std::size_t count = 0;
  for (auto& [module, names] : by_module) {
    std::ranges::sort(names, {}, [&](const std::string& name) {
      return say.Has("path_" + name) ? say("path_" + name) : name;
    });
    if (say.Has("import_by_kind")) {
      std::ranges::stable_sort(names, {}, RankOf);
    }
    count += module == "entities" ? 0 : names.size();
    std::vector<std::string> texts;
    for (const std::string& name : names) {
      const Parts one = {{"imported", name},
                         {"module", module},
                         {"class", RankOf(name) < 2 && !values.contains(name)}};
      texts.push_back(say.Has("imported")       ? say("imported", one)
                      : say.Has("path_" + name) ? say("path_" + name)
                                                : name);
    }
    parts.insert_or_assign("from_" + module, texts);
  }
  parts.insert_or_assign("imports", count > 0);
  parts.insert_or_assign("several_imports", count > 1);
  return parts;
}

Parts Package::FileParts() const {
  return {{"header", HeaderText(program_)},
          {"module", program_.module},
          {"model", program_.file},
          {"version", program_.version},
          {"title", CommentText(program_.title)}};
}

std::string Package::Laid(const std::string& text) const {
  Code code = NewCode();
  code.Line(text);
  return text.empty() ? "" : code.text();
}

std::string Package::FileText(const std::string& place, const std::string& body) const {
  std::string rest = WithoutLeadingLines(body);
  if (say.Has("columns")) {
    rest = WithColumns(rest);
  }
  const std::string open = say.Maybe(place + "_open");
  const Parts parts = Also(FileParts(), ImportsOf(place, open + rest));
  std::string out = Laid(say.Maybe(place + "_top", parts));
  const auto gap = [&out](bool wanted) { out += wanted && !out.ends_with("\n\n") ? "\n" : ""; };
  gap(!open.empty() || !rest.empty());
  out += Laid(open);
  gap(!rest.empty());
  const bool definition =
      rest.starts_with("def ") || rest.starts_with("class ") || rest.starts_with('@');
  out += definition && say.Has("definition_gap") ? "\n" : "";
  out += rest;
  const std::string bottom = say.Maybe(place + "_bottom", parts);
  gap(bottom.starts_with(kGapMark));
  out = WithoutMarks(out + Laid(bottom));
  // A file without functions ends behind its imports.
  while (out.ends_with("\n\n")) {
    out.pop_back();
  }
  return say.Has("rust_layout") ? LaidOutAsRust(out) : out;
}

std::string Package::Support(const std::string& path) const {
  const std::string folder = say.Has("support_folder") ? say("support_folder") : language_;
  std::string text(SupportFile(folder + "/" + say.Maybe("support_source", {{"path", path}})));
  if (say.Has("support_from")) {
    text = text.substr(text.find(say("support_from")));
  }
  const std::string generated = "generated";
  for (const std::string head : {"package ", "import static "}) {
    const std::string to = head + say.Maybe("package", FileParts());
    const std::string from = head + generated;
    for (std::size_t at = text.find(from); say.Has("package") && at != std::string::npos;
         at = text.find(from, at + 1)) {
      text.replace(at, from.size(), to);
    }
  }
  return Laid(say("support_header", FileParts())) + (say.Has("support_adjoined") ? "" : "\n") +
         text;
}

std::string Package::Readme() const {
  Code example = NewCode();
  Parts parts = FileParts();
  const std::optional<CallToShow> call = CallToShowOf(program_);
  std::vector<std::string> given;    // As the example writes them …
  std::vector<std::string> ordered;  // … and as the function takes them.
  bool numbers = false;
  if (call) {
    const auto& arguments = call->arguments;
    const auto text_of = [&](const auto& argument) {
      numbers = numbers || argument.second.number() != nullptr;
      const Number* number = argument.second.number();
      return say("example_argument", {{"attribute", argument.first.text},
                                      {"number", number != nullptr ? number->ToString() : ""},
                                      {"value", Literal(argument.second, Place::kBare)},
                                      {"stored", Literal(argument.second)}});
    };
    for (const auto& argument : arguments) {
      given.push_back(text_of(argument));
    }
    for (const model::Parameter& parameter : call->pattern->parameters) {
      for (const auto& argument : arguments) {
        if (argument.first.text == parameter.name) {
          ordered.push_back(text_of(argument));
        }
      }
    }
  }
  example.Line(say("readme_example",
                   Also(std::move(parts), {{"pattern", call.has_value()},
                                           {"called", call ? call->pattern->name : ""},
                                           {"arguments", given},
                                           {"ordered", ordered},
                                           {"numbers", numbers}})));
  std::string text = WithoutMarks(example.text());
  text.pop_back();
  return ReadmeText(program_, {say("language"), language_, say.Maybe("install"), say.Maybe("needs"), say("fence"), text,
                               [this](const std::string& name) {
                                 return say("readme_function", {{"called", name}});
                               }});
}

std::vector<GeneratedFile> Package::Files() {
  Entities();
  section_ = "patterns";
  for (const PatternFunction& pattern : program_.patterns) {
    Pattern(pattern, /*exported=*/true);
  }
  Writes();
  std::vector<GeneratedFile> files = entity_files_;
  std::istringstream lines(say("files", FileParts()));
  for (std::string path, kind; lines >> path >> kind;) {
    if (kind == "support") {
      files.push_back({path, Support(path)});
    } else if (kind == "readme") {
      files.push_back({path, Readme()});
    } else if (kind == "entry") {
      const std::string text = say.Maybe("entry_" + path.substr(0, path.find('.')), FileParts());
      Code code("", 0, Folding::kNone);
      code.Line(text);
      files.push_back({path, text.empty() ? "" : code.text()});
    } else {
      files.push_back({path, FileText(kind, Body(kind))});
    }
  }
  return files;
}

std::string LiteralIn(std::string_view language, const AttributeValue& value,
                      Expressions::Place place) {
  const Program none;
  return WithoutMarks(Expressions(SpellingOf(language), none).Literal(value, place));
}

std::vector<GeneratedFile> GeneratePackage(std::string_view language, const Program& program) {
  return Package(language, program).Files();
}

}  // namespace prejoin::gen::emit
