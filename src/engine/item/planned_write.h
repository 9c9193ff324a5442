// A write after everything that the schema alone can refuse, ready to run.
#ifndef PREJOIN_ENGINE_ITEM_PLANNED_WRITE_H_
#define PREJOIN_ENGINE_ITEM_PLANNED_WRITE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/table.h"
#include "expr/ast.h"
#include "prejoin/item.h"
#include "prejoin/operations.h"
#include "prejoin/result.h"
#include "storage/store.h"

namespace prejoin::engine {

struct WriteStamp;

enum class WriteKind { kPut, kUpdate, kDelete, kCheck };

// A planned write. Owns what it needs, so it can be run again after a conflict.
struct ItemWrite {
  WriteKind kind = WriteKind::kPut;
  TablePtr table;
  std::string stored_key;
  Item key;  // The key attributes.
  std::optional<expr::Condition> condition;
  // The parts of the item that the answer shows: what policies are asked about.
  ReturnValues return_values = ReturnValues::kNone;
  ReturnValuesOnFailure on_failure = ReturnValuesOnFailure::kNone;
  // kPut.
  std::string new_body;
  std::size_t new_size_bytes = 0;
  // kUpdate; nullopt: an update that asks for nothing, which still creates the item.
  std::optional<expr::Update> update;
  // Legacy AttributeUpdates with nothing but DELETE do not create an item.
  bool creates_item = true;
  // kDelete by the service itself: nothing happens unless the item still expires at this second.
  std::optional<std::int64_t> expired_at;
  // kPut and kDelete by a replica of the table in another region: nothing happens unless it is the item's latest write.
  // Borrowed.
  const WriteStamp* replicated = nullptr;
};

// The size of an item to be put, which DynamoDB checks before it looks for the table. PlanPut does
// it if nobody did.
Status CheckItemSize(const Item& item, ItemWrite& write);

// The part of a plan that asks the schema. `write` has its expressions already.
Status PlanPut(TablePtr table, const Item& item, ItemWrite& write);
Status PlanUpdate(TablePtr table, const Item& key, ItemWrite& write);
Status PlanDelete(TablePtr table, const Item& key, ItemWrite& write);
Status PlanCheck(TablePtr table, const Item& key, ItemWrite& write);
// Refuses a condition that looks into a key. Requires a planned write.
Status CheckConditionPaths(const ItemWrite& write);

// One more key that the transaction reads and writes: the idempotency token of TransactWriteItems.
class TransactionGuard {
 public:
  virtual ~TransactionGuard() = default;
  virtual const std::string& key() const = 0;
  // Inside the transaction, before any write. An error ends it. True: the same transaction was done
  // before, charged for `charged_bytes`, and is not to be done again.
  virtual Result<bool> Claim(std::optional<std::string_view> current,
                             std::vector<std::size_t>& charged_bytes) = 0;
  // After the writes of a transaction that was not done before, with what they are charged for.
  virtual void Stage(const std::vector<std::size_t>& charged_bytes,
                     storage::Transaction& transaction) = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ITEM_PLANNED_WRITE_H_
