// `prejoin prove`: runs a design and compares it with the relational answer.
#include "model/prove/prove.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "audit/prove_stored.h"
#include "cli/access/prove_tenants.h"
#include "cli/ci/ci_report.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/stored_items.h"
#include "cli/verb.h"
#include "client/signing_identity.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/endpoint_backend.h"

namespace prejoin::cli {
namespace {

struct ProveArguments {
  std::vector<std::string> files;
  double scale = 0;
  std::uint64_t seed = 1;
  std::string endpoint;
  std::string region;
  bool keep = false;
  bool no_units = false;
  bool no_estimates = false;
  bool json = false;
  bool verbose = false;
  bool index_lag = false;
  bool as_tenant = false;
  CiArguments ci;
};

// A case for each pattern and write.
void AddCases(const std::string& path, const model::ProofReport& report,
              std::vector<CiCase>& cases) {
  const auto add = [&](const char* kind, const auto& proof) {
    std::string message;
    for (const std::string& problem : proof.problems) {
      message += (message.empty() ? "" : "\n") + problem;
    }
    const auto level = proof.right ? CiCase::Level::kFine : CiCase::Level::kError;
    cases.push_back({path, 0, 0, kind + proof.name, level, proof.right ? "" : message});
  };
  for (const model::PatternProof& pattern : report.patterns) {
    add("pattern ", pattern);
  }
  for (const model::WriteProof& write : report.writes) {
    add("write ", write);
  }
}

model::ProveOptions MakeOptions(const ProveArguments& arguments) {
  model::ProveOptions options;
  options.compare_units = !arguments.no_units;
  options.estimates = !arguments.no_units && !arguments.no_estimates;
  if (ErrorsGoToTerminal()) {
    options.progress = [](const std::string& what, std::size_t done, std::size_t total) {
      std::fprintf(stderr, "\r%s %zu of %zu\x1b[K%s", what.c_str(), done + 1, total,
                   done + 1 >= total ? "\r\x1b[K" : "");
    };
  }
  return options;
}

Result<std::unique_ptr<model::Backend>> OpenBackend(const ProveArguments& arguments) {
  if (arguments.endpoint.empty()) {
    PJ_ASSIGN_OR_RETURN(std::unique_ptr<model::Backend> embedded,
                        model::EmbeddedBackend::OpenInMemory());
    return embedded;
  }
  PJ_ASSIGN_OR_RETURN(std::unique_ptr<model::Backend> endpoint,
                      model::EndpointBackend::Open(arguments.endpoint, arguments.region));
  return endpoint;
}

void DeleteTables(const model::Model& model, model::Backend& backend) {
  auto& endpoint = static_cast<model::EndpointBackend&>(backend);
  for (const model::Table& table : model.tables) {
    if (const auto deleted = endpoint.DeleteTable(table.name.text); !deleted) {
      std::fprintf(stderr, "prejoin prove: %s\n", deleted.error().message.c_str());
    }
  }
}

// A proof makes its own tables and deletes them at the end, so it must not meet other people's.
ExitCode RefuseExisting(const ProveArguments& arguments, const model::Model& model,
                        model::Backend& backend) {
  if (arguments.endpoint.empty()) {
    return kFine;
  }
  const auto existing = static_cast<model::EndpointBackend&>(backend).ListTables();
  if (!existing) {
    std::fprintf(stderr, "prejoin prove: %s\n", existing.error().message.c_str());
    return kCouldNotRun;
  }
  for (const model::Table& table : model.tables) {
    if (std::find(existing->begin(), existing->end(), table.name.text) == existing->end()) {
      continue;
    }
    std::fprintf(stderr,
                 "prejoin prove: %s has a table %s already, and a proof creates and deletes its "
                 "own. Nothing was changed.\nDelete that table, prove on an empty endpoint "
                 "(prejoin serve --memory), or leave --endpoint out.\n",
                 arguments.endpoint.c_str(), table.name.text.c_str());
    return kCouldNotRun;
  }
  return kFine;
}

// On the items that the model names, or else on its sample or generated rows.
Result<model::ProofReport> RunProof(const ProveArguments& arguments, const std::string& path,
                                    const model::Model& model, model::Backend& backend) {
  if (model.stored_items.empty() || arguments.scale > 0) {
    return model::ProveAtScale(model, {arguments.scale, arguments.seed}, backend,
                               MakeOptions(arguments));
  }
  std::vector<model::TableItems> stored;
  for (const model::Table& table : model.tables) {
    stored.push_back({&table, {}, {}});
  }
  for (const model::StoredItems& items : model.stored_items) {
    const auto table = std::ranges::find_if(
        stored, [&](const model::TableItems& one) { return one.table->name == items.table; });
    const auto keep = [&](const Item& item) -> Status {
      table->items.push_back(item);
      return {};
    };
    PJ_RETURN_IF_ERROR(EachStoredItem(BesideModel(path, items.file), {keep, {}}));
  }
  return audit::ProveStored(model, stored, backend, MakeOptions(arguments));
}

ExitCode ProveOne(const ProveArguments& arguments, const std::string& path, JsonOfFiles& json,
                  std::vector<CiCase>& cases) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(path, code);
  if (!loaded) {
    return code;
  }
  const model::Model& model = loaded->read.model;
  if (arguments.as_tenant) {
    return ProveAsTenants(path, model, {arguments.scale, arguments.seed});
  }
  auto backend = OpenBackend(arguments);
  if (!backend) {
    std::fprintf(stderr, "prejoin prove: %s\n", backend.error().message.c_str());
    return kCouldNotRun;
  }
  if (const ExitCode refused = RefuseExisting(arguments, model, **backend); refused != kFine) {
    return refused;
  }
  auto report = RunProof(arguments, path, model, **backend);
  if (report && arguments.index_lag) {
    const Status tried = model::TryIndexLag(model, {arguments.scale, arguments.seed}, *report);
    if (!tried) {
      report = Result<model::ProofReport>(tried.error());
    }
  }
  // Only after a proof that ran: if a table was there before, creating it failed, and it is not
  // ours to delete.
  if (report && !arguments.endpoint.empty() && !arguments.keep) {
    DeleteTables(model, **backend);
  }
  if (!report) {
    std::fprintf(stderr, "prejoin prove: %s: %s\n", path.c_str(), report.error().message.c_str());
    return kCouldNotRun;
  }
  AddCases(path, *report, cases);
  if (arguments.json) {
    json.Add(path, model::ProofJson(*report));
  } else {
    PrintFolded(path + "\n" + model::RenderProof(*report, arguments.verbose) + "\n");
  }
  return report->all_right ? kFine : kAnswerIsNo;
}

ExitCode Prove(const ProveArguments& arguments) {
  ExitCode worst = kFine;
  JsonOfFiles json(arguments.files.size());
  std::vector<CiCase> cases;
  for (const std::string& path : arguments.files) {
    const std::size_t before = json.count();
    const ExitCode code = ProveOne(arguments, path, json, cases);
    if (code == kCouldNotRun) {
      cases.push_back({path, 0, 0, "prove", CiCase::Level::kError, "the proof could not run"});
    }
    if (json.count() == before) {
      json.AddFailure(path);
    }
    worst = std::max(worst, code);
  }
  if (arguments.json) {
    json.PrintAll();
  }
  return std::max(worst, ReportToCi(arguments.ci, "prove", cases));
}

}  // namespace

void AddProve(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Prove,
      {"prove",
       "Run every access pattern and write on a database and compare the results with the "
       "relational answer.",
       "Example:\n  prejoin prove examples/models/*.prejoin\n  prejoin prove school.prejoin --rows "
       "100000 --seed 7\n\nExit codes: 0 everything proved, 1 a proof failed, 2 could not run."});
  verb->add_option("FILE", arguments->files, "Model files")->required();
  verb->add_option("--rows,--scale", arguments->scale,  // --scale is its old name.
                   "Generate about this many rows instead of using the sample; the counts in the "
                   "model are scaled to reach it")
      ->check(PositiveNumber());
  verb->add_option("--seed", arguments->seed, "Seed for the generated rows");
  verb->add_option("--endpoint", arguments->endpoint,
                   "Prove on this DynamoDB endpoint, http://host:port or https://host, instead of "
                   "in memory");
  verb->add_option("--region", arguments->region, client::kRegionHelp);
  verb->add_flag("--keep", arguments->keep, "Leave the tables on the endpoint");
  verb->add_flag(
      "--no-units", arguments->no_units,
      "Compare rows only, not capacity units, for endpoints that count units differently from AWS");
  verb->add_flag("--no-estimates", arguments->no_estimates,
                 "Do not compare the estimates of `cost` and `explain` with measurements on "
                 "generated rows");
  verb->add_flag("--index-lag", arguments->index_lag,
                 "Also show which access patterns may miss the last write because a GSI is "
                 "eventually consistent");
  auto* json = verb->add_flag("--json", arguments->json,
                              "Print JSON; several files give one array with the path in `file`");
  AddCiOptions(*verb, arguments->ci);
  verb->add_flag("-v,--verbose", arguments->verbose, "Show every request");
  verb->add_flag("--as-tenant", arguments->as_tenant,
                 "Run the access patterns as each tenant, with its policy enforced, on the data of "
                 "all tenants")
      ->excludes(json);
}

}  // namespace prejoin::cli
