// The meaning of each name in a model file: where it is declared and where it is used.
#ifndef PREJOIN_LSP_SYMBOLS_H_
#define PREJOIN_LSP_SYMBOLS_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"
#include "model/syntax/diagnostic.h"

namespace prejoin::lsp {

enum class SymbolKind {
  kEntity,
  kAttribute,  // An attribute of an entity.
  kRelationship,
  kPattern,
  kWrite,
  kTable,
  kIndex,
  kKey,  // A key attribute of a table.
};

struct Symbol {
  SymbolKind kind = SymbolKind::kEntity;
  std::string owner;  // Entity of an attribute; table of an index or key.
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct Occurrence {
  Symbol symbol;
  model::SourceSpan at;
  bool declaration = false;
};

// Sorted by place, each place once. `source` is the text that the model was read from.
std::vector<Occurrence> FindOccurrences(const model::ParsedModel& model, std::string_view source);

// The one at a line and column (both from 1, in bytes); null if there is none.
const Occurrence* OccurrenceAt(const std::vector<Occurrence>& all, int line, int column);
const Occurrence* DeclarationOf(const std::vector<Occurrence>& all, const Symbol& symbol);

}  // namespace prejoin::lsp

#endif  // PREJOIN_LSP_SYMBOLS_H_
