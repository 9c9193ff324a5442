// The example models that are part of the program.
#ifndef PREJOIN_STUDIO_EXAMPLES_H_
#define PREJOIN_STUDIO_EXAMPLES_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::studio {

// [{"name","title","comment"}…]; made once.
const std::string& ExamplesJson();
// {"name","source"}; refused (404) if there is no such example.
Result<std::string> ExampleJson(std::string_view name);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_EXAMPLES_H_
