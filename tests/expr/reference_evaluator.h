// Conditions and projections the plain way, on decoded items: what the fast code must agree with.
#ifndef PREJOIN_TESTS_EXPR_REFERENCE_EVALUATOR_H_
#define PREJOIN_TESTS_EXPR_REFERENCE_EVALUATOR_H_

#include "expr/ast.h"
#include "prejoin/item.h"

namespace prejoin::expr {

bool ReferenceEvaluate(const Condition& condition, const Item& item);
Item ReferenceProject(const Projection& projection, const Item& item);

}  // namespace prejoin::expr

#endif  // PREJOIN_TESTS_EXPR_REFERENCE_EVALUATOR_H_
