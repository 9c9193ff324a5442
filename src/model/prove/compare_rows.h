// Compares the rows a plan gave with the relational answer.
#ifndef PREJOIN_MODEL_PROVE_COMPARE_ROWS_H_
#define PREJOIN_MODEL_PROVE_COMPARE_ROWS_H_

#include <string>
#include <vector>

#include "model/data/evaluate.h"

namespace prejoin::model {

// The differences, in words; empty if the rows are right. Rows that the order leaves equal may stand
// in any order, and a limit may cut between them anywhere.
std::vector<std::string> CompareRows(const Section& section, const SectionAnswer& expected,
                                     const std::vector<Row>& given);

// {id: "a91", year: 2}
std::string RowText(const Row& row);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_COMPARE_ROWS_H_
