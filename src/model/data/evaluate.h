// The relational answer to an access pattern: evaluated naively on the logical rows, with no idea
// of keys or indexes. The result of a plan is compared with this.
#ifndef PREJOIN_MODEL_DATA_EVALUATE_H_
#define PREJOIN_MODEL_DATA_EVALUATE_H_

#include <map>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"

namespace prejoin::model {

using Arguments = std::map<std::string, AttributeValue>;

// The rows of a section. `rows` is before the limit; `visible` is how many of them the pattern
// returns.
struct SectionAnswer {
  std::vector<Row> rows;
  std::size_t visible = 0;
  std::size_t found = 0;  // Rows that the conditions let through: what a count or sum is about.
};

// The one row of a count or sum, {count: 3} or {sum: 120}, from the rows it is about.
Row MeasureRows(const Section& section, const std::vector<Row>& rows);

// The subject of `example … gives`: how many rows there are, or the count itself.
std::size_t GivenRows(const Section& section, const SectionAnswer& answer);

// One answer for each section of the pattern. Rows hold the attributes that are asked for; those of
// other entities are called "Entity.attribute".
std::vector<SectionAnswer> EvaluatePattern(const Model& model, const Pattern& pattern,
                                           const Arguments& arguments, DataIndex& data);

bool ConditionHolds(const Condition& condition, const Row& row, const Arguments& arguments);

// Null when the parameter was not given.
const AttributeValue* OperandValue(const Operand& operand, const Arguments& arguments);

// Negative, zero, positive, by the section's order keys.
int CompareByOrder(const Section& section, const Row& a, const Row& b);

// The name of a path in an answer: "grade", or "Student.name" for another entity's attribute.
std::string AnswerName(const Section& section, const Path& path);

// The attributes a section gives: what it asks for, or all of its entity.
std::vector<Path> SectionPaths(const Model& model, const Section& section);

// Values to try a pattern with: its examples, then up to `count` taken from the data, then one that
// finds nothing.
std::vector<Arguments> ArgumentsToTry(const Model& model, const Pattern& pattern,
                                      const Dataset& data, std::size_t count);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_DATA_EVALUATE_H_
