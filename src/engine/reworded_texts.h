// The texts that AWS has changed in some regions and not yet in most. AWS re-words region by region; `serve --texts newest` uses the newer
// texts before us-east-1 does. When most regions have moved, a row's newer text becomes the only one and the row goes.
#ifndef PREJOIN_ENGINE_REWORDED_TEXTS_H_
#define PREJOIN_ENGINE_REWORDED_TEXTS_H_

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "prejoin/options.h"

namespace prejoin::engine {

enum class Rewording {
  kScanLimit,
  kScanSegment,
  kScanSegmentRange,
  kScanStartKey,
  kScanSpecificAttributes,
  kBatchWriteEmpty,
  kBatchWriteTooMany,
  kTransactWriteEmpty,
  kTransactGetEmpty,
};

struct RewordedText {
  Rewording what;
  std::string_view operation;
  // $0, $1 stand for parts of the request.
  std::string_view older;
  std::string_view newer;
  std::string_view first_seen;  // The day on which the newer text was captured first.
  std::string_view regions;     // That had moved when the row was written.
};

std::span<const RewordedText> RewordedTexts();

// The text of these `texts`, with the parts in their places.
std::string Reworded(Texts texts, Rewording what, std::initializer_list<std::string_view> parts = {});

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_REWORDED_TEXTS_H_
