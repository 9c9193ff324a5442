// Values and rows that are not there yet.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_FRESH_ROW_H_
#define PREJOIN_MODEL_PROVE_TRIAL_FRESH_ROW_H_

#include <initializer_list>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

// Another value of the attribute's type, from its list of values if it has one.
AttributeValue DifferentValue(const Attribute& attribute, const AttributeValue* value);

// A row that is not among `rows` yet: like the last of them, under another key and with other unique values.
Row FreshRow(const Model& model, const Entity& entity, const Dataset& data,
             const std::vector<Row>& also_taken);

// Conditions with the parameters replaced by values for which they hold on `row`, as far as that is possible.
std::vector<Condition> BindConditions(const std::vector<Condition>& conditions, const Row& row);

// Gives the row another value of the attribute while a row of `taken` has it.
void MakeUnique(const Attribute& attribute, std::initializer_list<const std::vector<Row>*> taken,
                Row& row);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_FRESH_ROW_H_
