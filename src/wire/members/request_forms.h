// How DynamoDB words what is wrong with a request, by operation. Since June 2026 AWS re-words its
// texts, one operation after the other and region by region; what most regions answer stands here,
// so that the next re-wording is an edit of this table. The order of complaints is that of an
// operation's member table (wire/ops) and of `Order` (input_reader.h); engine::InEnvelope has the
// same for what only the engine can find.
#ifndef PREJOIN_WIRE_MEMBERS_REQUEST_FORMS_H_
#define PREJOIN_WIRE_MEMBERS_REQUEST_FORMS_H_

#include "base/limits.h"
#include "json/attribute_value.h"
#include "json/reader.h"

namespace prejoin::wire {

struct RequestForm {
  // The texts of values, and whether those of expressions stand alone or inside
  // "ExpressionAttributeValues contains invalid value: … for key :v".
  json::ValueTexts values = json::ValueTexts::kOld;
  // "1 validation error detected: " before what is wrong with values.
  bool envelope = false;
  // The most levels that a value of an expression may have.
  int expression_levels_max = kNestingDepthMax;
};

inline constexpr RequestForm kOldForm = {};
inline constexpr RequestForm kReadForm = {.values = json::ValueTexts::kNew};
inline constexpr RequestForm kWriteForm = {.values = json::ValueTexts::kNew, .envelope = true};

//                                             regions of 33 when measured
inline constexpr RequestForm kPutItemForm = kWriteForm;     // 31
inline constexpr RequestForm kUpdateItemForm = kWriteForm;  // 31
inline constexpr RequestForm kDeleteItemForm = kWriteForm;  // 31
inline constexpr RequestForm kGetItemForm = kReadForm;
inline constexpr RequestForm kBatchGetItemForm = kReadForm;  // 32
inline constexpr RequestForm kQueryForm = kReadForm;
inline constexpr RequestForm kScanForm = kOldForm;                // 28
inline constexpr RequestForm kBatchWriteItemForm = kOldForm;      // 30
inline constexpr RequestForm kTransactGetItemsForm = kOldForm;    // 30
// One level more than an item may have: a condition is evaluated with such a value, and an update that stores it is cancelled.
inline constexpr RequestForm kTransactWriteItemsForm = {.expression_levels_max =
                                                            kNestingDepthMax + 1};  // 30

// AWS hands a request whose values nest deeper than some 62 levels to its old reader, with the old
// form and order of complaints.
bool IsForOldReader(json::Value root);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_REQUEST_FORMS_H_
