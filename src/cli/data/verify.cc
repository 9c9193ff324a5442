// `prejoin verify`: reads every byte of a data directory and says what is damaged or does not fit together.
#include "engine/verify/verify.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access/records.h"
#include "cells/cell_folder.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "engine/table/space.h"
#include "json/writer.h"
#include "storage/log_check.h"
#include "storage/rocks_store.h"
#include "storage/store_folder.h"

namespace prejoin::cli {
namespace {

struct VerifyArguments {
  std::string path;
  bool json = false;
};

// Users, roles and keys, which the engine does not know.
void VerifyAccess(storage::Store& store, engine::VerifyReport& report) {
  std::uint64_t count = 0;
  const Status visited = store.Visit(
      engine::SpaceRange(engine::kAccessSpace), [&](std::string_view key, std::string_view value) {
        ++count;
        const std::string_view name = key.substr(storage::kRouteBytes);
        const bool readable = name.starts_with("k/") ? access::ParseKey(value).has_value()
                              : name.starts_with("u/") || name.starts_with("r/")
                                  ? access::ParseIdentity(value).has_value()
                                  : true;
        if (!readable) {
          report.Find("access directory", "a record cannot be read: " + std::string(name), key);
        }
        return storage::Visit::kContinue;
      });
  if (!visited) {
    report.Find("access directory", visited.error().message);
  }
  report.counts["access records"] = count;
}

// The file's name, with that of its cell where there are several.
std::string NameIn(const cells::CellFolder& folder, const std::string& file) {
  return folder.feature.empty() ? file : folder.path.substr(folder.path.rfind('/') + 1) + "/" + file;
}

void VerifyFiles(const cells::CellFolder& folder, ProgressLine& line, engine::VerifyReport& report) {
  std::size_t in_folder = 0;
  const auto files = storage::CheckTableFiles(
      folder.path,
      [&](std::size_t done, std::size_t count) {
        line.Show("checksums: file " + NameIn(folder, std::to_string(done + 1)) + " of " + std::to_string(count));
        in_folder = count;
      },
      folder.feature);
  report.counts["table files"] += in_folder;
  if (!files) {
    report.Find("table files", files.error().message);
    return;
  }
  for (const storage::DamagedFile& file : *files) {
    report.Find("file " + NameIn(folder, file.file), file.what);
  }
}

void VerifyLogs(const cells::CellFolder& folder, engine::VerifyReport& report) {
  const auto found = storage::FindLogBreak(*storage::DiskFolder(folder.path));
  if (!found) {
    report.Find("logs", found.error().message);
  } else if (*found && (*found)->acknowledged) {
    report.Find("log " + NameIn(folder, (*found)->file), (*found)->what);
  }
}

void PrintReport(const VerifyArguments& arguments, const engine::VerifyReport& report) {
  if (arguments.json) {
    std::string out;
    {
      json::ObjectWriter object(out);
      object.String("directory", arguments.path);
      {
        json::ObjectWriter counts(object.Name("counts"));
        for (const auto& [kind, count] : report.counts) {
          json::AppendInteger(static_cast<std::int64_t>(count), counts.Name(kind));
        }
      }
      json::AppendInteger(static_cast<std::int64_t>(report.finding_count),
                          object.Name("finding_count"));
      std::string& list = object.Name("findings");
      list.push_back('[');
      for (const engine::VerifyFinding& finding : report.findings) {
        if (list.back() != '[') {
          list.push_back(',');
        }
        json::ObjectWriter one(list);
        one.String("where", finding.where);
        one.String("what", finding.what);
        one.String("key", finding.key);
      }
      list.push_back(']');
    }
    std::printf("%s\n", out.c_str());
    return;
  }
  for (const engine::VerifyFinding& finding : report.findings) {
    std::printf("%s: %s%s%s\n", finding.where.c_str(), finding.what.c_str(),
                finding.key.empty() ? "" : ", key ", finding.key.c_str());
  }
  std::string counts;
  for (const auto& [kind, count] : report.counts) {
    if (count == 0) {
      continue;
    }
    const std::string one = count == 1 && kind.ends_with('s') ? kind.substr(0, kind.size() - 1) : kind;
    counts +=
        (counts.empty() ? "" : ", ") + WithCommas(static_cast<std::int64_t>(count)) + " " + one;
  }
  if (report.finding_count == 0) {
    std::printf("%s is in order: %s.\n", arguments.path.c_str(),
                counts.empty() ? "it is empty" : counts.c_str());
  } else {
    std::printf(
        "%s findings in %s (%s). Restore a copy of the directory or a backup; "
        "`prejoin export` saves what can be read.\n",
        WithCommas(static_cast<std::int64_t>(report.finding_count)).c_str(), arguments.path.c_str(),
        counts.c_str());
  }
}

ExitCode Verify(const VerifyArguments& arguments) {
  engine::VerifyReport report;
  ProgressLine line;
  const auto folders = cells::CellFoldersIn(arguments.path);
  if (!folders) {
    std::fprintf(stderr, "prejoin: %s\n", folders.error().message.c_str());
    return kCouldNotRun;
  }
  const auto verify_files = [&] {
    for (const cells::CellFolder& folder : *folders) {
      VerifyLogs(folder, report);
      VerifyFiles(folder, line, report);
    }
  };
  // Opened first: that rejects a directory that is in use or is not one of our data directories.
  const Status read = cells::ReadCells(arguments.path, [&](storage::Store& store) -> Status {
    verify_files();
    engine::VerifyStore(
        store,
        [&](std::uint64_t count) {
          line.Show("records: " + WithCommas(static_cast<std::int64_t>(count)));
        },
        report);
    VerifyAccess(store, report);
    return {};
  });
  line.Clear();
  if (!read && read.error().code == ErrorCode::kCorruption) {
    // It cannot be opened. The files can still be looked at one by one.
    report.Find("directory", read.error().message);
    verify_files();
  } else if (!read) {
    std::fprintf(stderr, "prejoin: %s\n", read.error().message.c_str());
    return kCouldNotRun;
  }
  line.Clear();
  PrintReport(arguments, report);
  return report.finding_count == 0 ? kFine : kAnswerIsNo;
}

}  // namespace

void AddVerify(CLI::App& program, ExitCode& exit_code) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* verb = program.add_subcommand(
      "verify", "Read everything in a data directory and report damage. Changes nothing.");
  verb->add_option("DIRECTORY", arguments->path, "Data directory that no server is using")
      ->required();
  verb->add_flag("--json", arguments->json, "Print the report as JSON");
  verb->footer(
      "It verifies the checksums of all blocks and the sequence of the logs, decodes every record, "
      "and compares items with their index entries, expiry entries and counts.\nExit codes: 0 "
      "everything is in order, 1 something is damaged, 2 could not run.\n\nExample:\n  prejoin "
      "verify ./data");
  verb->callback([arguments, &exit_code] { exit_code = Verify(*arguments); });
}

}  // namespace prejoin::cli
