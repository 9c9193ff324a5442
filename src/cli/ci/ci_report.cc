#include "cli/ci/ci_report.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/xml_text.h"
#include "cli/model_file.h"

namespace prejoin::cli {
namespace {

// GitHub reads %, line ends, and in properties also : and , as its own.
std::string InCommand(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string PlaceOf(const CiCase& one) {
  return one.line > 0 ? one.file + ":" + std::to_string(one.line) : one.file;
}

}  // namespace

void AddCiOptions(CLI::App& verb, CiArguments& arguments) {
  verb.add_option("--junit", arguments.junit, "Also write a JUnit report to this file");
  verb.add_option("--summary", arguments.summary,
                  "Also append a Markdown summary to this file, such as $GITHUB_STEP_SUMMARY");
  verb.add_flag("--github", arguments.github,
                "Also print GitHub Actions annotations at the lines of the findings");
}

std::string JUnitReport(const std::string& suite, const std::vector<CiCase>& cases) {
  const auto failures = std::ranges::count(cases, CiCase::Level::kError, &CiCase::level);
  const std::string counts = " tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
                             std::to_string(failures) + "\"";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"prejoin\"" +
                    counts + ">\n  <testsuite name=\"" + XmlText(suite) + "\"" + counts + ">\n";
  for (const CiCase& one : cases) {
    out += "    <testcase classname=\"" + XmlText(one.file) + "\" name=\"" + XmlText(one.name) + "\"";
    if (one.level == CiCase::Level::kFine) {
      out += "/>\n";
      continue;
    }
    const std::string text = PlaceOf(one) + ": " + one.message;
    out += ">\n";
    out += one.level == CiCase::Level::kError
               ? "      <failure message=\"" + XmlText(one.message) + "\">" + XmlText(text) +
                     "</failure>\n"
               : "      <system-out>" + XmlText(text) + "</system-out>\n";
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string GitHubAnnotations(const std::vector<CiCase>& cases) {
  std::string out;
  for (const CiCase& one : cases) {
    if (one.level == CiCase::Level::kFine) {
      continue;
    }
    out += one.level == CiCase::Level::kError     ? "::error"
           : one.level == CiCase::Level::kWarning ? "::warning"
                                                  : "::notice";
    out += " file=" + InCommand(one.file, true);
    if (one.line > 0) {
      out += ",line=" + std::to_string(one.line) + ",col=" + std::to_string(one.column);
    }
    out += ",title=" + InCommand(one.name, true) + "::" + InCommand(one.message, false) + "\n";
  }
  return out;
}

std::string MarkdownSummary(const std::string& suite, const std::vector<CiCase>& cases) {
  const auto count = [&](CiCase::Level level) { return std::ranges::count(cases, level, &CiCase::level); };
  const auto errors = count(CiCase::Level::kError);
  const auto warnings = count(CiCase::Level::kWarning);
  std::string out = "### " + std::string(errors == 0 ? "✅" : "❌") + " prejoin " + suite + "\n\n" +
                    std::to_string(cases.size()) + " checked, " + std::to_string(errors) +
                    " failed, " + std::to_string(warnings) + " warnings\n";
  std::string rows;
  for (const CiCase& one : cases) {
    if (one.level == CiCase::Level::kFine) {
      continue;
    }
    std::string message;
    for (const char c : one.message) {
      message += c == '|' ? "\\|" : c == '\n' ? "<br>" : std::string(1, c);
    }
    rows += "| " + std::string(one.level == CiCase::Level::kError     ? "error"
                               : one.level == CiCase::Level::kWarning ? "warning"
                                                                      : "note") +
            " | `" + PlaceOf(one) + "` | " + one.name + " | " + message + " |\n";
  }
  return out + (rows.empty() ? "" : "\n| | where | what | message |\n| --- | --- | --- | --- |\n" + rows) + "\n";
}

namespace {

// Steps of a workflow share one file.
bool AppendToFile(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed) {
    std::fprintf(stderr, "prejoin: cannot write %s\n", path.c_str());
  }
  return written && closed;
}

}  // namespace

ExitCode ReportToCi(const CiArguments& arguments, const std::string& suite,
                    const std::vector<CiCase>& cases) {
  if (arguments.github) {
    Print(GitHubAnnotations(cases));
  }
  if (!arguments.junit.empty() && !WriteWholeFile(arguments.junit, JUnitReport(suite, cases))) {
    return kCouldNotRun;
  }
  if (!arguments.summary.empty() &&
      !AppendToFile(arguments.summary, MarkdownSummary(suite, cases))) {
    return kCouldNotRun;
  }
  return kFine;
}

}  // namespace prejoin::cli
