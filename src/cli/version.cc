#include "cli/version.h"

namespace prejoin::cli {

const char* Version() { return "prejoin " PREJOIN_VERSION; }

}  // namespace prejoin::cli
