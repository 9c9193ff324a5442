// Strategies are read off the keys: what the keys do not do is not called in use.
#include "model/schema/strategy_match.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "model/schema/read_model.h"

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
  for (const Diagnostic& one : read.diagnostics) names.push_back(one.message);
  if (!names.empty()) return names;
  for (const Strategy* one : StrategiesInUse(read.model, read.model.relationships[0]))
    names.emplace_back(one->name);
  return names;
}

constexpr char kPets[] = R"(
  item Pet {
    PK = "OWNER#{ownerId}"
    SK = "PET#{id}"
  }
)";

TEST(StrategyMatch, ACollectionIsNoIndexAlthoughTheTableHasOne) {
  EXPECT_THAT(InUse(std::string("table T partition PK sort SK {\n"
                                "  index ByDay partition day sort at project all\n") +
                    kPets + R"(
  item Visit {
    PK = "OWNER#{ownerId}#PET#{petId}"
    SK = "VISIT#{at}#{id}"
  }
})"),
              ElementsAre("item-collection"));
}

TEST(StrategyMatch, AnIndexCountsOnlyWithAllOfItsKeys) {
  const std::string own_key = std::string(kPets) + R"(
  item Visit {
    PK = "VISIT#{ownerId}#{petId}#{id}"
    SK = "VISIT"
  }
})";
  EXPECT_THAT(InUse("table T partition PK sort SK {\n"
                    "  index ByPet partition ownerId, petId sort at project all\n" +
                    own_key),
              ElementsAre("secondary-index"));
  EXPECT_THAT(InUse("table T partition PK sort SK {\n"
                    "  index ByPet partition ownerId, petId sort paid project all\n" +
                    own_key),
              ElementsAre("references"));
}

TEST(StrategyMatch, APathBeginsWithTheParent) {
  EXPECT_THAT(InUse(std::string("table T partition PK sort SK {\n") + kPets + R"(
  item Visit {
    PK = "OWNER#{ownerId}"
    SK = "PET#{petId}#VISIT#{id}"
  }
})"),
              ElementsAre("composite-sort-key"));
  EXPECT_THAT(InUse(std::string("table T partition PK sort SK {\n") + kPets + R"(
  item Visit {
    PK = "OWNER#{ownerId}"
    SK = "VISIT#{at}#{petId}#{id}"
  }
})"),
              ElementsAre("references"));
}

TEST(StrategyMatch, AShardGroupsNothingAndOneShardIsNoSharding) {
  EXPECT_THAT(InUse(std::string("table T partition PK sort SK {\n") + kPets + R"(
  item Visit {
    PK = "VISITS#{ownerId}#{shard 1 of petId}"
    SK = "{at}#{petId}#{id}"
  }
})"),
              ElementsAre("references"));
}

}  // namespace
}  // namespace prejoin::model
