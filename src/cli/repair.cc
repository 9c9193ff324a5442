// `prejoin repair`: a data directory whose logs are damaged goes back to its last sound state.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/verb.h"
#include "storage/rocks_store.h"

namespace prejoin::cli {
namespace {

ExitCode Repair(const std::string& path) {
  const auto repaired = storage::RepairRocksStore(path);
  if (!repaired) {
    std::fprintf(stderr, "prejoin: %s\n", repaired.error().message.c_str());
    return kCouldNotRun;
  }
  if (!*repaired) {
    std::printf("The logs of %s are in order. Nothing was changed.\n", path.c_str());
    return kFine;
  }
  const storage::LogBreak& found = **repaired;
  std::printf("%s: %s at byte %llu. The log ends there now.\n", found.file.c_str(),
              found.what.c_str(), static_cast<unsigned long long>(found.offset));
  std::printf("%zu later logs were set aside; what was cut off and set aside is in %s/lost.\n",
              found.later_files.size(), path.c_str());
  std::printf("The database has the state before the damage; every change behind it is gone.\n");
  return kFine;
}

}  // namespace

void AddRepair(CLI::App& program, ExitCode& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand(
      "repair", "Bring a data directory with damaged logs back to its last sound state.");
  verb->add_option("DIRECTORY", *path, "The data directory; no server may use it")->required();
  verb->footer("Example:\n  prejoin repair ./data");
  verb->callback([path, &exit_code] { exit_code = Repair(*path); });
}

}  // namespace prejoin::cli
