#include "engine/table/space_drop.h"

#include <string>
#include <utility>

#include "base/worker.h"
#include "engine/physics/physics.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

// The note stays as long as anything is left.
Status DeleteDropped(Engine& engine, std::uint32_t space) {
  PJ_RETURN_IF_ERROR(engine.store().DeleteSpace(space));
  bool empty = true;
  PJ_RETURN_IF_ERROR(
      engine.store().Visit(SpaceRange(space), [&](std::string_view, std::string_view) {
        empty = false;
        return storage::Visit::kStop;
      }));
  if (!empty) {
    return {};
  }
  const std::string keys[] = {DroppedKey(space)};
  PJ_RETURN_IF_ERROR(
      engine.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
        transaction.Delete(keys[0]);
        return {};
      }));
  return {};
}

Status DeleteUnused(Engine& engine, const std::set<std::uint32_t>& used) {
  std::vector<std::uint32_t> dropped;
  PJ_RETURN_IF_ERROR(
      engine.store().Visit(DroppedRange(), [&](std::string_view key, std::string_view) {
        if (const auto space = SpaceOfDroppedKey(key)) {
          dropped.push_back(*space);
        }
        return storage::Visit::kContinue;
      }));
  for (const std::uint32_t space : dropped) {
    // Somebody may still need the past of a table that is gone.
    if (!used.contains(space) && !engine.background().stopping()) {
      PJ_RETURN_IF_ERROR(DeleteDropped(engine, space));
    }
  }
  return {};
}

}  // namespace

void DropSpaces(Engine& engine, std::vector<std::uint32_t> spaces, Retirements old_versions) {
  engine.background().Add(
      [&engine, spaces = std::move(spaces)] {
        if (engine.physics() != nullptr) {
          engine.physics()->Forget(spaces);
        }
        for (const std::uint32_t space : spaces) {
          // The next start finds the note of a space that could not be deleted.
          (void)DeleteDropped(engine, space);
        }
      },
      std::move(old_versions));
}

void SweepDroppedSpaces(Engine& engine, std::set<std::uint32_t> used) {
  engine.background().Add([&engine, used = std::move(used)] {
    // The next start finds again what a failure leaves behind.
    (void)DeleteUnused(engine, used);
  });
}

}  // namespace prejoin::engine
