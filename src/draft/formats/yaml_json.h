// YAML as JSON, so that a template in either form has one reader.
#ifndef PREJOIN_DRAFT_FORMATS_YAML_JSON_H_
#define PREJOIN_DRAFT_FORMATS_YAML_JSON_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::draft {

// The first document as JSON text. CloudFormation's short functions get their long form: `!Ref X` is {"Ref": "X"},
// `!GetAtt A.B` is {"Fn::GetAtt": ["A", "B"]}, `!Sub x` is {"Fn::Sub": "x"}.
Result<std::string> YamlToJson(std::string_view yaml);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_YAML_JSON_H_
