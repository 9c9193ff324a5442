// Expressions and their older equivalents in one request: which may stand together, and parsing
// what is there.
#ifndef PREJOIN_ENGINE_ITEM_REQUEST_EXPRESSIONS_H_
#define PREJOIN_ENGINE_ITEM_REQUEST_EXPRESSIONS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/ast.h"
#include "expr/parse.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// A parameter by its DynamoDB name, and whether the request has it.
struct Parameter {
  std::string_view name;
  bool given = false;
  bool takes_values =
      true;  // For expressions: false for a projection, which has no use for :values.
};

// "Can not use both expression and non-expression parameters in the same request: …"
Status CheckNotMixed(std::initializer_list<Parameter> expressions,
                     std::initializer_list<Parameter> legacy);

// ConditionalOperator joins conditions of a legacy parameter, and is refused without one.
Status CheckOperatorHasUse(bool has_operator, bool has_conditions);

// kPlain: the operations that AWS has re-worded no longer say which expressions are missing.
enum class UnusedValuesText { kNamesExpressions, kPlain };

// Placeholder maps without an expression that could use them, and their own syntax.
Status CheckPlaceholders(const expr::Placeholders& placeholders,
                         std::initializer_list<Parameter> expressions,
                         UnusedValuesText text = UnusedValuesText::kNamesExpressions);

template <class T>
const T* PointerTo(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

// From ConditionExpression or Expected, whichever `input` has (PutItemInput, UpdateItemInput,
// DeleteItemInput).
Result<std::optional<expr::Condition>> ParseWriteCondition(
    const std::optional<std::string>& condition_expression,
    const std::optional<ExpectedAttributes>& expected,
    std::optional<ConditionalOperator> conditional_operator, expr::Placeholders& placeholders);

// From ProjectionExpression or AttributesToGet.
Result<std::optional<expr::Projection>> ParseReadProjection(
    const std::optional<std::string>& projection_expression,
    const std::optional<std::vector<std::string>>& attributes_to_get,
    expr::Placeholders& placeholders);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_REQUEST_EXPRESSIONS_H_
