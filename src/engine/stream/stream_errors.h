// Errors of the Streams API that several operations give.
#ifndef PREJOIN_ENGINE_STREAM_STREAM_ERRORS_H_
#define PREJOIN_ENGINE_STREAM_STREAM_ERRORS_H_

#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/errors.h"
#include "engine/stream/stream_catalog.h"
#include "engine/table/resource_arn.h"
#include "prejoin/result.h"

namespace prejoin::engine {

inline Error TrimmedData() {
  return Error{ErrorCode::kTrimmedDataAccess,
               "The operation attempted to read past the oldest stream record in a shard"};
}

inline bool IsStreamArn(std::string_view arn) {
  const auto parsed = ParseResourceArn(arn);
  return parsed && parsed->kind == ResourceKind::kStream;
}

inline Result<StreamPtr> FindStream(Engine& engine, const std::string& arn) {
  if (!IsStreamArn(arn)) {
    return ValidationError("Invalid StreamArn");
  }
  if (StreamPtr stream = engine.streams().Find(arn)) {
    return stream;
  }
  return ResourceNotFound("Requested resource not found: Stream: " + arn + " not found");
}

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_STREAM_STREAM_ERRORS_H_
