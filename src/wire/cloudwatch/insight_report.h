// CloudWatch's GetInsightRuleReport for the rules of Contributor Insights.
#ifndef PREJOIN_WIRE_CLOUDWATCH_INSIGHT_REPORT_H_
#define PREJOIN_WIRE_CLOUDWATCH_INSIGHT_REPORT_H_

#include "engine/engine.h"
#include "prejoin/result.h"
#include "wire/cloudwatch/node.h"

namespace prejoin::wire {

Result<Node> GetInsightRuleReport(engine::Engine& engine, const Node& request);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_CLOUDWATCH_INSIGHT_REPORT_H_
