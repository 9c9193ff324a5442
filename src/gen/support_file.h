// Files of generated packages that are the same for every model. The build embeds them (cmake/Gen.cmake).
#ifndef PREJOIN_GEN_SUPPORT_FILE_H_
#define PREJOIN_GEN_SUPPORT_FILE_H_

#include <string_view>

namespace prejoin::gen {

// "typescript/reading.ts"; empty if there is no such file. The text lives as long as the program.
std::string_view SupportFile(std::string_view path);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_SUPPORT_FILE_H_
