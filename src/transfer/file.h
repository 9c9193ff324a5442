// A C file that closes itself.
#ifndef PREJOIN_TRANSFER_FILE_H_
#define PREJOIN_TRANSFER_FILE_H_

#include <cstdio>
#include <memory>

namespace prejoin::transfer {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_FILE_H_
