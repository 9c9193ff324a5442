// Conditions, projections and updates applied to items. Parsing has already rejected what a caller
// can get wrong in the text.
#ifndef PREJOIN_EXPR_EVALUATE_H_
#define PREJOIN_EXPR_EVALUATE_H_

#include <string>

#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/result.h"
#include "value/encoding.h"

namespace prejoin::expr {

// Cannot fail: a missing attribute, or values whose types do not compare, make a comparison false
// (and `<>` true). An absent item is ItemView() (no attributes).
bool Evaluate(const Condition& condition, ItemView item);

// The body of the projected item; nested paths keep their surroundings, list elements are packed in
// order, as DynamoDB does.
std::string Project(const Projection& projection, ItemView item);

struct UpdateResult {
  Item item;  // The whole new item.
  // Bodies for UPDATED_OLD and UPDATED_NEW: only what the update's paths touched, as DynamoDB
  // returns it.
  Item updated_old;
  Item updated_new;
};

// `old_item` is the item, or only the key when there is none yet. Errors are DynamoDB's: operand
// types, invalid document paths, missing attributes in arithmetic, number overflow.
Result<UpdateResult> ApplyUpdate(const Update& update, const Item& old_item);

}  // namespace prejoin::expr

#endif  // PREJOIN_EXPR_EVALUATE_H_
