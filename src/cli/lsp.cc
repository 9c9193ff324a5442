// `prejoin lsp`: model files in editors.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verb.h"
#include "cli/version.h"
#include "lsp/language_server.h"
#include "rpc/framing.h"

namespace prejoin::cli {
namespace {

ExitCode RunLsp() {
  rpc::Channel channel(rpc::Framing::kHeaders, STDIN_FILENO, STDOUT_FILENO);
  lsp::LanguageServer server(Version());
  while (!server.exited()) {
    const auto message = channel.Read();
    if (!message) return kCouldNotRun;
    for (const std::string& answer : server.Handle(*message)) {
      if (!channel.Write(answer)) return kCouldNotRun;
    }
    if (channel.HasMore()) continue;
    for (const std::string& notice : server.Idle()) {
      if (!channel.Write(notice)) return kCouldNotRun;
    }
  }
  return server.ended_well() ? kFine : kAnswerIsNo;
}

}  // namespace

void AddLsp(CLI::App& program, ExitCode& exit_code) {
  CLI::App* verb = program.add_subcommand(
      "lsp", "Model files in editors: the Language Server Protocol on standard input and output.");
  // Editors say it; there is no other way.
  verb->add_flag_callback("--stdio", [] {}, "Accepted and ignored");
  verb->footer(
      "Example:\n  prejoin lsp\n\nFindings while typing, hover with plan and cost, definition, "
      "references, completion, rename, format, and help applied. editors/vscode uses it; any "
      "editor "
      "with a language client can.");
  verb->callback([&exit_code] { exit_code = RunLsp(); });
}

}  // namespace prejoin::cli
