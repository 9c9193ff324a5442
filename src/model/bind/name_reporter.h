// Reports names that mean nothing.
#ifndef PREJOIN_MODEL_BIND_NAME_REPORTER_H_
#define PREJOIN_MODEL_BIND_NAME_REPORTER_H_

#include <functional>
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

// Looks names up and reports the ones that do not exist, with the nearest one that does.
struct NameReporter {
  std::vector<Diagnostic>& diagnostics;
  const UnreadText& unread;

  void Error(const SourceSpan& at, std::string message, Suggestion suggestion) const;
  const model::Entity* Entity(const ParsedModel& model, const Name& name) const;
  const model::Attribute* Attribute(const model::Entity& entity, const Name& name) const;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_NAME_REPORTER_H_
