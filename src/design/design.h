// `prejoin design`: the physical half of a model, as cheap as the stated space allows, proved by execution.
#ifndef PREJOIN_DESIGN_DESIGN_H_
#define PREJOIN_DESIGN_DESIGN_H_

#include <string>
#include <string_view>

#include "design/design_report.h"
#include "model/cost/prices.h"
#include "model/schema/read_model.h"
#include "prejoin/result.h"

namespace prejoin::design {

// `source` must be what `read` was read from.
Result<DesignReport> MakeDesign(std::string_view source, const model::ReadModelResult& read,
                                const DesignOptions& options);

std::string RenderDesign(const DesignReport& report, const model::Prices& prices);
std::string DesignJson(const DesignReport& report);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DESIGN_H_
