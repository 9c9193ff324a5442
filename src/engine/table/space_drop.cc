#include "engine/table/space_drop.h"

#include <optional>
#include <utility>

#include "base/worker.h"
#include "engine/table/space.h"

namespace prejoin::engine {
namespace {

// Goes from one space that has anything in it to the next, so that the cost does not grow with the
// number of tables there ever were.
Status DeleteUnused(Engine& engine, const Catalog::Spaces& spaces) {
  storage::Range range{.begin = SpaceKey(kFirstFreeSpace, ""), .end = SpaceKey(spaces.next, "")};
  while (!engine.background().stopping()) {
    std::optional<std::uint32_t> space;
    PJ_RETURN_IF_ERROR(engine.store().Visit(range, [&](std::string_view key, std::string_view) {
      space = SpaceOf(key);
      return storage::Visit::kStop;
    }));
    if (!space) {
      return {};
    }
    if (!spaces.used.contains(*space)) {
      PJ_RETURN_IF_ERROR(engine.store().DeleteSpace(*space));
    }
    range.begin = SpaceKey(*space + 1, "");
  }
  return {};
}

}  // namespace

void DropSpaces(Engine& engine, std::vector<std::uint32_t> spaces, Retirements old_versions) {
  engine.background().Add(
      [&engine, spaces = std::move(spaces)] {
        for (const std::uint32_t space : spaces) {
          // Leftovers of a failure can never be read, and the next start sweeps them.
          (void)engine.store().DeleteSpace(space);
        }
      },
      std::move(old_versions));
}

void SweepSpaces(Engine& engine, Catalog::Spaces spaces) {
  engine.background().Add([&engine, spaces = std::move(spaces)] {
    // The next start finds again what a failure leaves behind.
    (void)DeleteUnused(engine, spaces);
  });
}

}  // namespace prejoin::engine
