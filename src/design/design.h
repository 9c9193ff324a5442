// `prejoin design`: the physical half of a model, as cheap as the stated space allows, proved by execution.
#ifndef PREJOIN_DESIGN_DESIGN_H_
#define PREJOIN_DESIGN_DESIGN_H_

#include <string>
#include <string_view>

#include "design/design_report.h"
#include "model/bind/read_model.h"
#include "model/cost/prices.h"
#include "prejoin/result.h"

namespace prejoin::design {

// `source` must be what `read` was read from.
Result<DesignReport> MakeDesign(std::string_view source, const model::ReadModelResult& read,
                                const DesignOptions& options);

// A design for people: what the search had to assume or give up, the tables as model text, the report.
struct DesignText {
  std::string notes;
  std::string source;
  std::string report;
};

// `width`: of the terminal, in columns.
DesignText RenderDesign(const DesignReport& report, const model::Prices& prices,
                        std::size_t width = 80);
std::string DesignJson(const DesignReport& report);

}  // namespace prejoin::design

#endif  // PREJOIN_DESIGN_DESIGN_H_
