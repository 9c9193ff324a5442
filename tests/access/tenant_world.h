// Random designs with tenants, and databases full of their rows, for the test that one tenant learns nothing of another.
#ifndef PREJOIN_TESTS_ACCESS_TENANT_WORLD_H_
#define PREJOIN_TESTS_ACCESS_TENANT_WORLD_H_

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "access/request_access.h"
#include "engine/engine_of.h"
#include "model/bind/read_model.h"
#include "wire/service.h"

namespace prejoin::access {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::size_t Below(std::size_t end) { return random_() % end; }
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  template <class List>
  const auto& Of(const List& list) {
    return list[Below(list.size())];
  }
  std::string Word(std::size_t letters);

 private:
  std::mt19937_64 random_;
};

// A row as it is stored, in the table Rows.
struct StoredRow {
  std::string tenant;  // Empty: nobody's.
  Item item;
};

// A model with `tenant`, read, and the policy that it gives, with every action on items added to it.
struct TenantDesign {
  std::string text;
  model::ReadModelResult read;
  std::vector<std::string> entities;  // Without the tenants themselves.
  std::string policy;
};
TenantDesign RandomDesign(Dice& dice);

// Rows of these tenants. Every value that is not a number holds the marker of its tenant and a word of its own: "~bob~kqzt~".
std::vector<StoredRow> RandomRows(const TenantDesign& design,
                                  const std::vector<std::string>& tenants, std::uint64_t seed);

// A database in memory with these rows, behind the wire.
class TenantWorld {
 public:
  TenantWorld(const TenantDesign& design, const std::vector<StoredRow>& rows);

  // Makes the access control of a request by `tenant`'s role.
  std::unique_ptr<RequestAccess> Enter(const std::string& tenant);
  std::shared_ptr<const Principal> PrincipalOf(const std::string& tenant) const;
  // Null: as the administrator.
  wire::Answer Send(std::string_view operation, const std::string& body, RequestAccess* access);
  // Everything that the tables hold, for comparison; without the rows of one tenant.
  std::string Contents(const std::string& without);

  engine::Engine& engine() { return engine::EngineOf(*database_); }
  ResourcePolicies& resource_policies() { return resource_policies_; }
  const std::string& shard_iterator() const { return shard_iterator_; }
  const std::string& stream_arn() const { return stream_arn_; }

 private:
  std::unique_ptr<Database> database_;
  std::unique_ptr<wire::Service> service_;
  ResourcePolicies resource_policies_;
  std::shared_ptr<ReadyIdentity> role_;
  std::string stream_arn_;
  std::string shard_iterator_;
};

std::string Json(const Item& item);
std::string Json(const AttributeValue& value);

}  // namespace prejoin::access

#endif  // PREJOIN_TESTS_ACCESS_TENANT_WORLD_H_
