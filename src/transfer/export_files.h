// The files of an export, in AWS's layout:
//   PREFIX/AWSDynamoDB/EXPORT-ID/_started
//   PREFIX/AWSDynamoDB/EXPORT-ID/data/….json.gz        (incremental: PREFIX/AWSDynamoDB/data/…)
//   PREFIX/AWSDynamoDB/EXPORT-ID/manifest-files.json   and .md5: one line for each data file
//   PREFIX/AWSDynamoDB/EXPORT-ID/manifest-summary.json and .md5: written last
#ifndef PREJOIN_TRANSFER_EXPORT_FILES_H_
#define PREJOIN_TRANSFER_EXPORT_FILES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "prejoin/result.h"
#include "transfer/bucket.h"
#include "transfer/export_description.h"
#include "transfer/gzip_file.h"
#include "value/encoding.h"

namespace prejoin::transfer {

// One change, for an incremental export.
struct ChangeLine {
  std::int64_t written_us = 0;  // Microseconds since 1970.
  ItemView keys;
  std::optional<ItemView> old_image;
  std::optional<ItemView> new_image;
};

// Single thread.
class ExportFiles {
 public:
  // Shows that the bucket can be written. `description` has everything but its results.
  static Result<ExportFiles> Begin(const BucketDirectory& buckets,
                                   const ExportDescription& description);

  Status AddItem(ItemView item);
  Status AddChange(const ChangeLine& change);

  // Writes the manifests. The description gets manifest_key and item_count; its ended_ms is set.
  Status Finish(ExportDescription& description);

  std::int64_t item_count() const { return item_count_; }

 private:
  ExportFiles(const BucketDirectory& buckets, const ExportDescription& description);
  // Opens a data file if none is open; closes it when it is full.
  Status AddLine();
  Status OpenFile();
  Status CloseFile();
  Status WriteWithChecksum(const std::string& name, const std::string& bytes);
  std::string Summary(const ExportDescription& description) const;

  const BucketDirectory& buckets_;
  const std::string bucket_;
  const std::string folder_;       // The folder of the manifests, with a slash after it.
  const std::string data_folder_;  // The same for the data.

  std::unique_ptr<GzipFile> file_;
  std::string file_key_;
  std::int64_t file_items_ = 0;
  std::int64_t item_count_ = 0;
  std::string line_;
  std::string manifest_;  // The lines of manifest-files.json so far.
};

// "01693685827463-2d8752fd"
std::string NewTransferId(std::int64_t now_ms);

// 2020-11-04T07:28:34.028Z
std::string PrintTime(std::int64_t time_ms);

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_EXPORT_FILES_H_
