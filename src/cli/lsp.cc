// `prejoin lsp`: model files in editors.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parse_number.h"
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

// "file:///home/a%20b" as a path; empty for other URIs.
std::string PathOfUri(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) {
    return "";
  }
  uri.remove_prefix(kFile.size());
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto code = uri[i] == '%' && i + 2 < uri.size()
                          ? ParseInteger<unsigned>(uri.substr(i + 1, 2), 16)
                          : std::nullopt;
    path += code ? static_cast<char>(*code) : uri[i];
    i += code ? 2 : 0;
  }
  return path;
}

std::string UriOfPath(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' ||
                       c == '-' || c == '_' || c == '~';
    if (plain) {
      uri += c;
    } else {
      std::array<char, 4> code{};
      std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned char>(c));
      uri += code.data();
    }
  }
  return uri;
}

// Folders that hold other people's files are left out, and so is what cannot be read.
std::vector<std::pair<std::string, std::string>> ModelsBelow(const std::string& root_uri) {
  constexpr std::size_t kFilesMax = 500;
  constexpr std::size_t kEntriesMax = 50'000;
  std::vector<std::pair<std::string, std::string>> files;
  const std::string root = PathOfUri(root_uri);
  if (root.empty()) {
    return files;
  }
  std::error_code code;
  using Walk = std::filesystem::recursive_directory_iterator;
  std::size_t entries = 0;
  for (Walk at(root, std::filesystem::directory_options::skip_permission_denied, code);
       !code && at != Walk() && files.size() < kFilesMax && ++entries < kEntriesMax;
       at.increment(code)) {
    const std::string name = at->path().filename().string();
    if (name == "node_modules" || (name.starts_with('.') && name.size() > 1)) {
      at.disable_recursion_pending();
    } else if (name.ends_with(".prejoin")) {
      std::ifstream file(at->path(), std::ios::binary);
      std::ostringstream text;
      if (file && text << file.rdbuf()) {
        files.emplace_back(UriOfPath(at->path().string()), text.str());
      }
    }
  }
  return files;
}

ExitCode RunLsp() {
  rpc::Channel channel(rpc::Framing::kHeaders, STDIN_FILENO, STDOUT_FILENO);
  lsp::LanguageServer server(Version(), ModelsBelow);
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
  // Editors pass it; there is no other way.
  verb->add_flag_callback(
      "--stdio", [] {}, "Accepted and ignored");
  const auto words = std::make_shared<bool>(false);
  verb->add_flag(
      "--words", *words,
      "Print the words of the model language as JSON, with their places and help, and exit");
  verb->footer(
      "Example:\n  prejoin lsp\n\nIt provides diagnostics, hover with plan and cost, definitions, "
      "references, completion, rename, formatting, quick fixes, colours, folding, figures next to "
      "each pattern, and symbols of all models of a folder. editors/vscode uses it, and so can any editor "
      "with an LSP client.");
  verb->callback([words, &exit_code] {
    if (*words) {
      Print(model::WordsJson());
      return;
    }
    exit_code = RunLsp();
  });
}

}  // namespace prejoin::cli
