// `prejoin apply`: creates a model's tables on an endpoint and loads the sample.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "client/request_json.h"
#include "client/signing_identity.h"
#include "model/data/item_render.h"
#include "model/prove/endpoint_backend.h"

namespace prejoin::cli {
namespace {

struct ApplyArguments {
  std::string file;
  std::string endpoint = "http://127.0.0.1:8000";
  std::string region;
  bool dry_run = false;
  bool replace = false;
};

ExitCode DryRun(const model::Model& model, const std::vector<model::TableItems>& tables) {
  for (const model::TableItems& table : tables) {
    Print("CreateTable " + client::CreateTableJson(model::MakeCreateTable(model, *table.table)) +
          "\n");
    Print("PutItem x " + std::to_string(table.items.size()) + " into " + table.table->name.text +
          "\n");
  }
  Print("Nothing was sent.\n");
  return kFine;
}

ExitCode Apply(const ApplyArguments& arguments) {
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  const model::Model& model = loaded->read.model;
  const model::Dataset data = model::SampleData(model);
  if (const Status sound = model::CheckKeys(model, data); !sound) {
    return CouldNotRun("apply", sound.error());
  }
  model::DataIndex index(data);
  const std::vector<model::TableItems> tables = model::RenderAll(model, index);
  if (arguments.dry_run) {
    return DryRun(model, tables);
  }
  const auto opened = model::EndpointBackend::Open(arguments.endpoint, arguments.region);
  if (!opened) {
    return CouldNotRun("apply", opened.error());
  }
  model::EndpointBackend& backend = **opened;
  const auto existing = backend.ListTables();
  if (!existing) {
    return CouldNotRun("apply", existing.error());
  }
  for (const model::TableItems& table : tables) {
    const std::string& name = table.table->name.text;
    if (std::find(existing->begin(), existing->end(), name) == existing->end()) {
      continue;
    }
    if (!arguments.replace) {
      std::fprintf(stderr,
                   "prejoin apply: table %s exists already; nothing was changed. --replace deletes "
                   "it first.\n",
                   name.c_str());
      return kAnswerIsNo;
    }
    if (const auto deleted = backend.DeleteTable(name); !deleted) {
      return CouldNotRun("apply", deleted.error());
    }
  }
  for (const model::TableItems& table : tables) {
    const std::string& name = table.table->name.text;
    if (const auto created = backend.CreateTable(model, *table.table); !created) {
      return CouldNotRun("apply", created.error());
    }
    if (const auto filled = backend.Load(name, table.items); !filled) {
      return CouldNotRun("apply", filled.error());
    }
    std::printf("%s: created, %zu items\n", name.c_str(), table.items.size());
  }
  return kFine;
}

}  // namespace

void AddApply(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] =
      NewVerb(program, exit_code, Apply,
              {"apply", "Create the tables and load the sample data on any DynamoDB endpoint.",
               "Example:\n  prejoin apply school.prejoin --endpoint http://127.0.0.1:8000 "
               "--dry-run\n\nExit "
               "codes: 0 done, 1 a table exists already, 2 could not run."});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  verb->add_option("--endpoint", arguments->endpoint, "http://host:port or https://host")
      ->capture_default_str();
  verb->add_option("--region", arguments->region, client::kRegionHelp);
  verb->add_flag("--dry-run", arguments->dry_run, "Print the requests without sending them");
  verb->add_flag("--replace", arguments->replace,
                 "Delete existing tables of the same names first, with all their data");
}

}  // namespace prejoin::cli
