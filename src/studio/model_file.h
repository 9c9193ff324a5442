// The model file of `prejoin serve --model FILE`: read and saved while editors outside may change
// it too.
#ifndef PREJOIN_STUDIO_MODEL_FILE_H_
#define PREJOIN_STUDIO_MODEL_FILE_H_

#include <memory>
#include <string>

#include "base/mutex.h"
#include "prejoin/result.h"

namespace prejoin::studio {

// Thread-safe.
class ModelFile {
 public:
  // An error if it cannot be read.
  static Result<std::unique_ptr<ModelFile>> Open(const std::string& path);

  struct Contents {
    std::string source;
    std::string version;  // Changes with the source.
    bool writable = false;
  };
  Result<Contents> Read() const;

  // Replaces the file as a whole or not at all, and gives the new version. Refused (409) if the
  // file is no longer what `version` names.
  Result<std::string> Save(const std::string& source, const std::string& version)
      PJ_EXCLUDES(mutex_);

  const std::string& name() const { return name_; }

 private:
  ModelFile(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}

  const std::string path_;  // With links resolved: a save replaces what they lead to.
  const std::string name_;  // Without directories.
  Mutex mutex_;             // Held from the comparison of versions until the new file exists.
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_MODEL_FILE_H_
