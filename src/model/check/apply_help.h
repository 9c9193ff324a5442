// Does to a model file what the help of a finding says, word by word.
#ifndef PREJOIN_MODEL_CHECK_APPLY_HELP_H_
#define PREJOIN_MODEL_CHECK_APPLY_HELP_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/syntax/diagnostic.h"

namespace prejoin::model {

// The text of the file afterwards; nullopt if the help is advice, or if its places are not there.
std::optional<std::string> ApplyHelp(std::string_view source, const Diagnostic& finding);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_APPLY_HELP_H_
