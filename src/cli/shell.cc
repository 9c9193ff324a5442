// `prejoin shell`: statements by hand.
#include "shell/shell.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cli/model_file.h"
#include "cli/new_verb.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "client/endpoint.h"
#include "model/prove/endpoint_backend.h"
#include "shell/line_editor.h"

namespace prejoin::cli {
namespace {

struct ShellArguments {
  std::string endpoint = "http://127.0.0.1:8000";
  std::string region;
  std::string model;
  std::string format = "table";
  bool json = false;
};

// Lines of a page that are no rows: head, rule, the question, the prompt.
constexpr std::size_t kLinesBesides = 4;
constexpr std::size_t kPipedPageRows = 1000;

std::string HistoryFile() {
  if (const char* named = std::getenv("PREJOIN_HISTORY")) {
    return named;
  }
  const char* home = std::getenv("HOME");
  return home != nullptr ? std::string(home) + "/.prejoin_history" : "";
}

// False if a person pressed Ctrl-C meanwhile.
bool WaitUnlessInterrupted(double seconds) {
  constexpr auto kStep = std::chrono::milliseconds(50);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (shell::LineEditor::TakeInterrupt()) {
      return false;
    }
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

void PrintNow(const std::string& text) {
  Print(text);
  std::fflush(stdout);
}

void ReadAndRun(shell::Shell& shell, shell::LineEditor& editor) {
  std::string statement;
  while (true) {
    std::string line;
    switch (editor.Read(statement.empty() ? "prejoin> " : "      -> ", line)) {
      case shell::LineEditor::Outcome::kEnd:
        if (!statement.empty()) {
          shell.Run(statement);
        }
        if (editor.on_terminal()) {
          PrintNow("\n");
        }
        return;
      case shell::LineEditor::Outcome::kInterrupted:
        statement.clear();
        continue;
      case shell::LineEditor::Outcome::kLine:
        break;
    }
    if (statement.empty() && line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    if (shell::IsCommand(line) && !statement.empty()) {
      if (!shell.Run(*shell::TakeStatement(line))) {
        return;
      }
      continue;
    }
    statement += (statement.empty() ? "" : " ") + line;
    const std::string typed = statement;
    auto whole = shell::TakeStatement(statement);
    if (whole) {
      editor.Remember(typed);
    }
    for (; whole; whole = shell::TakeStatement(statement)) {
      if (!shell.Run(*whole)) {
        return;
      }
    }
  }
}

ExitCode RunShell(const ShellArguments& arguments) {
  auto endpoint = client::Endpoint::Open(arguments.endpoint, arguments.region);
  if (!endpoint) {
    return cli::CouldNotRun("shell", endpoint.error());
  }
  endpoint->GiveUpWhen(shell::LineEditor::IsInterrupted);
  std::optional<LoadedModel> loaded;
  std::unique_ptr<model::EndpointBackend> backend;
  if (!arguments.model.empty()) {
    ExitCode code = kFine;
    loaded = LoadModel(arguments.model, code);
    if (!loaded) {
      return code;
    }
    auto opened = model::EndpointBackend::Open(arguments.endpoint, arguments.region);
    if (!opened) {
      return cli::CouldNotRun("shell", opened.error());
    }
    backend = *std::move(opened);
  }
  const bool on_terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  shell::LineEditor* line_editor = nullptr;
  shell::ShellSettings settings;
  settings.call = [&](const std::string& operation, const std::string& body) {
    return endpoint->Call(operation, body);
  };
  settings.model = loaded ? &loaded->read.model : nullptr;
  settings.backend = backend.get();
  settings.print = PrintNow;
  settings.print_error = [&](const std::string& text) {
    if (on_terminal) {
      return PrintNow(text);
    }
    std::fputs(text.c_str(), stderr);
  };
  settings.interrupted = [] { return shell::LineEditor::TakeInterrupt(); };
  settings.format = arguments.json ? shell::OutputFormat::kJson
                                   : shell::OutputFormatNamed(arguments.format)
                                         .value_or(shell::OutputFormat::kTable);
  settings.wait = WaitUnlessInterrupted;
  settings.piped = !on_terminal;
  settings.width = on_terminal ? shell::LineEditor::TerminalColumns() : 0;
  settings.page_rows =
      on_terminal ? shell::LineEditor::TerminalLines() - kLinesBesides : kPipedPageRows;
  settings.more = [&] {
    if (!on_terminal) {
      return true;
    }
    std::string answer;
    const auto outcome = line_editor->Read("-- more: Enter; q ends --", answer);
    return outcome == shell::LineEditor::Outcome::kLine && answer.empty();
  };
  shell::Shell shell(std::move(settings));
  shell::LineEditor editor(HistoryFile(), [&](const std::string& before, const std::string& word) {
    return shell.Complete(before, word);
  });
  line_editor = &editor;
  if (on_terminal) {
    PrintNow("Statements go to " + arguments.endpoint + ". \\help explains; \\q or exit ends.\n");
  }
  ReadAndRun(shell, editor);
  // A person has seen the errors; a script needs the exit code.
  return shell.failed() && !on_terminal ? kAnswerIsNo : kFine;
}

}  // namespace

void AddShell(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, RunShell,
      {"shell", "Run PartiQL statements and API operations interactively.",
       "Examples:\n  prejoin shell --endpoint http://127.0.0.1:8000 --model school.prejoin\n  echo "
       "'SELECT * FROM Music;' | prejoin shell --format csv\n\nA statement ends with a semicolon and may "
       "span lines. Tab completes, Ctrl-C cancels a statement, \\help lists the commands. The "
       "history is kept in ~/.prejoin_history, or in the file named by PREJOIN_HISTORY.\n\nExit "
       "codes: 0 fine, 1 a statement from a pipe failed, 2 could not run."});
  verb->add_option("--endpoint", arguments->endpoint, "http://host:port or https://host")
      ->capture_default_str();
  verb->add_option("--region", arguments->region, "Region of an AWS endpoint");
  verb->add_option("--model", arguments->model,
                   "Model file whose access patterns can be run by name");
  auto* json = verb->add_flag("--json", arguments->json, "Print one JSON row per line");
  verb->add_option("--format", arguments->format,
                   "Print rows as table, expanded (one attribute per line), json, csv or markdown")
      ->check(CLI::IsMember({"table", "expanded", "json", "csv", "markdown"}))
      ->excludes(json);
}

}  // namespace prejoin::cli
