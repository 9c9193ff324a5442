// `prejoin verify`: reads every byte of a data directory and says what is damaged or does not fit together.
#include "engine/verify/verify_directory.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "access/records.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "engine/table/space.h"
#include "json/writer.h"
#include "storage/store.h"

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
  const Status read = engine::VerifyDirectory(
      arguments.path, [&](const std::string& place) { line.Show(place); },
      [&](storage::Store& store) { VerifyAccess(store, report); }, report);
  line.Clear();
  if (!read) {
    std::fprintf(stderr, "prejoin: %s\n", read.error().message.c_str());
    return kCouldNotRun;
  }
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
