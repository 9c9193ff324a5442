// A table's items as the rows of a model's entities, one file for each entity, keys decoded.
#ifndef PREJOIN_CLI_TRANSFER_ROWS_OUT_H_
#define PREJOIN_CLI_TRANSFER_ROWS_OUT_H_

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::cli {

enum class RowFormat { kCsv, kJsonl, kSql };

struct RowCounts {
  std::map<std::string, std::int64_t> rows;  // By entity.
  std::int64_t unknown = 0;                  // Items that fit no entity.
};

// Single thread.
class RowsOut {
 public:
  // The model is borrowed; `table` is one of its tables. Makes the directory.
  static Result<std::unique_ptr<RowsOut>> Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format);

  // The item's row, and the rows that are kept inside it.
  Status Add(const Item& item);
  Result<RowCounts> Finish();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Output {
    std::unique_ptr<std::FILE, CloseFile> file;
    std::int64_t rows = 0;
  };

  RowsOut(const model::Model& model, const model::Table& table, std::string directory,
          RowFormat format);

  const model::Entity* EntityAtHome(const model::StoredAttribute& stored) const;
  const model::Entity* EntityOfCopies(const model::StoredAttribute& stored) const;
  // Rows of entities that live only as copies on the items of those that reference them, each once.
  Status AddCopied(const model::Entity& owner, const model::ItemLayout& layout,
                   const model::Row& row, const Item& item);
  Status Write(const model::Entity& entity, const model::Row& row);
  Result<Output*> OutputOf(const model::Entity& entity);

  const model::Model& model_;
  const model::Table& table_;
  const std::string directory_;
  const RowFormat format_;
  // Entity without items of its own → the list that its rows are taken from.
  const std::map<std::string, const model::StoredAttribute*> homes_;
  std::map<std::string, Output> outputs_;  // By entity.
  std::set<std::string> copied_;           // Keys of rows that were written from copies.
  std::int64_t unknown_ = 0;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_TRANSFER_ROWS_OUT_H_
