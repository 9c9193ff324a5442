// A table's items as the rows of a model's entities, one file for each entity, keys decoded.
#ifndef PREJOIN_CLI_ROWS_OUT_H_
#define PREJOIN_CLI_ROWS_OUT_H_

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::cli {

enum class RowFormat { kCsv, kJsonl, kSql };

// Single thread.
class RowsOut {
 public:
  // The model is borrowed; `table` is one of its tables. Makes the directory.
  static Result<std::unique_ptr<RowsOut>> Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format);

  // The item's row, and the rows that are kept inside it.
  Status Add(const Item& item);
  // How many rows of each entity, for people. Items that fit no entity are counted as `unknown`.
  Result<std::string> Finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Output {
    std::unique_ptr<std::FILE, CloseFile> file;
    std::int64_t rows = 0;
  };

  RowsOut(const model::Model& model, const model::Table& table, std::string directory,
          RowFormat format)
      : model_(model), table_(table), directory_(std::move(directory)), format_(format) {}

  Status Write(const model::Entity& entity, const model::Row& row);
  Result<Output*> OutputOf(const model::Entity& entity);

  const model::Model& model_;
  const model::Table& table_;
  const std::string directory_;
  const RowFormat format_;
  std::map<std::string, Output> outputs_;  // By entity.
  std::int64_t unknown_ = 0;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_ROWS_OUT_H_
