// The declarations of a file, for an editor's outline and for the search over a workspace.
#include <map>
#include <string>
#include <vector>

#include "json/writer.h"
#include "lsp/features.h"

namespace prejoin::lsp {
namespace {

// SymbolKind of the protocol.
int KindNumber(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kEntity:
      return 5;  // Class
    case SymbolKind::kAttribute:
      return 7;  // Property
    case SymbolKind::kRelationship:
      return 11;  // Interface
    case SymbolKind::kPattern:
    case SymbolKind::kWrite:
      return 12;  // Function
    case SymbolKind::kTable:
      return 19;  // Object
    case SymbolKind::kIndex:
    case SymbolKind::kKey:
      return 20;  // Key
  }
  return 0;
}

// The end of each statement, by the line that it begins in.
void FindEnds(const std::vector<model::Statement>& statements,
              std::map<int, model::SourceSpan>& ends) {
  for (const model::Statement& one : statements) {
    if (one.has_block && one.close.line > 0) {
      ends[one.start.line] = one.close;
    } else if (!one.tokens.empty()) {
      ends[one.start.line] = one.tokens.back().at;
    }
    FindEnds(one.body, ends);
  }
}

bool IsInside(SymbolKind kind) {
  return kind == SymbolKind::kAttribute || kind == SymbolKind::kKey || kind == SymbolKind::kIndex;
}

class Outline {
 public:
  explicit Outline(Document& document) : document_(document) {
    FindEnds(document.read().tree.statements, ends_);
    for (Occurrence& one : FindOccurrences(document.read().declared(), document.text())) {
      if (one.declaration) {
        all_.push_back(std::move(one));
      }
    }
  }

  std::string Json() {
    std::string out = "[";
    for (const Occurrence& one : all_) {
      if (!IsInside(one.symbol.kind)) {
        out += (out.size() > 1 ? "," : "") + SymbolJson(one);
      }
    }
    return out + "]";
  }

 private:
  // The editor rejects a range that does not hold the name.
  Range WholeOf(const Occurrence& one) const {
    const Range name = document_.RangeOf(one.at);
    const auto end = ends_.find(one.at.line);
    if (end == ends_.end()) {
      return name;
    }
    const Range last = document_.RangeOf(end->second);
    const bool later = last.end.line > name.end.line || (last.end.line == name.end.line &&
                                                         last.end.character > name.end.character);
    return {{name.start.line, 0}, later ? last.end : name.end};
  }

  std::string SymbolJson(const Occurrence& one) const {
    std::string out;
    {
      json::ObjectWriter object(out);
      object.String("name", one.symbol.name);
      object.Integer("kind", KindNumber(one.symbol.kind));
      object.Name("range") += RangeJson(WholeOf(one));
      object.Name("selectionRange") += RangeJson(document_.RangeOf(one.at));
      std::string inside;
      const bool holds =
          one.symbol.kind == SymbolKind::kEntity || one.symbol.kind == SymbolKind::kTable;
      for (const Occurrence& other : all_) {
        const bool attribute = other.symbol.kind == SymbolKind::kAttribute;
        if (holds && IsInside(other.symbol.kind) && other.symbol.owner == one.symbol.name &&
            attribute == (one.symbol.kind == SymbolKind::kEntity)) {
          inside += (inside.empty() ? "" : ",") + SymbolJson(other);
        }
      }
      if (!inside.empty()) {
        object.Name("children") += "[" + inside + "]";
      }
    }
    return out;
  }

  Document& document_;
  std::map<int, model::SourceSpan> ends_;
  std::vector<Occurrence> all_;
};

// True if the letters of `query` are in `name` in their order, in any case.
bool Matches(std::string_view query, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  for (const char c : name) {
    if (!query.empty() && lower(c) == lower(query[0])) {
      query.remove_prefix(1);
    }
  }
  return query.empty();
}

}  // namespace

std::string OutlineJson(Document& document) { return Outline(document).Json(); }

void AppendWorkspaceSymbols(std::string_view uri, Document& document, std::string_view query,
                            std::string& out) {
  for (const Occurrence& one : FindOccurrences(document.read().declared(), document.text())) {
    if (!one.declaration || one.symbol.kind == SymbolKind::kAttribute ||
        one.symbol.kind == SymbolKind::kKey || !Matches(query, one.symbol.name)) {
      continue;
    }
    out += out.empty() ? "" : ",";
    json::ObjectWriter object(out);
    object.String("name", one.symbol.name);
    object.Integer("kind", KindNumber(one.symbol.kind));
    if (!one.symbol.owner.empty()) {
      object.String("containerName", one.symbol.owner);
    }
    json::ObjectWriter location(object.Name("location"));
    location.String("uri", uri);
    location.Name("range") += RangeJson(document.RangeOf(one.at));
  }
}

}  // namespace prejoin::lsp
