// Which values a key refuses, by examples and by the law behind them: two different rows never have the same key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/bind/read_model.h"
#include "model/data/item_render.h"
#include "tests/rig/seed.h"

namespace prejoin::model {
namespace {

Model ReadText(const std::string& source) {
  ReadModelResult read = ReadModel(source);
  for (const Diagnostic& diagnostic : read.diagnostics) {
    if (!read.ok) {
      ADD_FAILURE() << RenderDiagnostic("model", source, diagnostic);
    }
  }
  return std::move(read.model);
}

constexpr const char* kTenants = R"(
entity Org {
  id   text key
  name text
}
entity User {
  org references Org.id key
  id  text key
  day date
}
entity Note {
  org references Org.id key
  id  text key
}
tenant Org.id
table T partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all

  item Org {
    PK   = "ORG#{id}"
    SK   = "PROFILE"
    full = "{name} of {id}"
  }
  item User {
    PK     = "ORG#{org}#USER#{id}"
    SK     = "USER"
    GSI1PK = "ORG#{org}"
    GSI1SK = "{day}-{id}"
  }
  item Note {
    PK = "ORG#{org}"
    SK = "{id}"
  }
}
)";

std::string Why(const Model& model, const std::string& entity, const Row& row) {
  const Model::Placement placement = model.FindPlacement(entity);
  return WhyNoKey(*placement.layout, row);
}

// Entities share partitions on purpose: in an index always, in a table where a sort key tells the items apart.
TEST(KeyRefusals, LetEntitiesShareAPartition) {
  const Model shared = ReadText(R"(
entity Order {
  id text key
}
entity Plan {
  id text key
}
table T partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all

  item Order {
    PK     = "ORG#{id}"
    SK     = "ORDER"
    GSI1PK = "{id}"
    GSI1SK = "ORDER"
  }
  item Plan {
    PK     = "ORG#ACME"
    SK     = "PLAN#{id}"
    GSI1PK = "ORDER#{id}"
    GSI1SK = "PLAN"
  }
}
)");
  EXPECT_EQ(Why(shared, "Order", Row{{"id", "ACME"}}), "");
  EXPECT_EQ(Why(shared, "Order", Row{{"id", "ORDER#5"}}), "");
  // Without a sort key the partition is the whole key.
  const Model alone = ReadText(R"(
entity Order {
  id text key
}
entity Plan {
  id text key
}
table T partition PK {
  item Order {
    PK = "ORG#{id}"
  }
  item Plan {
    PK = "ORG#ACME"
  }
}
)");
  EXPECT_NE(Why(alone, "Order", Row{{"id", "ACME"}}), "");
}

TEST(KeyRefusals, APartMayNotContainWhatFollowsIt) {
  const Model model = ReadText(kTenants);
  const Row user{{"org", "a"}, {"id", "u1"}, {"day", "2024-01-05"}};
  const auto with = [&](const std::string& name, const std::string& value) {
    Row row = user;
    row.Set(name, AttributeValue(value));
    return Why(model, "User", row);
  };
  EXPECT_EQ(Why(model, "User", user), "");
  EXPECT_THAT(with("org", "a#USER#b"), testing::HasSubstr("org contains \"#USER#\""));
  // The end of the value and the beginning of what follows are read as what follows.
  EXPECT_THAT(with("org", "a#USER"), testing::HasSubstr("org contains \"#USER#\""));
  EXPECT_EQ(with("org", "a#b"), "");
  // Nothing follows it.
  EXPECT_EQ(with("id", "x#USER#y"), "");
}

TEST(KeyRefusals, ALastPartMayNotBeAnotherEntitysKey) {
  const Model model = ReadText(kTenants);
  // ORG#a#USER#u1 is the key of a user.
  EXPECT_THAT(Why(model, "Org", {{"id", "a#USER#u1"}, {"name", "n"}}),
              testing::HasSubstr("#USER#"));
  EXPECT_EQ(Why(model, "Org", {{"id", "a#b"}, {"name", "n"}}), "");
  // PROFILE is the sort key of the organisation in the same collection, and USER that of another one.
  EXPECT_THAT(Why(model, "Note", {{"org", "a"}, {"id", "PROFILE"}}),
              testing::HasSubstr("makes \"PROFILE\""));
  EXPECT_EQ(Why(model, "Note", {{"org", "a"}, {"id", "PROFILES"}}), "");
}

TEST(KeyRefusals, ADateThatIsFollowedByItsOwnCharacterHasItsForm) {
  const Model model = ReadText(kTenants);
  const auto on = [&](const std::string& day) {
    return Why(model, "User", {{"org", "a"}, {"id", "u1"}, {"day", day}});
  };
  EXPECT_EQ(on("2024-01-05"), "");
  EXPECT_THAT(on("2024-01"), testing::HasSubstr("form"));
  EXPECT_THAT(on("2024-01-05-x"), testing::HasSubstr("contains"));
}

TEST(KeyRefusals, TextsThatAreNoKeyRefuseNothing) {
  const Model model = ReadText(kTenants);
  EXPECT_EQ(Why(model, "Org", {{"id", "a"}, {"name", "b of c"}}), "");
}

TEST(KeyRefusals, ARowThatIsRefusedIsAnErrorThatNamesIt) {
  const Model model = ReadText(kTenants);
  Dataset data;
  data.rows["Org"].push_back(Row{{"id", "a#USER#b"}, {"name", "n"}});
  DataIndex index(data);
  const Status rendered =
      EachRendered(model, index, 10, [](const TableItems&) { return Status(); });
  ASSERT_FALSE(rendered);
  EXPECT_THAT(rendered.error().message, testing::HasSubstr("id contains \"#USER#\""));
}

// Random templates over few characters, random values over the same: whatever is not refused can be read back, and two keys are equal
// only if they are the same row of the same entity, or hold the same values in the same places.
TEST(KeyRefusals, DifferentRowsHaveDifferentKeys) {
  const std::uint32_t seed = TestSeed();
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t below) { return random() % below; };
  const auto text = [&](std::size_t max) {
    std::string out;
    for (std::size_t i = 1 + pick(max); i > 0; --i) {
      out += "ab#-"[pick(4)];
    }
    return out;
  };
  int compared = 0;
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string source;
    std::string layouts;
    std::vector<std::string> shapes;
    for (const char* entity : {"A", "B", "C"}) {
      const std::size_t parts = 1 + pick(3);
      std::string key = pick(2) == 0 ? text(3) : "";
      std::string shape = key;
      source += std::string("entity ") + entity + " {\n";
      for (std::size_t i = 0; i < parts; ++i) {
        source += "  v" + std::to_string(i) + " text key\n";
        key += "{v" + std::to_string(i) + "}";
        shape += "{}";
        const std::string behind = i + 1 < parts || pick(3) == 0 ? text(3) : "";
        key += behind;
        shape += behind;
      }
      source += "}\n";
      layouts += std::string("  item ") + entity + " {\n    PK = \"" + key + "\"\n  }\n";
      shapes.push_back(shape);
    }
    const Model model = ReadText(source + "table T partition PK {\n" + layouts + "}\n");
    std::map<std::string, std::string> seen;  // Key → shape and values.
    for (int i = 0; i < 200; ++i) {
      const std::size_t which = pick(3);
      const std::string entity(1, static_cast<char>('A' + which));
      Row row;
      std::string values = shapes[which];
      for (const Attribute& attribute : model.FindEntity(entity)->attributes) {
        row.Set(attribute.name.text, AttributeValue(text(4)));
        values += "\x01" + *row.Find(attribute.name.text)->string();
      }
      const auto key = RenderPrimaryKey(model.FindPlacement(entity), row);
      if (!key) {
        ++refused;
        continue;
      }
      const auto [known, is_new] = seen.emplace(*key->Find("PK")->string(), values);
      EXPECT_EQ(known->second, values) << SeedMessage(seed) << "\n" << layouts << known->first;
      compared += is_new ? 0 : 1;
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace prejoin::model
