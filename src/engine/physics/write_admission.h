// Takes the capacity of writes that run as one transaction: from the table, and from every global
// index that a write changes. A write that one of them has no room for is throttled as a whole.
#ifndef PREJOIN_ENGINE_PHYSICS_WRITE_ADMISSION_H_
#define PREJOIN_ENGINE_PHYSICS_WRITE_ADMISSION_H_

#include <string>
#include <vector>

#include "engine/index/index_writes.h"
#include "engine/item/planned_write.h"
#include "engine/physics/physics.h"
#include "prejoin/item.h"
#include "prejoin/result.h"

namespace prejoin::engine {

// The cost of a write, and where it falls. Borrows.
struct WriteCost {
  const ItemWrite& write;
  double table_units = 0;
  const std::vector<IndexEffect>& indexes;
  const std::optional<StoredItem>& old_item;
  const std::optional<StoredItem>& new_item;
};

// Gives everything back when it ends, unless Keep was called. Single thread.
class WriteAdmission {
 public:
  // `physics` may be null: then everything is admitted. `factor` is 2 in a transaction, for the
  // table's own units.
  WriteAdmission(Physics* physics, double factor) : physics_(physics), factor_(factor) {}
  ~WriteAdmission() { GiveBack(); }
  WriteAdmission(const WriteAdmission&) = delete;
  WriteAdmission& operator=(const WriteAdmission&) = delete;

  bool is_on() const { return physics_ != nullptr; }

  // Takes what the write costs. An error, with a reason for each table and index without room, takes nothing.
  Status Admit(const WriteCost& cost);

  // The transaction runs again, or did not happen.
  void GiveBack() { GiveBackFrom(0); }
  // Capacity that was taken counts as spent.
  void Keep() { taken_.clear(); }

 private:
  struct Taken {
    TablePtr table;
    const Index* index = nullptr;
    std::string stored_key;
    MilliUnits units = 0;
  };
  void Take(const ItemWrite& write, const Index* index, std::string stored_key, MilliUnits units,
            std::vector<LimitReached>& reached);
  void TakeEntry(const WriteCost& cost, const IndexEffect& effect,
                 std::vector<LimitReached>& reached);
  void GiveBackFrom(std::size_t first);

  Physics* const physics_;
  const double factor_;
  std::vector<Taken> taken_;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_PHYSICS_WRITE_ADMISSION_H_
