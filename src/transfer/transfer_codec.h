// Imports and exports as bytes: each is stored as one of our own items (docs/formats/catalog.md).
#ifndef PREJOIN_TRANSFER_TRANSFER_CODEC_H_
#define PREJOIN_TRANSFER_TRANSFER_CODEC_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"
#include "transfer/export_description.h"
#include "transfer/import_description.h"

namespace prejoin::transfer {

std::string Encode(const ImportDescription& description);
std::string Encode(const ExportDescription& description);
// kCorruption if the bytes are not one.
Status Decode(std::string_view bytes, ImportDescription& description);
Status Decode(std::string_view bytes, ExportDescription& description);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_TRANSFER_CODEC_H_
