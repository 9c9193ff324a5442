// The protocol: which message does what. Knows no files and no sockets; cli/lsp.cc moves the messages.
#ifndef PREJOIN_LSP_LANGUAGE_SERVER_H_
#define PREJOIN_LSP_LANGUAGE_SERVER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lsp/document.h"
#include "lsp/features.h"
#include "rpc/message.h"

namespace prejoin::lsp {

// More documents than these are not kept open.
inline constexpr std::size_t kDocumentsMax = 200;

// Single thread.
class LanguageServer {
 public:
  // The model files below a folder that is named by its URI, with their texts.
  using Workspace =
      std::function<std::vector<std::pair<std::string, std::string>>(const std::string& root_uri)>;

  // `workspace` may be empty: then only open documents are searched.
  explicit LanguageServer(std::string version, Workspace workspace = {})
      : version_(std::move(version)), workspace_(std::move(workspace)) {}

  // The messages to send back. A change of a document gives none: its findings come with Idle, so
  // that somebody who types fast is not answered letter by letter.
  std::vector<std::string> Handle(std::string_view message);
  // Call when no further message waits: the findings of every document that changed.
  std::vector<std::string> Idle();

  bool exited() const { return exited_; }
  // True if `shutdown` came before `exit`, as it must.
  bool ended_well() const { return shut_down_; }

 private:
  struct Open {
    std::unique_ptr<Document> document;
    bool changed = true;
    std::vector<model::Diagnostic> findings;
  };

  std::string Initialize() const;
  void DidOpen(const rpc::Request& request);
  void DidChange(const rpc::Request& request);
  const std::vector<model::Diagnostic>& Findings(Open& open);
  // The `result` of a request about a document; MethodNotFound for an unknown method.
  Result<std::string> Ask(const rpc::Request& request, const std::string& uri, Open& open);
  Result<std::string> Rename(const rpc::Request& request, const std::string& uri,
                             Document& document);

  std::string WorkspaceSymbols(std::string_view query);

  const std::string version_;
  const Workspace workspace_;
  std::string root_uri_;
  std::map<std::string, Open> documents_;  // By URI.
  bool shut_down_ = false;
  bool exited_ = false;
};

}  // namespace prejoin::lsp

#endif  // PREJOIN_LSP_LANGUAGE_SERVER_H_
