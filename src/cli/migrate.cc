// `prejoin migrate`: from one design to another over data that exists.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/progress.h"
#include "cli/table_access.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "migrate/migrator.h"
#include "evolve/plan.h"

namespace prejoin::cli {
namespace {

struct MigrateArguments {
  TwoModelsArguments models;
  TableAddress address;
  double write_units = 1'000;
  std::string suffix = "-2";
  int passes = 20;
  double memory_mb = 2'048;
  bool run = false;
  bool cut_over = false;
  bool finish = false;
  bool leave_unknown = false;
  bool json = false;

  bool FromDatabase() const { return !address.data.empty() || !address.endpoint.empty(); }
};

ExitCode ShowPlan(const MigrateArguments& arguments, const evolve::MigrationPlan& plan,
                  const evolve::PlanOptions& options) {
  if (arguments.json) {
    Print(evolve::PlanJson(plan));
  } else {
    PrintFolded(evolve::RenderPlan(plan, options));
  }
  return kFine;
}

ExitCode RunMigration(const MigrateArguments& arguments, const model::Model& before,
                      const evolve::MigrationPlan& plan, const evolve::PlanOptions& planned) {
  auto access = OpenTable(arguments.address);
  if (!access) {
    return CouldNotRun("migrate", access.error());
  }
  migrate::TableRequests remote([&](const std::string& operation, const std::string& body) {
    return (*access)->Call(operation, body);
  });
  ProgressLine line(ProgressLine::Piped::kLines);  // It may take hours in a log.
  migrate::RunOptions options;
  options.write_units_per_second = arguments.write_units;
  options.passes_max = arguments.passes;
  options.held_bytes_max = static_cast<std::size_t>(arguments.memory_mb * 1024 * 1024);
  options.leave_unknown = arguments.leave_unknown;
  options.progress = [&](const std::string& what) { line.Show(what); };
  auto migrator = migrate::Migrator::Open(before, plan, remote, options);
  if (!migrator) {
    return CouldNotRun("migrate", migrator.error());
  }
  if (!arguments.run && !arguments.cut_over && !arguments.finish) {
    const auto where = migrator->Where();
    if (!where) {
      return CouldNotRun("migrate", where.error());
    }
    if (!arguments.json) {
      std::printf("%s\n", *where ? ("Begun: " + std::string(PhaseName(**where)) + ".").c_str()
                                 : "Not begun.");
    }
    return ShowPlan(arguments, plan, planned);
  }
  const auto report = arguments.run        ? migrator->Run()
                      : arguments.cut_over ? migrator->CutOver()
                                           : migrator->Finish();
  line.Clear();
  if (!report) {
    return CouldNotRun("migrate", report.error());
  }
  if (arguments.json) {
    Print(migrate::RunJson(*report));
  } else {
    PrintFolded(migrate::RenderRun(*report));
    if (report->done && arguments.run) {
      std::printf("Every row is in the new tables. Next: --cut-over.\n");
    }
    if (report->done && arguments.cut_over) {
      std::printf(
          "The new tables are authoritative now. Next: switch the application to them, then run "
          "--finish.\n");
    }
    if (report->done && arguments.finish) {
      std::printf("Everything that only the old design needed is deleted.\n");
    }
  }
  return report->done ? kFine : kAnswerIsNo;
}

ExitCode Migrate(const MigrateArguments& arguments) {
  ExitCode code = kFine;
  const auto models = LoadTwoModels(arguments.models, code);
  if (!models) {
    return code;
  }
  const model::Model& before = models->before.read.model;
  evolve::PlanOptions options;
  options.prices = models->prices;
  options.write_units_per_second = arguments.write_units;
  options.suffix = arguments.suffix;
  const auto plan = evolve::PlanMigration(before, models->after.read.model, options);
  if (!plan) {
    return CouldNotRun("migrate", plan.error());
  }
  if (arguments.FromDatabase()) {
    return RunMigration(arguments, before, *plan, options);
  }
  if (arguments.run || arguments.cut_over || arguments.finish) {
    return CouldNotRun("migrate",
                       ValidationError("name the data to migrate with --endpoint or --data"));
  }
  return ShowPlan(arguments, *plan, options);
}

}  // namespace

void AddMigrate(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Migrate,
      {"migrate",
       "Migrate existing data from one design to another while the application runs. Without --run "
       "it prints the plan.",
       "Examples:\n  prejoin migrate shop.prejoin shop-new.prejoin\n  prejoin migrate shop.prejoin "
       "shop-new.prejoin --endpoint http://127.0.0.1:8000 --run\n\nExit codes: 0 done, 1 not yet "
       "(the report says why), 2 could not run."});
  AddTwoModels(*verb, arguments->models);
  AddWhere(*verb, arguments->address);
  auto* run = verb->add_flag("--run", arguments->run,
                             "Create the new tables, backfill them and compare until nothing "
                             "differs. Resumes where it stopped");
  auto* cut_over = verb->add_flag(
      "--cut-over", arguments->cut_over,
      "Compare once more, then cut over: the new tables become authoritative and copying ends");
  auto* finish =
      verb->add_flag("--finish", arguments->finish,
                     "After the cut-over, clean up: delete what only the old design needs");
  run->excludes(cut_over)->excludes(finish);
  cut_over->excludes(finish);
  verb->add_option("--write-units", arguments->write_units,
                   "Maximum write capacity units per second; 0 means no limit")
      ->check(NonNegativeNumber())
      ->capture_default_str();
  verb->add_option("--suffix", arguments->suffix, "Suffix for a new table whose name is taken")
      ->capture_default_str();
  verb->add_option("--passes", arguments->passes, "Stop after this many comparison passes")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--memory", arguments->memory_mb,
                   "Memory in MB for rows that copies, lists and totals are built from")
      ->check(PositiveNumber())
      ->capture_default_str();
  verb->add_flag("--leave-unknown", arguments->leave_unknown,
                 "Continue even if some old items match no entity; they are not copied");
  verb->add_flag("--json", arguments->json, "Print JSON");
}

}  // namespace prejoin::cli
