// A directory that stands for S3: each folder in it is a bucket, each file below that an object.
#ifndef PREJOIN_TRANSFER_BUCKET_H_
#define PREJOIN_TRANSFER_BUCKET_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::transfer {

struct ObjectFile {
  std::string key;   // Inside the bucket.
  std::string path;  // On disk.
  std::uint64_t bytes = 0;
};

// Thread-compatible. Never leaves its directory: names with ".." or empty parts are refused, and no
// link below the root is followed, wherever it leads. The root itself may be one.
class BucketDirectory {
 public:
  // An empty root: there are no buckets.
  explicit BucketDirectory(std::string root) : root_(std::move(root)) {}

  bool has_root() const { return !root_.empty(); }
  // Says how to get one. The last check of a request: all else is as on AWS.
  Status CheckRoot() const;
  const std::string& root() const { return root_; }
  bool Exists(std::string_view bucket) const;

  // Objects whose keys begin with the prefix, in order of key. As in S3 the prefix is any text, not
  // a folder: "data" finds "data/1.json" and "data2/x.json".
  Result<std::vector<ObjectFile>> List(std::string_view bucket, std::string_view prefix) const;

  // The path of an object that exists or is to be written; folders on the way are made.
  Result<std::string> PathToWrite(std::string_view bucket, std::string_view key) const;

 private:
  std::string root_;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_BUCKET_H_
