#include "studio/write_code.h"

#include <vector>

#include "gen/build_program.h"
#include "gen/target.h"
#include "json/writer.h"
#include "model/syntax/formatter.h"
#include "model/syntax/spelling.h"
#include "studio/refusal.h"

namespace prejoin::studio {
std::string TargetsJson() {
  std::string out;
  json::AppendArray(gen::AllTargets(), out, [&](const gen::Target& target) {
    json::ObjectWriter object(out);
    object.String("name", target.name);
    object.String("about", target.about);
  });
  return out;
}

Result<std::string> GenerateCode(const ApiRequest& request, const std::string& version) {
  PJ_ASSIGN_OR_RETURN(const model::ReadModelResult read, request.Model());
  PJ_ASSIGN_OR_RETURN(const std::string to, request.Text("to"));
  const gen::Target* target = gen::FindTarget(to);
  if (target == nullptr) {
    std::vector<std::string> names;
    for (const gen::Target& one : gen::AllTargets()) {
      names.emplace_back(one.name);
    }
    return Refuse(404, "there is no target `" + to + "`; " + model::SpellingHint(to, names));
  }
  const auto program =
      gen::BuildProgram(read.model, {"model.prejoin", version, model::FormatTree(read.tree)});
  std::string answer;
  {
    json::ObjectWriter object(answer);
    json::AppendArray(target->generate(*program), object.Name("files"),
                      [&](const gen::GeneratedFile& file) {
                        json::ObjectWriter entry(answer);
                        entry.String("path", file.path);
                        entry.String("text", file.text);
                      });
    json::AppendArray(
        gen::MissingIn(*program, *target), object.Name("notGenerated"),
        [&](const gen::MissingCode& missing) { json::AppendString(missing.Text(), answer); });
  }
  return answer;
}

}  // namespace prejoin::studio
