// Strategies are read off the keys: what the keys do not do is not called in use.
#include "model/schema/strategy_match.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "model/bind/read_model.h"

namespace prejoin::model {
namespace {

using testing::ElementsAre;

std::vector<std::string> InUse(const std::string& table) {
  const ReadModelResult read = ReadModel(R"(
entity Owner {
  id    text key
}
entity Pet {
  ownerId references Owner.id key
  id      text key
}
entity Visit {
  ownerId references Pet.ownerId key
  petId   references Pet.id key
  id      text key
  at      time
}
relationship Visits: Pet one-to-many Visit {
  each Pet has ~12, at most 300
}
)" + table);
  std::vector<std::string> names;
  for (const Diagnostic& one : read.diagnostics) {
    names.push_back(one.message);
  }
  if (!names.empty()) {
    return names;
  }
  for (const Strategy* one : StrategiesInUse(read.model, read.model.relationships[0])) {
    names.emplace_back(one->name);
  }
  return names;
}

// A table with these keys of a visit, and an index or none.
std::string Table(const std::string& partition, const std::string& sort,
                  const std::string& index = "") {
  return "table T partition PK sort SK {\n" + index +
         "  item Pet {\n    PK = \"OWNER#{ownerId}\"\n    SK = \"PET#{id}\"\n  }\n"
         "  item Visit {\n    PK = \"" +
         partition + "\"\n    SK = \"" + sort + "\"\n  }\n}\n";
}

TEST(StrategyMatch, ACollectionIsNoIndexAlthoughTheTableHasOne) {
  EXPECT_THAT(InUse(Table("OWNER#{ownerId}#PET#{petId}", "VISIT#{at}#{id}",
                          "  index ByDay partition day sort at project all\n")),
              ElementsAre("item-collection"));
}

TEST(StrategyMatch, AnIndexCountsOnlyWithAllOfItsKeys) {
  const auto with_sort = [](const std::string& sort) {
    return Table("VISIT#{ownerId}#{petId}#{id}", "VISIT",
                 "  index ByPet partition ownerId, petId sort " + sort + " project all\n");
  };
  EXPECT_THAT(InUse(with_sort("at")), ElementsAre("secondary-index"));
  EXPECT_THAT(InUse(with_sort("paid")), ElementsAre("references"));
}

TEST(StrategyMatch, APathBeginsWithTheParent) {
  EXPECT_THAT(InUse(Table("OWNER#{ownerId}", "PET#{petId}#VISIT#{id}")),
              ElementsAre("composite-sort-key"));
  EXPECT_THAT(InUse(Table("OWNER#{ownerId}", "VISIT#{at}#{petId}#{id}")),
              ElementsAre("references"));
}

TEST(StrategyMatch, AShardGroupsNothingAndOneShardIsNoSharding) {
  EXPECT_THAT(InUse(Table("VISITS#{ownerId}#{shard 1 of petId}", "{at}#{petId}#{id}")),
              ElementsAre("references"));
}

}  // namespace
}  // namespace prejoin::model
