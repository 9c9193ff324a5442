// CloudFormation's functions, as far as a template alone can answer them.
#ifndef PREJOIN_DRAFT_FORMATS_RESOLVE_FUNCTIONS_H_
#define PREJOIN_DRAFT_FORMATS_RESOLVE_FUNCTIONS_H_

#include <string>

#include "json/reader.h"

namespace prejoin::draft {

// A template as JSON text with `Ref`, `Fn::Sub`, `Fn::Join`, `Fn::Select` and `Fn::If` replaced by what they
// give with the defaults of the parameters. The first branch of an `Fn::If` is taken. A value that is only known
// when the stack exists is null, or missing in a text.
std::string ResolveFunctions(json::Value root);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_RESOLVE_FUNCTIONS_H_
