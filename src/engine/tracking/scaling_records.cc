#include "engine/tracking/scaling_records.h"

#include <string_view>

#include "engine/table/space.h"
#include "storage/store.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kPrefix = "scaling/";

}  // namespace

Status StoreScalingRecord(Engine& engine, const std::string& name, const std::optional<std::string>& record) {
  const std::string keys[] = {CatalogKey(std::string(kPrefix) + name)};
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket,
                      engine.store().Transact(keys, [&](storage::Transaction& transaction) -> Status {
                        if (record) {
                          transaction.Put(keys[0], *record);
                        } else {
                          transaction.Delete(keys[0]);
                        }
                        return {};
                      }));
  return engine.store().WaitDurable(ticket);
}

Result<std::vector<std::string>> ReadScalingRecords(Engine& engine) {
  std::vector<std::string> records;
  PJ_RETURN_IF_ERROR(engine.store().Visit(CatalogRange(kPrefix), [&](std::string_view, std::string_view value) {
    records.emplace_back(value);
    return storage::Visit::kContinue;
  }));
  return records;
}

}  // namespace prejoin::engine
