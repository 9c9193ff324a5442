// Items into a table of this process.
#ifndef PREJOIN_TRANSFER_TABLE_SINK_H_
#define PREJOIN_TRANSFER_TABLE_SINK_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/item/item_write.h"
#include "transfer/import_job.h"

namespace prejoin::transfer {

// Writes many items with one transaction: one record in the log. Single thread.
class TableSink : public ItemSink {
 public:
  // `table_id`: of the table that is meant, in case another gets its name.
  TableSink(engine::Engine& engine, std::string table_name, std::string table_id)
      : engine_(engine), table_name_(std::move(table_name)), table_id_(std::move(table_id)) {}

  Status Add(Item item) override;
  Status Remove(Item key) override;
  Status Finish() override;

 private:
  // The table as of this group of writes.
  Result<engine::TablePtr> TableOfGroup() const;
  Status Take(engine::ItemWrite write);
  Status Flush();
  Result<engine::TablePtr> FindTable() const;

  engine::Engine& engine_;
  const std::string table_name_;
  const std::string table_id_;
  engine::RequestContext context_;
  std::vector<engine::ItemWrite> writes_;
  std::set<std::string> keys_;  // The keys of writes_: a transaction writes each key once.
  std::size_t bytes_ = 0;
};

}  // namespace prejoin::transfer

#endif  // PREJOIN_TRANSFER_TABLE_SINK_H_
