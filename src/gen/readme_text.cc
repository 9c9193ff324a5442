#include "gen/readme_text.h"

#include "gen/code.h"
#include "gen/target.h"
#include "gen/words.h"

namespace prejoin::gen {

const PatternFunction* PatternToShow(const Program& program) {
  for (const PatternFunction& pattern : program.patterns) {
    if (!pattern.pattern->examples.empty() || pattern.parameters.empty()) {
      return &pattern;
    }
  }
  return nullptr;
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
