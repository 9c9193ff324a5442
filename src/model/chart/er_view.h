// The ER view: entities as boxes, relationships as lines.
#ifndef PREJOIN_MODEL_CHART_ER_VIEW_H_
#define PREJOIN_MODEL_CHART_ER_VIEW_H_

#include <map>
#include <string>

#include "model/chart/svg_writer.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Draws from `y` down and returns where the next view may start. `colours` has every entity.
int DrawErView(const Model& model, const std::map<std::string, std::string>& colours, int y,
               SvgWriter& svg);

// "1 : N, Student ~6 (at most 8) · adjacency_list (P6)": cardinalities and the strategy.
std::string RelationshipLabel(const Model& model, const Relationship& relationship);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHART_ER_VIEW_H_
