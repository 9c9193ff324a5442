// The code of a design, as `prejoin gen` writes it.
#ifndef PREJOIN_STUDIO_WRITE_CODE_H_
#define PREJOIN_STUDIO_WRITE_CODE_H_

#include <string>

#include "prejoin/result.h"
#include "studio/api_request.h"

namespace prejoin::studio {

// All targets, as [{"name", "about"}].
std::string TargetsJson();
// {"source", "to"} → {"files": [{"path", "text"}], "notGenerated"}.
Result<std::string> GenerateCode(const ApiRequest& request, const std::string& version);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_WRITE_CODE_H_
