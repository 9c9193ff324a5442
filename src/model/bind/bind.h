// From names to declarations: makes a Model of what the readers wrote down, and is the only one that reports names that mean nothing.
#ifndef PREJOIN_MODEL_BIND_BIND_H_
#define PREJOIN_MODEL_BIND_BIND_H_

#include <optional>
#include <vector>

#include "model/bind/name_reporter.h"
#include "model/schema/model.h"

namespace prejoin::model {

// The way from a ParsedModel to a Model. Single thread.
class Binder {
 public:
  // Fills in what follows from other declarations, gives each reference its declaration, and reports the names that have none. Without a
  // Model when the diagnostics hold an error; `parsed` is then as complete as it can be, and empty otherwise.
  static std::optional<Model> Bind(ParsedModel& parsed, const UnreadText& unread,
                                   std::vector<Diagnostic>& diagnostics);
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_BIND_BIND_H_
