// `prejoin lsp`: model files in editors.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "cli/model_file.h"
#include "cli/verb.h"
#include "cli/version.h"
#include "json/reader.h"
#include "lsp/language_server.h"
#include "model/syntax/words.h"
#include "rpc/framing.h"
#include "rpc/message.h"

namespace prejoin::cli {
namespace {

// An editor keeps its session when one request of it fails.
std::vector<std::string> HandleOrFail(lsp::LanguageServer& server, const std::string& message) {
  try {
    return server.Handle(message);
  } catch (const std::exception& error) {
    const auto document = json::Document::Parse(message);
    const auto request =
        document ? rpc::ReadRequest(document->root()) : ValidationError("the message is not JSON");
    if (!request || request->id.empty()) {
      return {};
    }
    return {rpc::ErrorAnswer(request->id, rpc::kInternalError,
                             "internal error: " + std::string(error.what()))};
  }
}

ExitCode RunLsp() {
  rpc::Channel channel(rpc::Framing::kHeaders, STDIN_FILENO, STDOUT_FILENO);
  lsp::LanguageServer server(Version());
  while (!server.exited()) {
    const auto message = channel.Read();
    if (!message) {
      return kCouldNotRun;
    }
    for (const std::string& answer : HandleOrFail(server, *message)) {
      if (!channel.Write(answer)) {
        return kCouldNotRun;
      }
    }
    if (channel.HasMore()) {
      continue;
    }
    for (const std::string& notice : server.Idle()) {
      if (!channel.Write(notice)) {
        return kCouldNotRun;
      }
    }
  }
  return server.ended_well() ? kFine : kAnswerIsNo;
}

}  // namespace

void AddLsp(CLI::App& program, ExitCode& exit_code) {
  CLI::App* verb = program.add_subcommand(
      "lsp", "Run the language server for model files (LSP on standard input and output).");
  // Editors say it; there is no other way.
  verb->add_flag_callback(
      "--stdio", [] {}, "Accepted and ignored");
  const auto words = std::make_shared<bool>(false);
  verb->add_flag(
      "--words", *words,
      "Print the words of the model language as JSON, with their places and help, and exit");
  verb->footer(
      "Example:\n  prejoin lsp\n\nIt provides diagnostics, hover with plan and cost, definitions, "
      "references, completion, rename, formatting and quick fixes. editors/vscode uses it, and so "
      "can any editor with an LSP client.");
  verb->callback([words, &exit_code] {
    if (*words) {
      Print(model::WordsJson());
      return;
    }
    exit_code = RunLsp();
  });
}

}  // namespace prejoin::cli
