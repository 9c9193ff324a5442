// `prejoin audit`: compares the items of a table with the model.
#include "audit/audit.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "audit/fix_request.h"
#include "base/fingerprint.h"
#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/progress.h"
#include "cli/stored_items.h"
#include "cli/table_access.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "json/writer.h"
#include "value/encoding.h"

namespace prejoin::cli {
namespace {

constexpr int kSampleSegments = 1'000;

struct AuditArguments {
  std::string file;
  std::string from;
  TableAddress address;
  std::string table;      // The table's name in the model.
  std::string stored_as;  // Its name at the endpoint.
  double sample_percent = 100;
  double memory_mb = 256;
  std::size_t shown = 20;
  bool fix = false;
  bool dry_run = false;
  bool json = false;

  bool FromDatabase() const { return !address.data.empty() || !address.endpoint.empty(); }
};

// Table of the model → the file or table that holds its items.
struct AuditedTable {
  const model::Table* table = nullptr;
  std::vector<std::string> files;
  std::string stored_name;
};

Result<std::vector<AuditedTable>> TablesToAudit(const AuditArguments& arguments,
                                                const model::Model& model) {
  std::vector<AuditedTable> tables;
  for (const model::Table& table : model.tables) {
    if (!arguments.table.empty() && table.name.text != arguments.table) {
      continue;
    }
    AuditedTable audited{&table, {}, table.name.text};
    if (!arguments.stored_as.empty()) {
      audited.stored_name = arguments.stored_as;
    }
    if (!arguments.from.empty()) {
      audited.files.push_back(arguments.from);
    }
    if (arguments.from.empty() && !arguments.FromDatabase()) {
      for (const model::StoredItems& stored : model.stored_items) {
        if (stored.table == table.name) {
          audited.files.push_back(BesideModel(arguments.file, stored.file));
        }
      }
      if (audited.files.empty()) {
        continue;
      }
    }
    tables.push_back(std::move(audited));
  }
  if (tables.empty()) {
    return ValidationError(arguments.table.empty()
                               ? "name the data to audit with --endpoint, --data or --from, or "
                                 "write in the model: items from \"dump.json\""
                               : "the model has no table " + arguments.table);
  }
  const bool one_place = !arguments.from.empty() || !arguments.stored_as.empty();
  if (one_place && tables.size() > 1) {
    return ValidationError("the model has several tables; choose one with --table NAME");
  }
  return tables;
}

// True if the item's partition key is in the sample.
bool InSample(const model::Table& table, const Item& item, double share) {
  if (share >= 1) {
    return true;
  }
  const AttributeValue* key = item.Find(table.partition.text);
  const std::string hash =
      Fingerprint(EncodeItem({{"k", key != nullptr ? *key : AttributeValue()}}));
  const int bucket =
      static_cast<unsigned char>(hash[0]) * 256 + static_cast<unsigned char>(hash[1]);
  return bucket < share * 65'536;
}

class AuditRun {
 public:
  AuditRun(const AuditArguments& arguments, const model::Model& model)
      : arguments_(arguments), model_(model), share_(arguments.sample_percent / 100) {}

  ExitCode Run() {
    auto tables = TablesToAudit(arguments_, model_);
    if (!tables) {
      return CouldNotRun("audit", tables.error());
    }
    audit::Auditor auditor(model_, Options(*tables));
    for (const AuditedTable& table : *tables) {
      if (const Status read = Read(table, auditor); !read) {
        line_.Clear();
        return CouldNotRun("audit", read.error());
      }
    }
    line_.Show("comparing items with each other");
    const auto report = auditor.Finish();
    line_.Clear();
    if (!report) {
      return CouldNotRun("audit", report.error());
    }
    if (arguments_.json) {
      Print(audit::AuditJson(*report));
    } else if (arguments_.fix && arguments_.dry_run) {
      std::fputs(audit::RenderAudit(*report, arguments_.shown).c_str(), stderr);
    } else {
      PrintFolded(audit::RenderAudit(*report, arguments_.shown));
    }
    if (arguments_.fix && !arguments_.dry_run) {
      return Apply();
    }
    return report->Total() == 0 && report->items > 0 ? kFine : kAnswerIsNo;
  }

 private:
  audit::AuditOptions Options(const std::vector<AuditedTable>& tables) {
    audit::AuditOptions options;
    options.memory_bytes = static_cast<std::size_t>(arguments_.memory_mb * 1024 * 1024);
    options.complete = share_ >= 1;
    for (const AuditedTable& table : tables) {
      options.tables.push_back(table.table->name.text);
    }
    if (!arguments_.stored_as.empty()) {
      options.stored_name = arguments_.stored_as;
    }
    if (arguments_.fix) {
      options.on_fix = [this](const audit::Fix& fix) {
        if (arguments_.dry_run) {
          PrintFix(fix);
        } else {
          fixes_.push_back(fix);
        }
      };
    }
    return options;
  }

  static void PrintFix(const audit::Fix& fix) {
    std::string out;
    {
      json::ObjectWriter object(out);
      object.String("operation", fix.operation);
      object.Name("request").append(fix.body);
    }
    std::printf("%s\n", out.c_str());
  }

  Status Read(const AuditedTable& table, audit::Auditor& auditor) {
    const auto add = [&](const Item& item) -> Status {
      if (++items_ % 1'000 == 0) {
        line_.Show(table.stored_name + ": " + WithCommas(items_) + " items");
      }
      return InSample(*table.table, item, share_) || arguments_.FromDatabase()
                 ? auditor.Add(*table.table, item)
                 : Status();
    };
    if (!arguments_.FromDatabase()) {
      for (const std::string& file : table.files) {
        PJ_RETURN_IF_ERROR(EachStoredItem(file, {add, {}}));
      }
      return {};
    }
    TableAddress address = arguments_.address;
    address.table_name = table.stored_name;
    PJ_ASSIGN_OR_RETURN(access_, OpenTable(address));
    const auto visit = [&](ItemView item) { return add(item.Decode()); };
    if (share_ >= 1) {
      return access_->EachItem(visit);
    }
    // Segments divide a table by the hash of the partition key, so every n-th of them is a fair sample.
    const int wanted = std::max(1, static_cast<int>(std::lround(share_ * kSampleSegments)));
    for (int i = 0; i < wanted; ++i) {
      const int number = static_cast<int>(static_cast<std::int64_t>(i) * kSampleSegments / wanted);
      PJ_RETURN_IF_ERROR(access_->EachItemOf({number, kSampleSegments}, visit));
    }
    return {};
  }

  ExitCode Apply() {
    std::size_t refused = 0;
    for (const audit::Fix& fix : fixes_) {
      const auto answer = access_->Call(fix.operation, fix.body);
      if (answer) {
        continue;
      }
      ++refused;
      std::fprintf(stderr, "prejoin audit: %s was refused: %s\n", fix.operation.c_str(),
                   answer.error().message.c_str());
    }
    std::fprintf(stderr, "%zu of %zu requests done; run the audit again to see the rest\n",
                 fixes_.size() - refused, fixes_.size());
    return kAnswerIsNo;
  }

  const AuditArguments& arguments_;
  const model::Model& model_;
  const double share_;
  ProgressLine line_;
  std::int64_t items_ = 0;
  std::unique_ptr<TableAccess> access_;
  std::vector<audit::Fix> fixes_;
};

ExitCode Audit(const AuditArguments& arguments) {
  if (arguments.fix && !arguments.dry_run && !arguments.FromDatabase()) {
    return CouldNotRun(
        "audit",
        ValidationError(
            "--fix cannot change files; --fix --dry-run writes the requests to standard output"));
  }
  if (arguments.json && arguments.fix && arguments.dry_run) {
    return CouldNotRun("audit",
                       ValidationError("--json and --fix --dry-run both write to standard output"));
  }
  ExitCode code = kFine;
  const auto loaded = LoadModel(arguments.file, code);
  if (!loaded) {
    return code;
  }
  return AuditRun(arguments, loaded->read.model).Run();
}

}  // namespace

void AddAudit(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Audit,
      {"audit",
       "Check a real table or export against its model: keys, lost rows, stale copies and orphans.",
       "Examples:\n  prejoin audit shop.prejoin --from backup\n  prejoin audit shop.prejoin "
       "--endpoint https://dynamodb.eu-central-1.amazonaws.com --stored-as shop-prod --sample 5\n  "
       "prejoin audit shop.prejoin --data ./data --fix --dry-run > requests.jsonl\n\nEvery item is "
       "read once. Each request of --fix is conditional: it does nothing if the item has changed "
       "since it was read.\n\nExit codes: 0 nothing found, 1 findings (or no items), 2 could not "
       "run."});
  verb->add_option("FILE", arguments->file, "Model file")->required();
  auto* from = verb->add_option(
      "--from", arguments->from,
      "Read an export, a file with one item per line, or a Scan response instead of a table");
  AddWhere(*verb, arguments->address);
  for (const char* other : {"--data", "--endpoint"}) {
    verb->get_option(other)->excludes(from);
  }
  verb->add_option("--table", arguments->table, "Check only this table of the model");
  verb->add_option("--stored-as", arguments->stored_as,
                   "Name of the deployed table, if it differs from the model");
  verb->add_option("--sample", arguments->sample_percent,
                   "Percentage of partition keys to check; only that part of the table is read")
      ->check(NumberFrom(0.1, 100.0));
  verb->add_option("--memory", arguments->memory_mb,
                   "Memory in MB for comparing items; the rest spills to TMPDIR")
      ->check(NumberFrom(1.0, 65'536.0))
      ->capture_default_str();
  verb->add_option("--show", arguments->shown, "Maximum number of findings to print per kind")
      ->capture_default_str();
  auto* fix = verb->add_flag("--fix", arguments->fix, "Fix what can be fixed");
  verb->add_flag("--dry-run", arguments->dry_run,
                 "Print the requests, one per line, instead of sending them")
      ->needs(fix);
  verb->add_flag("--json", arguments->json, "Print the report as JSON");
}

}  // namespace prejoin::cli
