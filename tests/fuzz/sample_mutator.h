// A libFuzzer mutator that knows whole inputs: the fuzzer need not find out by chance how a request
// or a record begins, and no corpus file can fall behind the code that makes them.
#ifndef PREJOIN_TESTS_FUZZ_SAMPLE_MUTATOR_H_
#define PREJOIN_TESTS_FUZZ_SAMPLE_MUTATOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t size_max);

namespace prejoin::fuzz {

// One time in 32, and instead of an input that is nothing yet, a sample; then libFuzzer's own
// changes. For LLVMFuzzerCustomMutator, whose parameters and result these are.
inline std::size_t MutateWithSamples(const std::vector<std::string>& samples, std::uint8_t* data,
                                     std::size_t size, std::size_t size_max, unsigned seed) {
  if (size <= 1 || seed % 32 == 0) {
    const std::string& sample = samples[seed / 32 % samples.size()];
    size = std::min(sample.size(), size_max);
    std::memcpy(data, sample.data(), size);
    if (seed % 64 == 0) {
      return size;
    }
  }
  return LLVMFuzzerMutate(data, size, size_max);
}

}  // namespace prejoin::fuzz

#endif  // PREJOIN_TESTS_FUZZ_SAMPLE_MUTATOR_H_
