// Names in tables, items and sample rows.
#ifndef PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_
#define PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_

#include <string>
#include <vector>

#include "model/schema/model.h"
#include "model/schema/resolve.h"

namespace prejoin::model {

// Looks names up and reports the ones that are not there, with the nearest that is.
struct NameReporter {
  std::vector<Diagnostic>& diagnostics;
  const UnreadText& unread;

  void Error(const SourceSpan& at, std::string message, std::string suggestion) const;
  const model::Entity* Entity(const Model& model, const Name& name) const;
  const model::Attribute* Attribute(const model::Entity& entity, const Name& name) const;
};

// Also adds the natural keys that follow from names: a table or index key that is called like an
// attribute of the entity holds that attribute.
void ResolvePhysical(Model& model, const UnreadText& unread, std::vector<Diagnostic>& diagnostics);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_RESOLVE_PHYSICAL_H_
