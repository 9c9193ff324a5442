// `prejoin import`: files of items into a table.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/new_verb.h"
#include "cli/progress.h"
#include "cli/table_access.h"
#include "cli/transfer/item_files.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "json/enum_names.h"
#include "json/writer.h"
#include "transfer/import_job.h"

namespace prejoin::cli {
namespace {

using transfer::LineFormat;

struct ImportArguments {
  std::string path;
  TableAddress address;
  std::optional<LineFormat> format;
  std::string delimiter = ",";
  std::vector<std::string> headers;
  std::vector<std::string> keys;
  bool json = false;
};

// "PK:S" → name and type.
Result<AttributeDefinition> ParseKey(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string type = colon == std::string::npos ? "" : text.substr(colon + 1);
  AttributeDefinition definition{text.substr(0, colon), ScalarType::kString};
  if (type == "N") {
    definition.type = ScalarType::kNumber;
  } else if (type == "B") {
    definition.type = ScalarType::kBinary;
  } else if (type != "S") {
    return ValidationError("--key takes NAME:S, NAME:N or NAME:B, not '" + text + "'");
  }
  return definition;
}

Result<std::vector<AttributeDefinition>> ParseKeys(const std::vector<std::string>& texts) {
  std::vector<AttributeDefinition> keys;
  for (const std::string& text : texts) {
    PJ_ASSIGN_OR_RETURN(keys.emplace_back(), ParseKey(text));
  }
  return keys;
}

std::string CreateTableRequest(const std::vector<AttributeDefinition>& keys) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("BillingMode", "PAY_PER_REQUEST");
    json::AppendArray(
        keys, object.Name("AttributeDefinitions"), [&](const AttributeDefinition& key) {
          json::ObjectWriter entry(out);
          entry.String("AttributeName", key.attribute_name);
          entry.String("AttributeType", json::NameOf(json::kScalarTypeNames, key.type));
        });
    const char* type = "HASH";
    json::AppendArray(keys, object.Name("KeySchema"), [&](const AttributeDefinition& key) {
      json::ObjectWriter entry(out);
      entry.String("AttributeName", key.attribute_name);
      entry.String("KeyType", std::exchange(type, "RANGE"));
    });
  }
  return out;
}

// Makes the table if it is not there. Says how to, if it cannot be known.
Status EnsureTable(TableAccess& access, const ImportArguments& arguments,
                   const std::vector<AttributeDefinition>& keys, const ItemFiles& found) {
  const std::string& table_name = arguments.address.table_name;
  PJ_ASSIGN_OR_RETURN(const auto existing, DescribeForCreation(access, table_name));
  if (existing) {
    return {};
  }
  if (!keys.empty()) {
    return CreateTable(access, table_name, CreateTableRequest(keys));
  }
  if (found.create_table) {
    return CreateTable(access, table_name, *found.create_table);
  }
  return ValidationError("there is no table " + table_name +
                         "; create it first, or say its keys: --key PK:S --key SK:S");
}

std::string PrintProgress(const std::string& table_name, const transfer::ImportProgress& progress,
                          std::uint64_t bytes) {
  const std::uint64_t percent = bytes == 0 ? 100 : progress.file_bytes * 100 / bytes;
  return table_name + ": " + WithCommas(progress.imported) + " items, " +
         PrintBytes(progress.file_bytes) + " of " + PrintBytes(bytes) + " (" +
         std::to_string(percent) + " %)";
}

void PrintResult(const ImportArguments& arguments, const transfer::ImportProgress& progress) {
  std::string out;
  if (arguments.json) {
    json::ObjectWriter object(out);
    object.String("table", arguments.address.table_name);
    object.Integer("imported", progress.imported);
    object.Integer("refused", progress.errors);
  } else {
    out = arguments.address.table_name + ": " + WithCommas(progress.imported) + " items imported";
    if (progress.errors > 0) {
      out += ", " + WithCommas(progress.errors) + " refused";
    }
  }
  std::printf("%s\n", out.c_str());
}

ExitCode Run(const ImportArguments& arguments, TableAccess& access,
             transfer::ImportSource& source) {
  const auto sink = access.MakeSink();
  if (!sink) {
    return CouldNotRun("import", sink.error());
  }
  std::uint64_t bytes = 0;
  for (const transfer::ObjectFile& file : source.files) {
    bytes += file.bytes;
  }
  constexpr std::int64_t kErrorsShown = 10;
  std::int64_t shown = 0;
  ProgressLine line;
  const transfer::ImportCallbacks callbacks{
      .on_progress =
          [&](const transfer::ImportProgress& progress) {
            line.Show(PrintProgress(arguments.address.table_name, progress, bytes));
            return true;
          },
      .on_error =
          [&](const std::string& place, const std::string& why) {
            if (shown++ >= kErrorsShown) {
              return;
            }
            line.Clear();
            std::fprintf(stderr, "%s: %s\n", place.c_str(), why.c_str());
          }};
  transfer::ImportProgress progress;
  const Status imported = ImportFiles(source, **sink, callbacks, progress);
  line.Clear();
  if (!imported) {
    return CouldNotRun("import", imported.error());
  }
  PrintResult(arguments, progress);
  return progress.errors > 0 ? kAnswerIsNo : kFine;
}

ExitCode Import(const ImportArguments& arguments) {
  auto found = FindItemFiles(arguments.path);
  if (!found) {
    return CouldNotRun("import", found.error());
  }
  auto keys = ParseKeys(arguments.keys);
  if (!keys) {
    return CouldNotRun("import", keys.error());
  }
  const auto access = OpenTable(arguments.address);
  if (!access) {
    return CouldNotRun("import", access.error());
  }
  if (const Status ready = EnsureTable(**access, arguments, *keys, *found); !ready) {
    return CouldNotRun("import", ready.error());
  }
  transfer::ImportSource source;
  source.format = arguments.format.value_or(found->Format());
  source.files = std::move(found->files);
  source.compression = std::nullopt;
  source.delimiter = arguments.delimiter[0];
  if (!arguments.headers.empty()) {
    source.headers = arguments.headers;
  }
  if (source.format == LineFormat::kCsv && keys->empty()) {
    auto types = KeyTypes(**access, arguments.address.table_name);
    if (!types) {
      return CouldNotRun("import", types.error());
    }
    source.key_types = *std::move(types);
  } else {
    source.key_types = *std::move(keys);
  }
  return Run(arguments, **access, source);
}

}  // namespace

void AddImport(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Import,
      {"import", "Import files of items into a table.",
       "Examples:\n  prejoin import backup --table Music --endpoint http://127.0.0.1:8000\n  "
       "prejoin import music.csv --table Music --key Artist:S --key Year:N --data "
       "./data\n\nImported items replace items with the same key; an incremental export also "
       "deletes items. Files may be compressed (.gz, .zst). An export made by Prejoin contains the "
       "table's schema; for other files, pass --key or create the table first.\n\nExit codes: 0 "
       "all items are in the table, 1 some were refused, 2 could not run."});
  arguments->address.endpoint = "http://127.0.0.1:8000";
  verb->add_option("PATH", arguments->path,
                   "An export (of AWS or of Prejoin), a directory of files, or one file")
      ->required();
  verb->add_option("--table", arguments->address.table_name, "Name of the table")->required();
  verb->add_option("--key", arguments->keys,
                   "Create the table if it is missing: NAME:S, NAME:N or NAME:B; first the "
                   "partition key, then the sort key")
      ->expected(1, 2)
      ->option_text("NAME:TYPE …");
  verb->add_option("--from", arguments->format,
                   "Format of the files. Default: derived from their names")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, LineFormat>{{"aws", LineFormat::kWrapped},
                                            {"changes", LineFormat::kChanges},
                                            {"jsonl", LineFormat::kBare},
                                            {"csv", LineFormat::kCsv}}))
      ->option_text("aws|changes|jsonl|csv");
  verb->add_option("--delimiter", arguments->delimiter, "CSV field delimiter")
      ->check([](const std::string& text) {
        return text.size() == 1 ? std::string() : std::string("one character, please");
      })
      ->capture_default_str();
  verb->add_option("--headers", arguments->headers, "CSV column names. Default: the first record")
      ->delimiter(',');
  AddWhere(*verb, arguments->address);
  verb->add_flag("--json", arguments->json, "Print the result as JSON");
}

}  // namespace prejoin::cli
