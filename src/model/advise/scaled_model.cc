#include "model/advise/scaled_model.h"

#include "model/plan/expectation.h"

namespace prejoin::model {

Model Scaled(const Model& model, double scale) {
  Model out = model;
  Expectations figures(model, {}, scale);
  for (Entity& entity : out.entities) {
    entity.count *= figures.Growth(entity);
  }
  for (Entity& rows : out.second_layouts) {
    rows.count *= figures.Growth(rows);
  }
  for (Pattern& pattern : out.patterns) {
    pattern.rate_per_second *= scale;
    pattern.peak_per_second *= scale;
  }
  for (Write& write : out.writes) {
    write.rate_per_second *= scale;
    write.peak_per_second *= scale;
  }
  for (Relationship& relationship : out.relationships) {
    relationship.changes_per_second *= scale;
  }
  return out;
}

}  // namespace prejoin::model
