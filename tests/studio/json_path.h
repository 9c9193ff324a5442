// Looking into a JSON text by a path.
#ifndef PREJOIN_TESTS_STUDIO_JSON_PATH_H_
#define PREJOIN_TESTS_STUDIO_JSON_PATH_H_

#include <string>
#include <string_view>

namespace prejoin::studio {

// "findings.0.rule" → the value as text: strings bare, numbers and booleans as written, null as
// "null", arrays and objects as their size, "#3". "absent" if there is nothing at that place.
std::string At(const std::string& json, std::string_view path);

}  // namespace prejoin::studio

#endif  // PREJOIN_TESTS_STUDIO_JSON_PATH_H_
