// `prejoin repair`: a data directory whose logs are damaged goes back to its last sound state. It lists damage that cannot be repaired.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/verb.h"
#include "storage/rocks_store.h"

namespace prejoin::cli {
namespace {

void PrintLogs(const std::string& path, const storage::LogBreak& found) {
  if (found.missing) {
    std::printf("%s: the log is missing.\n", found.file.c_str());
  } else {
    std::printf("%s: %s at byte %llu. The log ends there now.\n", found.file.c_str(),
                found.what.c_str(), static_cast<unsigned long long>(found.offset));
  }
  std::printf("%zu later logs were set aside; the removed bytes and logs are in %s/lost.\n",
              found.later_files.size(), path.c_str());
  std::printf("The database has the state before the damage; every later change is lost.\n");
}

ExitCode Repair(const std::string& path) {
  const auto repaired = storage::RepairRocksStore(path);
  if (!repaired) {
    std::fprintf(stderr, "prejoin: %s\n", repaired.error().message.c_str());
    return kCouldNotRun;
  }
  if (!repaired->current.empty()) {
    std::printf("CURRENT names %s again.\n", repaired->current.c_str());
  }
  if (repaired->logs) {
    PrintLogs(path, *repaired->logs);
  }
  for (const storage::DamagedFile& table : repaired->tables) {
    std::printf("%s is damaged and cannot be repaired: %s\n", table.file.c_str(),
                table.what.c_str());
  }
  if (!repaired->tables.empty()) {
    std::printf(
        "Restore a copy of the directory or a backup. Until then the database serves the data "
        "that is not damaged: `prejoin verify %s` names the tables, `prejoin export` saves the "
        "readable items.\n",
        path.c_str());
    return kAnswerIsNo;
  }
  if (!repaired->logs && repaired->current.empty()) {
    std::printf("The logs and table files of %s are in order. Nothing was changed.\n",
                path.c_str());
  }
  return kFine;
}

}  // namespace

void AddRepair(CLI::App& program, ExitCode& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand(
      "repair",
      "Repair a data directory whose logs are damaged, back to its last consistent state.");
  verb->add_option("DIRECTORY", *path, "Data directory that no server is using")->required();
  verb->footer(
      "Exit codes: 0 the directory is in order now, 1 a damaged file remains, 2 could not run.\n\n"
      "Example:\n  prejoin repair ./data");
  verb->callback([path, &exit_code] { exit_code = Repair(*path); });
}

}  // namespace prejoin::cli
