// `prejoin infer`: a model from the items of a live table or an export.
#include "draft/infer/infer.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/progress.h"
#include "cli/table_access.h"
#include "cli/transfer/item_files.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "draft/draft.h"
#include "draft/formats/formats.h"
#include "json/reader.h"

namespace prejoin::cli {
namespace {

struct InferArguments {
  TableAddress address;
  std::string from;
  std::vector<std::string> keys;
  std::string output = "-";
  bool json = false;
};

Result<draft::DraftTable> KeysOf(const std::string& create_table, const std::string& name) {
  const auto document = json::Document::Parse(create_table);
  if (!document) {
    return ValidationError("the description of the table is not JSON");
  }
  draft::DraftTable table = draft::ReadTableKeys(document->root()).table;
  if (!name.empty()) {
    table.name = name;
  }
  if (table.partition.empty()) {
    return ValidationError("the description of the table has no key");
  }
  return table;
}

// Feeds items of files; the keys may come only with the first of them.
class InferSink : public transfer::ItemSink {
 public:
  explicit InferSink(std::optional<draft::DraftTable> table) {
    if (table) {
      inference_ = std::make_unique<draft::Inference>(*table, draft::InferSettings{});
    }
  }

  Status Add(Item item) override {
    if (inference_ == nullptr) {
      PJ_RETURN_IF_ERROR(GuessKeys(item));
    }
    inference_->Add(item);
    return {};
  }
  Status Remove(Item) override { return {}; }
  Status Finish() override { return {}; }

  draft::Inference* inference() { return inference_.get(); }

 private:
  // By what such keys are usually called.
  Status GuessKeys(const Item& item) {
    draft::DraftTable table;
    table.name = "Table";
    for (const auto& [partition, sort] :
         {std::pair{"PK", "SK"}, {"pk", "sk"}, {"partition_key", "sort_key"}}) {
      if (item.Find(partition) == nullptr) {
        continue;
      }
      table.partition = partition;
      if (item.Find(sort) != nullptr) {
        table.sort = sort;
      }
      inference_ = std::make_unique<draft::Inference>(table, draft::InferSettings{});
      return {};
    }
    return Error{ErrorCode::kInternal,
                 "the table's key is not known: name it with --key PARTITION --key SORT"};
  }

  std::unique_ptr<draft::Inference> inference_;
};

ExitCode WriteModel(const InferArguments& arguments, draft::Inference& inference,
                    const std::string& where) {
  draft::Draft draft;
  draft.title = arguments.address.table_name.empty() ? "Inferred" : arguments.address.table_name;
  draft.notes.push_back("Inferred from " + WithCommas(inference.count()) + " items of " + where +
                        ". Attributes that occur only in keys have invented names.");
  inference.Finish(draft);
  draft::CompleteInferred(draft);
  const std::string source = draft::PrintDraft(draft);
  if (arguments.json) {
    Print(draft::DraftJson(draft));
  }
  if (arguments.output != "-") {
    if (!WriteWholeFile(arguments.output, source)) {
      return kCouldNotRun;
    }
  } else if (!arguments.json) {
    Print(source);
  }
  const std::size_t relationships = draft.relationships.size();
  std::fprintf(stderr, "%s items: %zu %s, %zu %s; next: prejoin check\n",
               WithCommas(inference.count()).c_str(), draft.entities.size(),
               draft.entities.size() == 1 ? "entity" : "entities", relationships,
               relationships == 1 ? "relationship" : "relationships");
  return model::ReadModel(source).ok ? kFine : kAnswerIsNo;
}

ExitCode InferFiles(const InferArguments& arguments) {
  auto found = FindItemFiles(arguments.from);
  if (!found) {
    return CouldNotRun("infer", found.error());
  }
  std::optional<draft::DraftTable> table;
  if (!arguments.keys.empty()) {
    table.emplace();
    table->name = arguments.address.table_name.empty() ? "Table" : arguments.address.table_name;
    table->partition = arguments.keys[0];
    if (arguments.keys.size() > 1) {
      table->sort = arguments.keys[1];
    }
  } else if (found->create_table) {
    auto keys = KeysOf(*found->create_table, arguments.address.table_name);
    if (!keys) {
      return CouldNotRun("infer", keys.error());
    }
    table = *std::move(keys);
    if (table->name == "unnamed") {
      table->name = "Table";
    }
  }
  InferSink sink(std::move(table));
  transfer::ImportSource source;
  source.format = found->Format();
  source.files = std::move(found->files);
  source.compression = std::nullopt;
  ProgressLine line;
  transfer::ImportProgress progress;
  std::int64_t refused = 0;
  std::string first_refusal;
  const Status read = ImportFiles(
      source, sink,
      {.on_progress =
           [&](const transfer::ImportProgress& now) {
             line.Show(WithCommas(now.processed) + " items, " + PrintBytes(now.file_bytes));
             return true;
           },
       .on_error =
           [&](const std::string& where, const std::string& why) {
             if (refused++ == 0) {
               first_refusal = where + ": " + why;
             }
           }},
      progress);
  line.Clear();
  if (!read) {
    return CouldNotRun("infer", read.error());
  }
  if (sink.inference() == nullptr || sink.inference()->count() == 0) {
    return CouldNotRun("infer", ValidationError(arguments.from + " has no items" +
                                                (refused > 0 ? "; " + first_refusal : "")));
  }
  if (refused > 0) {
    std::fprintf(stderr, "%s lines are not items and were skipped; the first: %s\n",
                 WithCommas(refused).c_str(), first_refusal.c_str());
  }
  return WriteModel(arguments, *sink.inference(), arguments.from);
}

ExitCode InferTable(const InferArguments& arguments) {
  const std::string& name = arguments.address.table_name;
  if (name.empty()) {
    return CouldNotRun("infer",
                       ValidationError("name a table with --table NAME, or an export with --from"));
  }
  const auto access = OpenTable(arguments.address);
  if (!access) {
    return CouldNotRun("infer", access.error());
  }
  const auto described = DescribeForCreation(**access, name);
  if (!described) {
    return CouldNotRun("infer", described.error());
  }
  if (!*described) {
    std::fprintf(stderr, "prejoin infer: there is no table %s\n", name.c_str());
    return kAnswerIsNo;
  }
  const auto table = KeysOf(**described, name);
  if (!table) {
    return CouldNotRun("infer", table.error());
  }
  draft::Inference inference(*table, draft::InferSettings{});
  ProgressLine line;
  const Status read = (*access)->EachItem([&](ItemView item) -> Status {
    inference.Add(item.Decode());
    if (inference.count() % 1000 == 0) {
      line.Show(WithCommas(inference.count()) + " items");
    }
    return {};
  });
  line.Clear();
  if (!read) {
    return CouldNotRun("infer", read.error());
  }
  if (inference.count() == 0) {
    return CouldNotRun("infer", ValidationError(name + " is empty"));
  }
  return WriteModel(arguments, inference, "table " + name);
}

ExitCode Infer(const InferArguments& arguments) {
  return arguments.from.empty() ? InferTable(arguments) : InferFiles(arguments);
}

}  // namespace

void AddInfer(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Infer,
      {"infer",
       "Infer a model from a live table or an export: entities, key templates and relationships.",
       "Examples:\n  prejoin infer --table Music --endpoint http://127.0.0.1:8000 -o "
       "music.prejoin\n  prejoin infer --from backup -o music.prejoin\n\nEvery item is read once, "
       "in constant memory. Items that look damaged are listed in comments.\n\nExit codes: 0 done, "
       "1 there is no such table, 2 could not run."});
  arguments->address.endpoint = "http://127.0.0.1:8000";
  verb->add_option("--table", arguments->address.table_name, "Name of the table");
  verb->add_option("--from", arguments->from,
                   "Read an export (from AWS or Prejoin) or files of items instead of a table");
  verb->add_option("--key", arguments->keys,
                   "With --from: name of the partition key, then of the sort key")
      ->expected(1, 2);
  verb->add_option("-o,--output", arguments->output, "Model file to write; - is standard output");
  AddWhere(*verb, arguments->address);
  verb->add_flag("--json", arguments->json, "Print JSON; the model text is in `source`");
}

}  // namespace prejoin::cli
