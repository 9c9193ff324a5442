// `prejoin import`: files of items into a table.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "cli/table_access.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "json/enum_names.h"
#include "json/reader.h"
#include "json/writer.h"
#include "transfer/import_job.h"

namespace prejoin::cli {
namespace {

namespace fs = std::filesystem;
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

struct FoundFiles {
  std::vector<transfer::ObjectFile> files;
  std::optional<std::string> create_table;  // From an export of ours.
  bool incremental = false;
};

// Manifests and what else an export has besides items.
bool IsAside(const std::string& name) {
  return name.starts_with("manifest-") || name == "_started" || name == "table.json" ||
         name.ends_with(".md5") || name.ends_with(".checksum");
}

// A directory that holds exports: the only one in it.
Result<fs::path> FindExport(const fs::path& path) {
  const fs::path exports = path / "AWSDynamoDB";
  std::error_code code;
  if (!fs::is_directory(exports, code)) return path;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(exports, code)) {
    if (fs::exists(entry.path() / "manifest-summary.json", code)) found.push_back(entry.path());
  }
  if (found.size() != 1) {
    return ValidationError(path.string() + " has " + std::to_string(found.size()) +
                           " finished exports; name one of them: " + exports.string() + "/ID");
  }
  return found[0];
}

std::string ReadWhole(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A text in a JSON object; empty if it is not there.
std::string TextMember(const std::string& text, std::string_view name) {
  const auto document = json::Document::Parse(text);
  const auto member = document ? document->root().Find(name) : std::nullopt;
  return member && member->type() == json::Type::kString ? std::string(member->string()) : "";
}

// The data of incremental exports lies together in one folder; the manifest says which is whose.
Result<FoundFiles> FindIncremental(const fs::path& root) {
  FoundFiles found{.incremental = true};
  std::istringstream manifest(ReadWhole(root / "manifest-files.json"));
  for (std::string line; std::getline(manifest, line);) {
    const std::string key = TextMember(line, "dataFileS3Key");
    if (key.empty()) continue;
    const std::string name = fs::path(key).filename().string();
    std::error_code code;
    for (const fs::path& folder : {root / "data", root.parent_path() / "data"}) {
      if (fs::is_regular_file(folder / name, code)) {
        found.files.push_back({name, (folder / name).string(), fs::file_size(folder / name, code)});
        break;
      }
    }
    if (found.files.empty() || found.files.back().key != name) {
      return Error{ErrorCode::kIo, name + ", which the manifest names, is missing"};
    }
  }
  return found;
}

Result<FoundFiles> FindFiles(const std::string& given) {
  std::error_code code;
  FoundFiles found;
  const fs::path path(given);
  if (fs::is_regular_file(path, code)) {
    found.files.push_back({given, given, fs::file_size(path, code)});
    return found;
  }
  if (!fs::is_directory(path, code)) {
    return Error{ErrorCode::kIo, given + ": there is no such file or directory"};
  }
  PJ_ASSIGN_OR_RETURN(const fs::path root, FindExport(path));
  if (TextMember(ReadWhole(root / "manifest-summary.json"), "exportType") == "INCREMENTAL_EXPORT") {
    return FindIncremental(root);
  }
  if (fs::exists(root / "table.json", code)) {
    found.create_table = ReadWhole(root / "table.json");
  }
  const fs::path folder = fs::is_directory(root / "data", code) ? root / "data" : root;
  for (const auto& entry : fs::recursive_directory_iterator(folder, code)) {
    if (entry.is_regular_file(code) && !IsAside(entry.path().filename().string())) {
      found.files.push_back({entry.path().lexically_relative(path).string(), entry.path().string(),
                             entry.file_size(code)});
    }
  }
  std::ranges::sort(found.files, {}, &transfer::ObjectFile::key);
  if (found.files.empty()) {
    return ValidationError(given + " has no files of items");
  }
  return found;
}

LineFormat FormatOf(const ImportArguments& arguments, const FoundFiles& found) {
  if (arguments.format) return *arguments.format;
  if (found.incremental) return LineFormat::kChanges;
  std::string name = found.files[0].path;
  for (const char* compression : {".gz", ".zst"}) {
    if (name.ends_with(compression)) name.resize(name.rfind('.'));
  }
  if (name.ends_with(".csv")) return LineFormat::kCsv;
  return name.ends_with(".jsonl") || name.ends_with(".ndjson") ? LineFormat::kBare
                                                               : LineFormat::kWrapped;
}

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
                   const std::vector<AttributeDefinition>& keys, const FoundFiles& found) {
  const std::string& table_name = arguments.address.table_name;
  PJ_ASSIGN_OR_RETURN(const auto existing, DescribeForCreation(access, table_name));
  if (existing) return {};
  if (!keys.empty()) return CreateTable(access, table_name, CreateTableRequest(keys));
  if (found.create_table) return CreateTable(access, table_name, *found.create_table);
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
    if (progress.errors > 0) out += ", " + WithCommas(progress.errors) + " refused";
  }
  std::printf("%s\n", out.c_str());
}

ExitCode Run(const ImportArguments& arguments, TableAccess& access,
             transfer::ImportSource& source) {
  const auto sink = access.MakeSink();
  if (!sink) return CouldNotRun("import", sink.error());
  std::uint64_t bytes = 0;
  for (const transfer::ObjectFile& file : source.files) bytes += file.bytes;
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
            if (shown++ >= kErrorsShown) return;
            line.Clear();
            std::fprintf(stderr, "%s: %s\n", place.c_str(), why.c_str());
          }};
  transfer::ImportProgress progress;
  const Status imported = ImportFiles(source, **sink, callbacks, progress);
  line.Clear();
  if (!imported) return CouldNotRun("import", imported.error());
  PrintResult(arguments, progress);
  return progress.errors > 0 ? kAnswerIsNo : kFine;
}

ExitCode Import(const ImportArguments& arguments) {
  auto found = FindFiles(arguments.path);
  if (!found) return CouldNotRun("import", found.error());
  auto keys = ParseKeys(arguments.keys);
  if (!keys) return CouldNotRun("import", keys.error());
  const auto access = OpenTable(arguments.address);
  if (!access) return CouldNotRun("import", access.error());
  if (const Status ready = EnsureTable(**access, arguments, *keys, *found); !ready)
    return CouldNotRun("import", ready.error());
  transfer::ImportSource source;
  source.format = FormatOf(arguments, *found);
  source.files = std::move(found->files);
  source.compression = std::nullopt;
  source.delimiter = arguments.delimiter[0];
  if (!arguments.headers.empty()) source.headers = arguments.headers;
  if (source.format == LineFormat::kCsv && keys->empty()) {
    auto types = KeyTypes(**access, arguments.address.table_name);
    if (!types) return CouldNotRun("import", types.error());
    source.key_types = *std::move(types);
  } else {
    source.key_types = *std::move(keys);
  }
  return Run(arguments, **access, source);
}

}  // namespace

void AddImport(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<ImportArguments>();
  arguments->address.endpoint = "http://127.0.0.1:8000";
  CLI::App* verb = program.add_subcommand("import", "Load files of items into a table.");
  verb->add_option("PATH", arguments->path,
                   "An export (of AWS or of Prejoin), a directory of files, or one file")
      ->required();
  verb->add_option("--table", arguments->address.table_name, "Name of the table")->required();
  verb->add_option("--key", arguments->keys,
                   "Makes the table if it is missing: NAME:S, NAME:N or NAME:B; the partition "
                   "key, then the sort key")
      ->expected(1, 2)
      ->option_text("NAME:TYPE …");
  verb->add_option("--from", arguments->format, "What the files hold; by their names if not given")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, LineFormat>{{"aws", LineFormat::kWrapped},
                                            {"changes", LineFormat::kChanges},
                                            {"jsonl", LineFormat::kBare},
                                            {"csv", LineFormat::kCsv}}))
      ->option_text("aws|changes|jsonl|csv");
  verb->add_option("--delimiter", arguments->delimiter, "Between the fields of CSV")
      ->check([](const std::string& text) {
        return text.size() == 1 ? std::string() : std::string("one character, please");
      })
      ->capture_default_str();
  verb->add_option("--headers", arguments->headers,
                   "Names of the fields of CSV; without it the first record has them")
      ->delimiter(',');
  AddWhere(*verb, arguments->address);
  verb->add_flag("--json", arguments->json, "Say what was done as JSON");
  verb->footer(
      "Examples:\n  prejoin import backup --table Music --endpoint http://127.0.0.1:8000\n  "
      "prejoin import music.csv --table Music --key Artist:S --key Year:N --data ./data\n\nItems "
      "replace those with the same key; an incremental export also deletes. Files may be "
      "compressed (.gz, .zst). An export of "
      "Prejoin's brings the table's schema along; for others say --key, or create the table "
      "first.\n\nExit codes: 0 all items are in the table, 1 some were refused, 2 could not run.");
  verb->callback([arguments, &exit_code] { exit_code = Import(*arguments); });
}

}  // namespace prejoin::cli
