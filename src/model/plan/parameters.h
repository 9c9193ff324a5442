// The parameters of a pattern, with the attributes they are compared with.
#ifndef PREJOIN_MODEL_PLAN_PARAMETERS_H_
#define PREJOIN_MODEL_PLAN_PARAMETERS_H_

#include <string>
#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

struct Parameter {
  std::string name;
  AttributeType type = {};
  std::string attribute;  // "Student.id": what the parameter is first compared with.
};

// In the order in which the pattern names them. The type is that of the attribute it is compared
// with; for `contains`, that of a member.
std::vector<Parameter> ParametersOf(const Model& model, const Pattern& pattern);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_PARAMETERS_H_
