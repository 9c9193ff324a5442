#include "json/writer.h"
#include "lsp/features.h"

namespace prejoin::lsp {
namespace {

int SeverityNumber(model::Severity severity) {
  switch (severity) {
    case model::Severity::kError:
      return 1;
    case model::Severity::kWarning:
      return 2;
    case model::Severity::kNote:
      return 3;
  }
  return 3;
}

}  // namespace

std::string DiagnosticsJson(const Document& document,
                            const std::vector<model::Diagnostic>& findings) {
  std::string out;
  json::AppendArray(findings, out, [&](const model::Diagnostic& finding) {
    json::ObjectWriter object(out);
    object.Name("range") += RangeJson(document.RangeOf(finding.at));
    object.Integer("severity", SeverityNumber(finding.severity));
    object.String("code", finding.rule);
    object.String("source", "prejoin");
    object.String("message", finding.suggestion.empty()
                                 ? finding.message
                                 : finding.message + "\n" + finding.suggestion.text());
  });
  return out;
}

std::string EditsJson(const std::vector<TextEdit>& edits) {
  std::string out;
  json::AppendArray(edits, out, [&](const TextEdit& edit) {
    json::ObjectWriter object(out);
    object.Name("range") += RangeJson(edit.range);
    object.String("newText", edit.text);
  });
  return out;
}

std::string WorkspaceEditJson(std::string_view uri, const std::vector<TextEdit>& edits) {
  std::string out = "{\"changes\":{";
  json::AppendString(uri, out);
  return out + ":" + EditsJson(edits) + "}}";
}

}  // namespace prejoin::lsp
