#include "model/bind/name_reporter.h"

#include <utility>

#include "model/syntax/spelling.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

bool UnreadText::Within(int first_line, int last_line) const {
  const auto found = lines.lower_bound(first_line);
  return found != lines.end() && *found <= last_line;
}

void NameReporter::Error(const SourceSpan& at, std::string message, Suggestion suggestion) const {
  if (diagnostics.size() >= kDiagnosticsMax) {
    return;
  }
  diagnostics.push_back({"PJ003", Severity::kError, at, std::move(message), std::move(suggestion)});
}

const Entity* NameReporter::Entity(const ParsedModel& model, const Name& name) const {
  if (const auto* entity = model.FindEntity(name.text);
      entity != nullptr && !entity->rows_of.given()) {
    return entity;
  }
  // Looking for a name like it is work that nobody would see.
  if (unread.Mentions(name.text) || diagnostics.size() >= kDiagnosticsMax) {
    return nullptr;
  }
  std::vector<std::string> names;
  for (const auto& entity : model.entities) {
    names.push_back(entity.name.text);
  }
  Error(name.at, "there is no entity `" + name.text + "`", RespellingOf(name.at, name.text, names));
  return nullptr;
}

const Attribute* NameReporter::Attribute(const model::Entity& entity, const Name& name) const {
  if (const auto* attribute = entity.Find(name.text)) {
    return attribute;
  }
  if (unread.Mentions(name.text) || diagnostics.size() >= kDiagnosticsMax) {
    return nullptr;
  }
  std::vector<std::string> names;
  for (const auto& attribute : entity.attributes) {
    // `{Order.id}`: here the entity is known.
    if (name.text == entity.name.text + "." + attribute.name.text) {
      names = {attribute.name.text};
      break;
    }
    names.push_back(attribute.name.text);
  }
  Error(name.at, "`" + entity.name.text + "` has no attribute `" + name.text + "`",
        RespellingOf(name.at, name.text, names));
  return nullptr;
}

}  // namespace prejoin::model
