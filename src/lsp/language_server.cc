#include "lsp/language_server.h"

#include <algorithm>
#include <utility>

#include "json/writer.h"
#include "lsp/reading_aids.h"
#include "model/check/check.h"
#include "model/syntax/formatter.h"

namespace prejoin::lsp {
namespace {

Position ReadPosition(std::optional<json::Value> value) {
  const auto line = rpc::FindInteger(value, "line").value_or(0);
  const auto character = rpc::FindInteger(value, "character").value_or(0);
  constexpr std::int64_t kMost = 1 << 28;
  return {static_cast<int>(std::clamp<std::int64_t>(line, 0, kMost)),
          static_cast<int>(std::clamp<std::int64_t>(character, 0, kMost))};
}

Range ReadRange(std::optional<json::Value> value) {
  return {ReadPosition(rpc::Find(value, "start")), ReadPosition(rpc::Find(value, "end"))};
}

// The occurrence at the position of a request.
const Occurrence* Pointed(const std::vector<Occurrence>& all, const Document& document,
                          Position position) {
  const std::size_t start = document.OffsetOf({position.line, 0});
  const auto column = static_cast<int>(document.OffsetOf(position) - start) + 1;
  return OccurrenceAt(all, position.line + 1, column);
}

std::string LocationJson(std::string_view uri, const Range& range) {
  std::string out = "{\"uri\":";
  json::AppendString(uri, out);
  return out + ",\"range\":" + RangeJson(range) + "}";
}

std::string Definition(std::string_view uri, Document& document, Position position) {
  const auto all = FindOccurrences(document.read().declared(), document.text());
  const Occurrence* one = Pointed(all, document, position);
  const Occurrence* declared = one != nullptr ? DeclarationOf(all, one->symbol) : nullptr;
  return declared != nullptr ? LocationJson(uri, document.RangeOf(declared->at)) : "null";
}

std::string References(std::string_view uri, Document& document, Position position) {
  const auto all = FindOccurrences(document.read().declared(), document.text());
  const Occurrence* one = Pointed(all, document, position);
  std::string out = "[";
  for (const Occurrence& other : all) {
    if (one == nullptr || !(other.symbol == one->symbol)) {
      continue;
    }
    out += (out.size() > 1 ? "," : "") + LocationJson(uri, document.RangeOf(other.at));
  }
  return out + "]";
}

std::string Hover(Document& document, Position position) {
  const std::string text = HoverText(document, position);
  if (text.empty()) {
    return "null";
  }
  std::string out = "{\"contents\":{\"kind\":\"markdown\",\"value\":";
  json::AppendString(text, out);
  return out + "}}";
}

std::string Formatting(Document& document) {
  // Lines that the parser skipped would be lost.
  for (const model::Diagnostic& one : document.read().diagnostics) {
    if (one.rule == "PJ001") {
      return "null";
    }
  }
  const std::string formatted = model::FormatTree(document.read().tree);
  if (formatted == document.text()) {
    return "[]";
  }
  return EditsJson({{document.Whole(), formatted}});
}

bool IsNewName(std::string_view name) {
  if (name.empty() || name.size() > 255) {
    return false;
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    const bool inner = (c >= '0' && c <= '9') || (c == '-' && i + 1 < name.size());
    if (!letter && (i == 0 || !inner)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string LanguageServer::Initialize() const {
  std::string out =
      R"({"capabilities":{"textDocumentSync":{"openClose":true,"change":2},"hoverProvider":true,)"
      R"("definitionProvider":true,"referencesProvider":true,"documentSymbolProvider":true,)"
      R"("completionProvider":{"triggerCharacters":["."," ","{"]},"documentFormattingProvider":true,)"
      R"("renameProvider":{"prepareProvider":true},"foldingRangeProvider":true,)"
      R"("inlayHintProvider":true,"codeLensProvider":{},"workspaceSymbolProvider":true,)"
      R"("codeActionProvider":{"codeActionKinds":["quickfix"]},)"
      R"("semanticTokensProvider":{"full":true,"legend":)" +
      TokenLegendJson() + R"(}},"serverInfo":{"name":"prejoin","version":)";
  json::AppendString(version_, out);
  return out + "}}";
}

void LanguageServer::DidOpen(const rpc::Request& request) {
  const auto document = rpc::Find(request.params, "textDocument");
  const std::string uri = rpc::FindText(document, "uri");
  if (documents_.size() >= kDocumentsMax && !documents_.contains(uri)) {
    return;
  }
  documents_[uri] = {std::make_unique<Document>(rpc::FindText(document, "text")), true, {}};
}

void LanguageServer::DidChange(const rpc::Request& request) {
  const auto found =
      documents_.find(rpc::FindText(rpc::Find(request.params, "textDocument"), "uri"));
  const auto changes = rpc::Find(request.params, "contentChanges");
  if (found == documents_.end() || !changes || changes->type() != json::Type::kArray) {
    return;
  }
  for (const json::Value change : changes->elements()) {
    const std::string text = rpc::FindText(change, "text");
    if (const auto range = rpc::Find(change, "range")) {
      found->second.document->Replace(ReadRange(range), text);
    } else {
      found->second.document->ReplaceAll(text);
    }
  }
  found->second.changed = true;
}

const std::vector<model::Diagnostic>& LanguageServer::Findings(Open& open) {
  if (open.changed) {
    open.findings = model::CheckModel(open.document->read());
    open.changed = false;
  }
  return open.findings;
}

std::vector<std::string> LanguageServer::Idle() {
  std::vector<std::string> messages;
  for (auto& [uri, open] : documents_) {
    if (!open.changed) {
      continue;
    }
    std::string params = "{\"uri\":";
    json::AppendString(uri, params);
    params += ",\"diagnostics\":" + DiagnosticsJson(*open.document, Findings(open)) + "}";
    messages.push_back(rpc::Notification("textDocument/publishDiagnostics", params));
  }
  return messages;
}

Result<std::string> LanguageServer::Rename(const rpc::Request& request, const std::string& uri,
                                           Document& document) {
  const std::string name = rpc::FindText(request.params, "newName");
  if (!IsNewName(name)) {
    return ValidationError("`" + name + "` cannot be a name");
  }
  const auto all = FindOccurrences(document.read().declared(), document.text());
  const Occurrence* one =
      Pointed(all, document, ReadPosition(rpc::Find(request.params, "position")));
  if (one == nullptr) {
    return ValidationError("there is no name here");
  }
  // A key that is called like an attribute holds it; renaming one of the two would part them.
  for (const Occurrence& other : all) {
    const bool key_and_attribute =
        (one->symbol.kind == SymbolKind::kAttribute && other.symbol.kind == SymbolKind::kKey) ||
        (one->symbol.kind == SymbolKind::kKey && other.symbol.kind == SymbolKind::kAttribute);
    if (key_and_attribute && other.symbol.name == one->symbol.name) {
      return ValidationError("`" + one->symbol.name +
                             "` is a key and an attribute at once; rename it by hand");
    }
    if (other.declaration && other.symbol.kind == one->symbol.kind &&
        other.symbol.owner == one->symbol.owner && other.symbol.name == name) {
      return ValidationError("there is a `" + name + "` already");
    }
  }
  std::vector<TextEdit> edits;
  for (const Occurrence& other : all) {
    if (other.symbol == one->symbol) {
      edits.push_back({document.RangeOf(other.at), name});
    }
  }
  return WorkspaceEditJson(uri, edits);
}

Result<std::string> LanguageServer::Ask(const rpc::Request& request, const std::string& uri,
                                        Open& open) {
  Document& document = *open.document;
  const Position position = ReadPosition(rpc::Find(request.params, "position"));
  if (request.method == "textDocument/hover") {
    return Hover(document, position);
  }
  if (request.method == "textDocument/definition") {
    return Definition(uri, document, position);
  }
  if (request.method == "textDocument/references") {
    return References(uri, document, position);
  }
  if (request.method == "textDocument/completion") {
    return CompletionsJson(document, position);
  }
  if (request.method == "textDocument/formatting") {
    return Formatting(document);
  }
  if (request.method == "textDocument/documentSymbol") {
    return OutlineJson(document);
  }
  if (request.method == "textDocument/prepareRename") {
    const auto all = FindOccurrences(document.read().declared(), document.text());
    const Occurrence* one = Pointed(all, document, position);
    return one != nullptr ? RangeJson(document.RangeOf(one->at)) : "null";
  }
  if (request.method == "textDocument/semanticTokens/full") {
    return SemanticTokensJson(document);
  }
  if (request.method == "textDocument/foldingRange") {
    return FoldingRangesJson(document);
  }
  if (request.method == "textDocument/inlayHint") {
    return InlayHintsJson(document, ReadRange(rpc::Find(request.params, "range")));
  }
  if (request.method == "textDocument/codeLens") {
    return CodeLensesJson(document, uri);
  }
  if (request.method == "textDocument/rename") {
    return Rename(request, uri, document);
  }
  if (request.method == "textDocument/codeAction") {
    // Looking at the findings must not keep Idle from sending them.
    const bool changed = open.changed;
    const auto& findings = Findings(open);
    open.changed = changed;
    return CodeActionsJson(document, uri, ReadRange(rpc::Find(request.params, "range")), findings);
  }
  return Error{ErrorCode::kUnknownOperation, request.method};
}

// Searches the open documents and the files that are not open.
std::string LanguageServer::WorkspaceSymbols(std::string_view query) {
  std::string out;
  for (auto& [uri, open] : documents_) {
    AppendWorkspaceSymbols(uri, *open.document, query, out);
  }
  if (workspace_) {
    for (auto& [uri, text] : workspace_(root_uri_)) {
      if (!documents_.contains(uri)) {
        Document document(std::move(text));
        AppendWorkspaceSymbols(uri, document, query, out);
      }
    }
  }
  return "[" + out + "]";
}

std::vector<std::string> LanguageServer::Handle(std::string_view message) {
  const auto json = json::Document::Parse(message);
  if (!json) {
    return {rpc::ErrorAnswer("", rpc::kParseError, "the message is not JSON")};
  }
  const auto request = rpc::ReadRequest(json->root());
  if (!request) {
    return {rpc::ErrorAnswer("", rpc::kInvalidRequest, request.error().message)};
  }
  const std::string& method = request->method;
  const auto answer = [&](std::string_view result) -> std::vector<std::string> {
    if (request->id.empty()) {
      return {};
    }
    return {rpc::Answer(request->id, result)};
  };
  if (method == "initialize") {
    root_uri_ = rpc::FindText(request->params, "rootUri");
    return answer(Initialize());
  }
  if (method == "shutdown") {
    shut_down_ = true;
    return answer("null");
  }
  if (method == "exit") {
    exited_ = true;
  }
  if (method == "textDocument/didOpen") {
    DidOpen(*request);
  }
  if (method == "textDocument/didChange") {
    DidChange(*request);
  }
  const std::string uri = rpc::FindText(rpc::Find(request->params, "textDocument"), "uri");
  if (method == "textDocument/didClose") {
    documents_.erase(uri);
  }
  if (request->id.empty() || method.empty()) {
    return {};
  }
  if (method == "workspace/symbol") {
    return answer(WorkspaceSymbols(rpc::FindText(request->params, "query")));
  }
  const auto found = documents_.find(uri);
  if (found == documents_.end()) {
    return {rpc::ErrorAnswer(
        request->id, uri.empty() ? rpc::kMethodNotFound : rpc::kInvalidParams,
        uri.empty() ? "unknown method " + method : "this document is not open")};
  }
  const auto result = Ask(*request, uri, found->second);
  if (result) {
    return answer(*result);
  }
  const bool unknown = result.error().code == ErrorCode::kUnknownOperation;
  return {rpc::ErrorAnswer(request->id, unknown ? rpc::kMethodNotFound : rpc::kInvalidParams,
                           unknown ? "unknown method " + method : result.error().message)};
}

}  // namespace prejoin::lsp
