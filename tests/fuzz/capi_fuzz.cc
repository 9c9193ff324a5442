// Any bytes as calls of the C interface (tests/capi/random_calls.h).
#include <cstddef>
#include <cstdint>

#include "tests/capi/random_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  prejoin::capi::RandomCalls({data, size}).Run();
  return 0;
}
