// Python for aioboto3: the code of the target python, with database calls as coroutines.
#ifndef PREJOIN_GEN_PYTHON_ASYNC_H_
#define PREJOIN_GEN_PYTHON_ASYNC_H_

#include <vector>

#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GeneratePythonAsync(const Program& program);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_PYTHON_ASYNC_H_
