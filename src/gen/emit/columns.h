// Aligns columns as gofmt does: the values of neighbouring lines `key: value,`.
#ifndef PREJOIN_GEN_EMIT_COLUMNS_H_
#define PREJOIN_GEN_EMIT_COLUMNS_H_

#include <string>
#include <string_view>

namespace prejoin::gen::emit {

std::string WithColumns(std::string_view text);

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_COLUMNS_H_
