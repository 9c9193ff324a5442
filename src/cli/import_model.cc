// `prejoin import-model`: a model file from another tool's file or from SQL.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "base/parse_number.h"
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
  std::string period;
  std::string output = "-";
  bool json = false;
};

std::string FileTitle(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name == "-" ? "Imported" : name.substr(0, name.find('.'));
}

// "24h" in seconds.
std::optional<double> PeriodSeconds(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  const auto number = ParseDecimal(text.substr(0, unit));
  const std::string name = unit == std::string::npos ? "s" : text.substr(unit);
  const double seconds = name == "s"                      ? 1
                         : name == "min" || name == "m"   ? 60
                         : name == "h" || name == "hours" ? 3600
                         : name == "d" || name == "days"  ? 86400
                                                          : 0;
  if (!number || *number <= 0 || seconds == 0) {
    return std::nullopt;
  }
  return *number * seconds;
}

// A design that was read must also pass `check`; the logical half alone has no keys yet, and cannot.
bool FailsCheck(const draft::Draft& draft, const model::ReadModelResult& read) {
  return !draft.tables.empty() && model::HasErrors(model::CheckModel(read));
}

// Says what came out, and whether it is whole.
ExitCode Judge(const ImportModelArguments& arguments, const draft::Draft& draft,
               const std::string& source) {
  // The outcome must at least be a model; what `check` thinks of the design is another matter.
  const model::ReadModelResult read = model::ReadModel(source);
  for (const model::Diagnostic& diagnostic : read.diagnostics) {
    std::fputs(model::RenderDiagnostic(arguments.output, source, diagnostic).c_str(), stderr);
  }
  const auto writes = std::ranges::count_if(draft.patterns, &draft::DraftPattern::is_write);
  const std::string counted =
      model::Counted(static_cast<double>(draft.patterns.size()) - static_cast<double>(writes),
                     "pattern") +
      (writes > 0 ? ", " + model::Counted(static_cast<double>(writes), "write") : "");
  std::fprintf(stderr, "%s, %s, %s; next: prejoin %s\n",
               (std::to_string(draft.entities.size()) +
                (draft.entities.size() == 1 ? " entity" : " entities"))
                   .c_str(),
               counted.c_str(),
               model::Counted(static_cast<double>(draft.tables.size()), "table").c_str(),
               draft.tables.empty() ? "design" : "check");
  if (draft.unread_tables > 0) {
    std::fprintf(stderr, "%s could not be read; the result has %s as comments\n",
                 model::Counted(draft.unread_tables, "table").c_str(),
                 draft.unread_tables == 1 ? "it" : "them");
    return kAnswerIsNo;
  }
  if (read.ok && FailsCheck(draft, read)) {
    std::fprintf(stderr, "the design has errors: run prejoin check %s\n",
                 arguments.output == "-" ? "on the result" : arguments.output.c_str());
    return kAnswerIsNo;
  }
  return read.ok ? kFine : kAnswerIsNo;
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
    if (queries.find_first_not_of(" \t\r\n") == std::string::npos) {
      return CouldNotRun("import-model", ValidationError(arguments.queries + " has no statements"));
    }
  }
  double seconds = 0;
  if (!arguments.period.empty()) {
    const auto read = PeriodSeconds(arguments.period);
    if (!read) {
      return CouldNotRun("import-model",
                         ValidationError("--period is a time such as 90s, 30min, 24h or 7d"));
    }
    seconds = *read;
  }
  const auto draft = draft::ReadForeign({.text = *text,
                                         .name = FileTitle(arguments.file),
                                         .format = draft::FormatOfName(arguments.from),
                                         .query_log = queries,
                                         .log_seconds = seconds});
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
  return Judge(arguments, *draft, source);
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
               "Workbench 2.0 and 3.0, OneTable and ElectroDB schemas as JSON or in a program, "
               "DynamoDB-Toolbox "
               "DTOs, AWS's schema.json, CreateTable, DescribeTable, CloudFormation (YAML, JSON), "
               "Terraform, Prisma schemas, and SQL DDL. Anything that cannot be converted becomes "
               "a comment in the "
               "result.\n\nExit codes: 0 done, 1 the result has errors or lacks tables, 2 could not "
               "run."});
  verb->add_option("FILE", arguments->file, "The file to read; - is standard input")->required();
  verb->add_option("--from", arguments->from, "Format of the file. Default: detected")
      ->check(CLI::IsMember({"workbench", "table", "onetable", "electrodb", "toolbox", "aws-schema",
                             "terraform", "prisma", "sql"}));
  verb->add_option("--queries", arguments->queries,
                   "For SQL: file of statements that become access patterns; a comment `-- 40/s` "
                   "above one states its rate. Or rows of pg_stat_statements as CSV, JSON or psql's "
                   "own layout: query, calls and, if there is one, seconds. For tables: the data events of "
                   "CloudTrail as JSON");
  verb->add_option("--period", arguments->period,
                   "Period of the counted statements, such as 24h or 7d; turns calls into rates");
  verb->add_option("-o,--output", arguments->output, "Model file to write; - is standard output");
  verb->add_flag("--json", arguments->json, "Print JSON; the model text is in `source`");
}

}  // namespace prejoin::cli
