// A table's items as the rows of a model's entities, one file for each entity, keys decoded.
#ifndef PREJOIN_CLI_TRANSFER_ROWS_OUT_H_
#define PREJOIN_CLI_TRANSFER_ROWS_OUT_H_

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/dataset.h"
#include "model/schema/model.h"
#include "cli/transfer/row_text.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::cli {

enum class RowFormat { kCsv, kJsonl, kSql };

struct RowCounts {
  std::map<std::string, std::int64_t> rows;  // By entity.
  std::int64_t unknown = 0;                  // Items that fit no entity.
  std::int64_t locks = 0;                    // Lock items and second layouts, which are no rows of their own.
  std::int64_t rejected = 0;  // Rows and items in rejects.jsonl, because the model has no place for them.
};

// Single thread.
class RowsOut {
 public:
  // The model is borrowed; `table` is one of its tables. Makes the directory.
  static Result<std::unique_ptr<RowsOut>> Open(const model::Model& model, const std::string& table,
                                               const std::string& directory, RowFormat format,
                                               SqlDialect dialect = SqlDialect::kSqlite);

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
    absl::flat_hash_set<std::uint64_t> seen;  // Hashes of the keys of its rows.
    // Rows that reference others, until all of those are known: hashes, lengths, the line, and the row as JSON.
    std::unique_ptr<std::FILE, CloseFile> waiting;
    std::int64_t waiting_rows = 0;
  };

  RowsOut(const model::Model& model, const model::Table& table, std::string directory,
          RowFormat format, SqlDialect dialect);

  void FindReferences(const std::vector<const model::Entity*>& entities);
  bool LeadsTo(const model::Entity& from, const model::Entity& to) const;
  void AddInOrder(const model::Entity& entity);
  Result<std::unique_ptr<std::FILE, CloseFile>> OpenFile(const std::string& path) const;
  std::string PathOf(const model::Entity& entity) const;
  // `json` is a row or an item, as `member` says.
  Status Reject(const std::string& entity, const std::string& why, std::string_view member,
                std::string_view json);
  static Status Append(const std::string& entity, Output& output, std::string_view line);
  Status Settle(const model::Entity& entity);

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
  const SqlDialect dialect_;
  // Entity without items of its own → the list that its rows are taken from.
  const std::map<std::string, const model::StoredAttribute*> homes_;
  std::map<std::string, Output> outputs_;  // By entity.
  std::set<std::string> copied_;           // Keys of rows that were written from copies.
  std::map<std::string, std::vector<RowReference>> references_;  // By entity.
  std::vector<const model::Entity*> order_;                      // Parents first.
  std::unique_ptr<std::FILE, CloseFile> rejects_;                // Only if there are any.
  std::int64_t unknown_ = 0;
  std::int64_t locks_ = 0;
  std::int64_t rejected_ = 0;
};

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_TRANSFER_ROWS_OUT_H_
