// `prejoin export`: a table into files, in AWS's layout or a line for each item.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/progress.h"
#include "cli/table_access.h"
#include "cli/transfer/rows_out.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "json/item_json.h"
#include "json/writer.h"
#include "prejoin/clock.h"
#include "transfer/export_files.h"
#include "transfer/gzip_file.h"

namespace prejoin::cli {
namespace {

namespace fs = std::filesystem;

enum class Layout { kAws, kJsonl, kCsv, kSql };

struct ExportArguments {
  TableAddress address;
  std::string to;
  Layout layout = Layout::kAws;
  std::string dialect = "sqlite";
  std::string model;  // A model file: then rows of its entities instead of items.
  bool json = false;
};

struct Written {
  std::string path;
  std::optional<RowCounts> rows;  // With a model.
};

// The destination of the items.
class ExportTarget {
 public:
  virtual ~ExportTarget() = default;
  virtual Status Add(ItemView item) = 0;
  virtual Result<Written> Finish(const std::string& create_table) = 0;
};

class AwsTarget : public ExportTarget {
 public:
  static Result<std::unique_ptr<ExportTarget>> Open(const ExportArguments& arguments) {
    std::error_code code;
    const fs::path folder = fs::absolute(arguments.to, code).lexically_normal();
    const fs::path bucket = folder.has_filename() ? folder : folder.parent_path();
    fs::create_directories(bucket, code);
    if (code) {
      return Error{ErrorCode::kIo, bucket.string() + ": " + code.message()};
    }
    auto target = std::unique_ptr<AwsTarget>(new AwsTarget(bucket));
    transfer::ExportDescription& description = target->description_;
    description.started_ms = Clock::System().NowMs();
    description.id = transfer::NewTransferId(description.started_ms);
    description.input.bucket = bucket.filename().string();
    description.input.table_arn = arguments.address.table_name;
    description.arn = arguments.address.table_name + "/export/" + description.id;
    PJ_ASSIGN_OR_RETURN(auto files, transfer::ExportFiles::Begin(target->buckets_, description));
    target->files_ = std::make_unique<transfer::ExportFiles>(std::move(files));
    return std::unique_ptr<ExportTarget>(std::move(target));
  }

  Status Add(ItemView item) override { return files_->AddItem(item); }

  Result<Written> Finish(const std::string& create_table) override {
    description_.ended_ms = Clock::System().NowMs();
    PJ_RETURN_IF_ERROR(files_->Finish(description_));
    const std::string folder = bucket_.string() + "/AWSDynamoDB/" + description_.id;
    // Not AWS's: with it `prejoin import` can make the table again.
    PJ_RETURN_IF_ERROR(transfer::WriteFile(folder + "/table.json", create_table + "\n"));
    return Written{folder, std::nullopt};
  }

 private:
  explicit AwsTarget(const fs::path& bucket)
      : bucket_(bucket), buckets_(bucket.parent_path().string()) {}

  const fs::path bucket_;
  const transfer::BucketDirectory buckets_;
  transfer::ExportDescription description_;
  std::unique_ptr<transfer::ExportFiles> files_;
};

// To a file, compressed if its name ends in .gz, or to standard output.
class LinesTarget : public ExportTarget {
 public:
  static Result<std::unique_ptr<ExportTarget>> Open(const std::string& path) {
    auto target = std::unique_ptr<LinesTarget>(new LinesTarget(path));
    if (path.ends_with(".gz")) {
      PJ_ASSIGN_OR_RETURN(target->compressed_, transfer::GzipFile::Create(path));
    } else if (path != "-") {
      target->opened_.reset(std::fopen(path.c_str(), "we"));
      target->file_ = target->opened_.get();
      if (target->file_ == nullptr) {
        return Error{ErrorCode::kIo, path + ": " + std::strerror(errno)};
      }
    }
    return std::unique_ptr<ExportTarget>(std::move(target));
  }

  Status Add(ItemView item) override {
    line_.clear();
    json::AppendItem(item, line_);
    line_.push_back('\n');
    if (compressed_ != nullptr) {
      return compressed_->Write(line_);
    }
    if (std::fwrite(line_.data(), 1, line_.size(), file_) != line_.size()) {
      return Error{ErrorCode::kIo, path_ + ": " + std::strerror(errno)};
    }
    return {};
  }

  Result<Written> Finish(const std::string&) override {
    if (compressed_ != nullptr) {
      PJ_RETURN_IF_ERROR(compressed_->Finish());
    } else if (std::fflush(file_) != 0) {
      return Error{ErrorCode::kIo, path_ + ": " + std::strerror(errno)};
    }
    return Written{path_, std::nullopt};
  }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit LinesTarget(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  std::unique_ptr<std::FILE, CloseFile> opened_;
  std::FILE* file_ = stdout;
  std::unique_ptr<transfer::GzipFile> compressed_;
  std::string line_;
};

class RowsTarget : public ExportTarget {
 public:
  static Result<std::unique_ptr<ExportTarget>> Open(const ExportArguments& arguments,
                                                    const model::Model& model) {
    const RowFormat format = arguments.layout == Layout::kSql     ? RowFormat::kSql
                             : arguments.layout == Layout::kJsonl ? RowFormat::kJsonl
                                                                  : RowFormat::kCsv;
    PJ_ASSIGN_OR_RETURN(auto rows,
                        RowsOut::Open(model, arguments.address.table_name, arguments.to, format,
                                      SqlDialectNamed(arguments.dialect).value_or(SqlDialect::kSqlite)));
    return std::unique_ptr<ExportTarget>(new RowsTarget(std::move(rows), arguments.to));
  }

  Status Add(ItemView item) override { return rows_->Add(item.Decode()); }
  Result<Written> Finish(const std::string&) override {
    PJ_ASSIGN_OR_RETURN(RowCounts counts, rows_->Finish());
    return Written{directory_, std::move(counts)};
  }

 private:
  RowsTarget(std::unique_ptr<RowsOut> rows, std::string directory)
      : rows_(std::move(rows)), directory_(std::move(directory)) {}

  std::unique_ptr<RowsOut> rows_;
  const std::string directory_;
};

void PrintWritten(const ExportArguments& arguments, std::int64_t items, const Written& written) {
  const std::string& table = arguments.address.table_name;
  std::string out;
  if (arguments.json) {
    json::ObjectWriter object(out);
    object.String("table", table);
    object.Integer("items", items);
    object.String("path", written.path);
    if (written.rows) {
      {
        json::ObjectWriter rows(object.Name("rows"));
        for (const auto& [entity, count] : written.rows->rows) {
          rows.Integer(entity, count);
        }
      }
      object.Integer("unknown", written.rows->unknown);
      object.Integer("locks", written.rows->locks);
      object.Integer("rejected", written.rows->rejected);
    }
  } else {
    if (arguments.to == "-") {
      return;
    }
    out = table + ": " + WithCommas(items) + " items to " + written.path;
    if (written.rows) {
      std::string counts;
      for (const auto& [entity, count] : written.rows->rows) {
        counts += (counts.empty() ? "" : ", ") + entity + " " + WithCommas(count);
      }
      if (written.rows->locks > 0) {
        counts += (counts.empty() ? "" : ", ") + std::string("lock items and second layouts ") +
                  WithCommas(written.rows->locks);
      }
      out += " (" + counts + ")";
      if (written.rows->rejected > 0) {
        out += "\n" + WithCommas(written.rows->rejected) + " rejected, " +
               WithCommas(written.rows->unknown) + " of them belong to no entity: " + written.path +
               "/rejects.jsonl says why";
      }
    }
  }
  std::fprintf(arguments.to == "-" ? stderr : stdout, "%s\n", out.c_str());
}

ExitCode Export(const ExportArguments& arguments) {
  std::optional<LoadedModel> loaded;
  if (!arguments.model.empty()) {
    ExitCode code = kFine;
    loaded = LoadModel(arguments.model, code);
    if (!loaded) {
      return code;
    }
  } else if (arguments.layout == Layout::kCsv || arguments.layout == Layout::kSql) {
    return CouldNotRun("export", ValidationError("--as csv and --as sql need --model FILE"));
  }
  const auto access = OpenTable(arguments.address);
  if (!access) {
    return CouldNotRun("export", access.error());
  }
  const std::string& table_name = arguments.address.table_name;
  const auto create_table = DescribeForCreation(**access, table_name);
  if (!create_table) {
    return CouldNotRun("export", create_table.error());
  }
  if (!*create_table) {
    std::fprintf(stderr, "prejoin export: there is no table %s\n", table_name.c_str());
    return kAnswerIsNo;
  }
  const auto target = loaded ? RowsTarget::Open(arguments, loaded->read.model)
                      : arguments.layout == Layout::kAws ? AwsTarget::Open(arguments)
                                                         : LinesTarget::Open(arguments.to);
  if (!target) {
    return CouldNotRun("export", target.error());
  }
  ProgressLine progress;
  std::int64_t items = 0;
  const Status exported = (*access)->EachItem([&](ItemView item) -> Status {
    PJ_RETURN_IF_ERROR((*target)->Add(item));
    if (++items % 1000 == 0) {
      progress.Show(table_name + ": " + WithCommas(items) + " items");
    }
    return {};
  });
  progress.Clear();
  if (!exported) {
    return CouldNotRun("export", exported.error());
  }
  const auto finished = (*target)->Finish(**create_table);
  if (!finished) {
    return CouldNotRun("export", finished.error());
  }
  PrintWritten(arguments, items, *finished);
  return finished->rows && finished->rows->rejected > 0 ? kAnswerIsNo : kFine;
}

}  // namespace

void AddExport(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Export,
      {"export", "Export the items of a table to files.",
       "Examples:\n  prejoin export Music --to backup --endpoint http://127.0.0.1:8000\n  prejoin "
       "export Music --data ./data --as jsonl --to music.jsonl.gz\n  prejoin export School --model "
       "school.prejoin --as sql --to rows\n\nThe directory contains AWSDynamoDB/ID/ with manifests "
       "and data, in the layout of AWS exports; `prejoin import` and ImportTable read it.\nItems "
       "that change during the export are exported as they were before or after the change. For a "
       "consistent point in time, use ExportTableToPointInTime.\n\nWith --model, items and rows that "
       "the model has no place for go to rejects.jsonl, with the reason.\n\nExit codes: 0 done, 1 "
       "there is no such table or something was rejected, 2 could not run."});
  arguments->address.endpoint = "http://127.0.0.1:8000";
  verb->add_option("TABLE", arguments->address.table_name, "Name of the table")->required();
  verb->add_option(
          "--to", arguments->to,
          "Output directory; with --as jsonl a file (.gz compresses it, - is standard output)")
      ->required();
  verb->add_option("--as", arguments->layout, "Format: AWS's export layout, or one item per line")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Layout>{{"aws", Layout::kAws},
                                                                        {"jsonl", Layout::kJsonl},
                                                                        {"csv", Layout::kCsv},
                                                                        {"sql", Layout::kSql}}))
      ->default_str("aws")
      ->option_text("aws|jsonl|csv|sql [aws]");
  verb->add_option(
      "--model", arguments->model,
      "Model file: export the rows of each entity, with keys decoded, as csv, jsonl or sql");
  verb->add_option("--dialect", arguments->dialect,
                   "With --as sql: sqlite, postgres, mysql or duckdb")
      ->check(CLI::IsMember({"sqlite", "postgres", "mysql", "duckdb"}))
      ->capture_default_str();
  AddWhere(*verb, arguments->address);
  verb->add_flag("--json", arguments->json, "Print the result as JSON");
}

}  // namespace prejoin::cli
