// Fixes of findings by a click, and findings silenced with a reason to fill in.
#include <optional>

#include "json/writer.h"
#include "lsp/features.h"
#include "model/schema/readers.h"
#include "model/syntax/statement.h"

namespace prejoin::lsp {
namespace {

Position PositionOf(const Document& document, model::SourcePlace place) {
  return document.RangeOf({place.line, place.column, 0}).start;
}

// `allow RULE because "…"` as the first line of the declaration that the finding is in.
std::optional<TextEdit> Silence(Document& document, const model::Diagnostic& finding) {
  const model::ReadModelResult& read = document.read();
  if (!read.ok) {
    return std::nullopt;
  }
  const std::string line = "allow " + finding.rule + " because \"\"\n";
  for (const model::Statement& statement : read.tree.statements) {
    if (!statement.has_block || statement.at().line > finding.at.line ||
        model::LastLine(statement) < finding.at.line || statement.head() == "sample") {
      continue;
    }
    const Position below{statement.at().line, 0};
    return TextEdit{{below, below}, "  " + line};
  }
  return std::nullopt;
}

bool Touches(const Range& a, const Range& b) {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

void AppendAction(const std::string& title, std::string_view uri, const std::string& diagnostics,
                  const std::vector<TextEdit>& edits, bool preferred, std::string& out) {
  if (out.size() > 1) {
    out += ",";
  }
  json::ObjectWriter object(out);
  object.String("title", title);
  object.String("kind", "quickfix");
  object.Name("diagnostics") += diagnostics;
  object.Bool("isPreferred", preferred);
  object.Name("edit") += WorkspaceEditJson(uri, edits);
}

}  // namespace

std::vector<TextEdit> EditsOfFix(const Document& document, const model::Fix& fix) {
  std::vector<TextEdit> edits;
  for (const model::Edit& edit : fix.edits) {
    edits.push_back(
        {{PositionOf(document, edit.begin), PositionOf(document, edit.end)}, edit.text});
  }
  return edits;
}

std::string CodeActionsJson(Document& document, std::string_view uri, const Range& range,
                            const std::vector<model::Diagnostic>& findings) {
  std::string out = "[";
  for (const model::Diagnostic& finding : findings) {
    if (!Touches(document.RangeOf(finding.at), range)) {
      continue;
    }
    const std::string about = DiagnosticsJson(document, {finding});
    for (const model::Fix& fix : finding.suggestion.fixes) {
      if (!fix.edits.empty()) {
        const bool preferred = fix.applicability != model::Applicability::kDisplayOnly;
        AppendAction("Fix " + finding.rule + ": " + fix.title, uri, about,
                     EditsOfFix(document, fix), preferred, out);
      }
    }
    if (const auto edit = Silence(document, finding)) {
      AppendAction("Allow " + finding.rule + " here, with a reason", uri, about, {*edit}, false,
                   out);
    }
  }
  return out + "]";
}

}  // namespace prejoin::lsp
