// `prejoin import-model`: a model file from another tool's file or from SQL.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "draft/foreign/read_foreign.h"
#include "model/check/check.h"
#include "model/syntax/figure_text.h"

namespace prejoin::cli {
namespace {

struct ImportModelArguments {
  std::string file;
  std::string from;
  std::string queries;
  std::string output = "-";
  bool json = false;
};

std::string FileTitle(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name == "-" ? "Imported" : name.substr(0, name.find('.'));
}

ExitCode ImportModel(const ImportModelArguments& arguments) {
  const auto text = ReadWholeFile(arguments.file);
  if (!text) {
    return kCouldNotRun;
  }
  std::string queries;
  if (!arguments.queries.empty()) {
    auto read = ReadWholeFile(arguments.queries);
    if (!read) {
      return kCouldNotRun;
    }
    queries = *std::move(read);
  }
  const auto draft = draft::ReadForeign({.text = *text,
                                         .name = FileTitle(arguments.file),
                                         .format = draft::FormatOfName(arguments.from),
                                         .query_log = queries});
  if (!draft) {
    return CouldNotRun("import-model", draft.error());
  }
  const std::string source = draft::PrintDraft(*draft);
  if (arguments.json) {
    Print(draft::DraftJson(*draft));
  }
  if (arguments.output != "-") {
    if (!WriteWholeFile(arguments.output, source)) {
      return kCouldNotRun;
    }
  } else if (!arguments.json) {
    Print(source);
  }
  // The outcome must at least be a model; what `check` thinks of the design is another matter.
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& diagnostic : read.diagnostics) {
    std::fputs(model::RenderDiagnostic(arguments.output, source, diagnostic).c_str(), stderr);
  }
  const auto writes = std::ranges::count_if(draft->patterns, &draft::DraftPattern::is_write);
  const std::string counted =
      model::Counted(static_cast<double>(draft->patterns.size()) - static_cast<double>(writes),
                     "pattern") +
      (writes > 0 ? ", " + model::Counted(static_cast<double>(writes), "write") : "");
  std::fprintf(stderr, "%s, %s, %s; next: prejoin %s\n",
               (std::to_string(draft->entities.size()) +
                (draft->entities.size() == 1 ? " entity" : " entities"))
                   .c_str(),
               counted.c_str(),
               model::Counted(static_cast<double>(draft->tables.size()), "table").c_str(),
               draft->tables.empty() ? "design" : "check");
  return read.ok ? kFine : kAnswerIsNo;
}

}  // namespace

void AddImportModel(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, ImportModel,
              {"import-model",
               "Convert a NoSQL Workbench model, an ORM schema, a table definition or SQL into a "
               "model file.",
               "Examples:\n  prejoin import-model workbench.json -o shop.prejoin\n  prejoin "
               "import-model schema.sql --queries log.sql | prejoin design -\n\nReads NoSQL "
               "Workbench 2.0 and 3.0, OneTable and ElectroDB schemas as JSON, DynamoDB-Toolbox "
               "DTOs, AWS's schema.json, CreateTable, DescribeTable, CloudFormation (YAML, JSON), "
               "Terraform, Prisma schemas, and SQL DDL. Anything that cannot be converted becomes "
               "a comment in the "
               "result.\n\nExit codes: 0 done, 1 the result has errors, 2 could not run."});
  verb->add_option("FILE", arguments->file, "The file to read; - is standard input")->required();
  verb->add_option("--from", arguments->from, "Format of the file. Default: detected")
      ->check(CLI::IsMember({"workbench", "table", "onetable", "electrodb", "toolbox", "aws-schema",
                             "terraform", "prisma", "sql"}));
  verb->add_option("--queries", arguments->queries,
                   "For SQL: file of statements that become access patterns; a comment `-- 40/s` "
                   "above one states its rate");
  verb->add_option("-o,--output", arguments->output, "Model file to write; - is standard output");
  verb->add_flag("--json", arguments->json, "Print JSON; the model text is in `source`");
}

}  // namespace prejoin::cli
