#include "gen/readme_text.h"

#include <utility>

#include "gen/code.h"
#include "gen/target.h"
#include "gen/words.h"

namespace prejoin::gen {

namespace {

// A value that shows what belongs there.
std::optional<AttributeValue> ValueToShow(const model::Parameter& parameter) {
  switch (parameter.type) {
    case model::AttributeType::kText:
      return AttributeValue(parameter.name + "-1");
    case model::AttributeType::kNumber:
      return AttributeValue(1);
    case model::AttributeType::kBool:
      return AttributeValue(true);
    case model::AttributeType::kDate:
      return AttributeValue("2026-01-31");
    case model::AttributeType::kTime:
      return AttributeValue("2026-01-31T12:00:00Z");
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<CallToShow> CallToShowOf(const Program& program) {
  for (const PatternFunction& pattern : program.patterns) {
    if (!pattern.pattern->examples.empty()) {
      return CallToShow{&pattern, pattern.pattern->examples[0].arguments};
    }
  }
  for (const PatternFunction& pattern : program.patterns) {
    CallToShow call{&pattern, {}};
    for (const model::Parameter& parameter : pattern.parameters) {
      if (auto value = ValueToShow(parameter)) {
        call.arguments.emplace_back(model::Name{parameter.name, {}}, *std::move(value));
      }
    }
    if (pattern.refusal.empty() && call.arguments.size() == pattern.parameters.size()) {
      return call;
    }
  }
  return std::nullopt;
}

std::string ReadmeText(const Program& program, const ReadmeLanguage& language) {
  Code code("  ", 100, Folding::kNone);
  code.Line("# " + CommentText(program.title) + " in " + language.name);
  code.Gap();
  code.Prose("", HeaderText(program) + " To change something, change the model and run:");
  code.Gap();
  code.Line("```");
  code.Line("prejoin gen " + program.file + " --to " + language.target + " -o .");
  code.Line("```");
  if (!language.install.empty()) {
    code.Gap();
    code.Line(language.needs.empty() ? "It needs the AWS SDK only:" : language.needs);
    code.Gap();
    code.Line("```");
    code.Line(language.install);
    code.Line("```");
  }
  if (!language.example.empty()) {
    code.Gap();
    code.Line("```" + language.fence);
    code.Line(language.example);
    code.Line("```");
  }
  code.Gap();
  code.Line("| reads | | how |");
  code.Line("| --- | --- | --- |");
  for (const PatternFunction& pattern : program.patterns) {
    code.Line("| `" + language.function_name(pattern.name) + "` | " +
              CommentText(pattern.pattern->title) + " | " + pattern.summary +
              (pattern.strong ? ", strongly consistent |" : " |"));
  }
  if (!program.writes.empty()) {
    code.Gap();
    code.Line("| writes | |");
    code.Line("| --- | --- |");
    for (const WriteFunction& write : program.writes) {
      if (write.refusal.empty()) {
        code.Line("| `" + language.function_name(write.name) + "` | " +
                  CommentText(write.write->title) + " |");
      }
    }
  }
  for (const MissingCode& missing : program.Missing()) {
    code.Gap();
    code.Prose("", "Not generated: " + missing.Text() + ".");
  }
  return code.text();
}

}  // namespace prejoin::gen
