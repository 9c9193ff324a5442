// Name resolution: every entity, attribute, relationship and parameter a model mentions must exist
// and fit.
#ifndef PREJOIN_MODEL_SCHEMA_RESOLVE_H_
#define PREJOIN_MODEL_SCHEMA_RESOLVE_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Lines that the readers could not understand, and have reported. A name in such a line may be declared
// there, so nothing is said about its absence elsewhere: one mistake gives one message.
struct UnreadText {
  std::set<std::string, std::less<>> words;
  std::set<int> lines;

  bool Mentions(std::string_view word) const { return words.contains(word); }
  bool Within(int first_line, int last_line) const;
};

// Fills in what follows from other declarations (types of references, `by` of relationships) and
// reports every name that means nothing.
void ResolveModel(Model& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics);

// How rows of `from` find the row of `to` they point at: attribute of `from` → key attribute of
// `to`.
struct JoinColumn {
  std::string from;
  std::string to;
};
// Empty when `from` does not reference the whole key of `to`.
std::vector<JoinColumn> JoinColumns(const Entity& from, const Entity& to);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_RESOLVE_H_
