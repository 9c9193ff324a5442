#ifndef PREJOIN_ENGINE_STREAM_STREAM_LABEL_H_
#define PREJOIN_ENGINE_STREAM_STREAM_LABEL_H_

#include <cstdint>
#include <string>

namespace prejoin::engine {

// When the stream was enabled, as DynamoDB labels it: 2015-05-11T21:21:33.291
std::string StreamLabel(std::int64_t enabled_ms);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_LABEL_H_
