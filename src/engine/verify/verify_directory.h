// The same for a data directory, whose files it looks at first.
#ifndef PREJOIN_ENGINE_VERIFY_VERIFY_DIRECTORY_H_
#define PREJOIN_ENGINE_VERIFY_VERIFY_DIRECTORY_H_

#include <string>

#include "base/function_ref.h"
#include "engine/verify/verify.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

// The checksums of all files, the sequence of the logs, and VerifyStore, in all cells; nothing is changed. `progress` hears where it is, `also`
// gets the store. An error if the directory is not a database of ours or is in use: what is damaged is in the report.
Status VerifyDirectory(const std::string& path, FunctionRef<void(const std::string&)> progress,
                       FunctionRef<void(storage::Store&)> also, VerifyReport& report);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_VERIFY_VERIFY_DIRECTORY_H_
