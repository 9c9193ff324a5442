// Tables loaded from the example models: the entities and templates are found again.
#include "draft/infer/infer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "draft/decode_samples.h"
#include "draft/draft.h"
#include "model/bind/read_model.h"
#include "model/check/check.h"
#include "model/data/dataset.h"
#include "model/data/item_render.h"
#include "model/generate/generate.h"
#include "tests/rig/seed.h"

namespace prejoin::draft {
namespace {

DraftTable TableOf(const char* name) {
  DraftTable table;
  table.name = name;
  table.partition = "PK";
  table.sort = "SK";
  return table;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

DraftTable KeysOf(const model::Table& table) {
  DraftTable keys;
  keys.name = table.name.text;
  keys.partition = table.partition.text;
  keys.sort = table.sort.text;
  for (const model::Index& index : table.indexes) {
    DraftIndex one;
    one.name = index.name.text;
    one.local = index.local;
    for (const model::Name& name : index.partition) {
      one.partition.push_back(name.text);
    }
    for (const model::Name& name : index.sort) {
      one.sort.push_back(name.text);
    }
    keys.indexes.push_back(std::move(one));
  }
  return keys;
}

// Templates with the attributes' names taken out: "ORG#{}" / "USER#{}".
std::string Anonymous(const std::string& text) {
  std::string plain = text.starts_with('"') ? text : "\"{}\"";
  plain = std::regex_replace(plain, std::regex(R"(\{(\w|-)+( (lower|upper|pad \d+))?\})"), "{}");
  return std::regex_replace(plain, std::regex(R"(\{shard[^}]*\})"), "{}");
}

std::string ShapeOf(const model::Table& table, const model::ItemLayout& layout) {
  std::string shape;
  for (const std::string& key : {table.partition.text, table.sort.text}) {
    if (key.empty()) {
      continue;
    }
    const model::StoredAttribute* stored = layout.Find(key);
    shape +=
        (stored == nullptr || stored->key.natural ? "\"{}\"" : Anonymous(stored->key.ToString())) +
        " ";
  }
  return shape;
}

std::string ShapeOf(const DraftTable& table, const DraftItem& item) {
  std::string shape;
  for (const std::string& key : {table.partition, table.sort}) {
    if (key.empty()) {
      continue;
    }
    std::string text = "\"{}\"";
    for (const auto& [name, value] : item.keys) {
      if (name == key) {
        text = Anonymous(value);
      }
    }
    shape += text + " ";
  }
  return shape;
}

struct Score {
  int wanted = 0;
  int found = 0;
  int surplus = 0;
  int links_wanted = 0;
  int links_found = 0;
  int links_surplus = 0;
  std::string missed;
};

// Spoils every twentieth item: another prefix, or an attribute gone.
void Spoil(std::vector<Item>& items, const model::Table& table) {
  for (std::size_t i = 0; i < items.size(); i += 20) {
    if (i % 40 == 0) {
      items[i].Set(table.partition.text, AttributeValue("brokn!" + std::to_string(i)));
    } else {
      for (const auto& [name, value] : Item(items[i])) {
        if (name != table.partition.text && name != table.sort.text) {
          items[i].Remove(name);
          break;
        }
      }
    }
  }
}

bool IsSameLink(const DraftRelationship& one, const std::string& from, const std::string& to,
                const std::string& through) {
  if (one.through != through) {
    return false;
  }
  return (one.from == from && one.to == to) ||
         (!through.empty() && one.from == to && one.to == from);
}

// Relationships between entities that both have items of their own here. `names`: the model's name of an
// entity → what it is called in the draft.
void ScoreLinks(const model::Model& model, const Draft& draft,
                const std::map<std::string, std::string>& names, Score& score) {
  std::size_t used = 0;
  for (const model::Relationship& one : model.relationships) {
    const auto from = names.find(one.from.text);
    const auto to = names.find(one.to.text);
    const auto through = names.find(one.through.text);
    if (from == names.end() || to == names.end()) {
      continue;
    }
    if (!one.through.text.empty() && through == names.end()) {
      continue;
    }
    ++score.links_wanted;
    const bool found = std::any_of(
        draft.relationships.begin(), draft.relationships.end(), [&](const DraftRelationship& link) {
          return IsSameLink(link, from->second, to->second,
                            one.through.text.empty() ? "" : through->second);
        });
    score.links_found += found ? 1 : 0;
    used += found ? 1 : 0;
    if (!found) {
      score.missed += "  relationship " + one.name.text + "\n";
    }
  }
  score.links_surplus += static_cast<int>(draft.relationships.size() - used);
}

void ScoreModel(const model::Model& model, bool dirty, Score& score) {
  const model::Dataset data = model::GenerateData(model, {.rows = 1500, .seed = 5});
  model::DataIndex index(data);
  for (model::TableItems& rendered : model::RenderAll(model, index)) {
    if (rendered.table->partition.text.empty() || rendered.items.size() < 50) {
      continue;
    }
    if (dirty) {
      Spoil(rendered.items, *rendered.table);
    }
    Inference inference(KeysOf(*rendered.table), {});
    for (const Item& item : rendered.items) {
      inference.Add(item);
    }
    Draft draft;
    inference.Finish(draft);
    std::multimap<std::string, std::string> found;  // Shape → entity.
    std::map<std::string, std::string> names;
    for (const DraftItem& item : draft.tables[0].items) {
      found.emplace(ShapeOf(draft.tables[0], item), item.entity);
    }
    for (const model::ItemLayout& layout : rendered.table->items) {
      const auto rows = data.rows.find(layout.entity.text);
      const std::string shape = ShapeOf(*rendered.table, layout);
      // A handful of rows shows no template; what was made of them is not counted either way.
      if (rows == data.rows.end() || rows->second.size() < 5) {
        found.erase(shape);
        continue;
      }
      ++score.wanted;
      if (const auto one = found.find(shape); one != found.end()) {
        ++score.found;
        names[layout.entity.text] = one->second;
        found.erase(one);
      } else {
        score.missed +=
            "  " + rendered.table->name.text + "." + layout.entity.text + " " + shape + "\n";
      }
    }
    score.surplus += static_cast<int>(found.size());
    for (const auto& [shape, entity] : found) {
      score.missed += "  surplus " + rendered.table->name.text + " " + shape + "\n";
    }
    ScoreLinks(model, draft, names, score);
    DecodeSamples(draft, false);
    AddKeyPatterns(draft);
    const std::string source = PrintDraft(draft);
    EXPECT_TRUE(model::ReadModel(source).ok) << source;
  }
}

Score ScoreAll(bool dirty) {
  Score score;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(PREJOIN_SOURCE_DIR) + "/examples/models")) {
    if (file.path().extension() != ".prejoin") {
      continue;
    }
    const model::ReadModelResult read = model::ReadModel(ReadFile(file.path()));
    if (!read.ok) {
      continue;
    }
    const std::size_t before = score.missed.size();
    ScoreModel(read.model, dirty, score);
    if (score.missed.size() > before) {
      score.missed.insert(before, file.path().stem().string() + "\n");
    }
  }
  return score;
}

void Print(const char* what, const Score& score) {
  std::printf(
      "%s: entities and templates found %d of %d, surplus %d; relationships found %d of %d, "
      "surplus "
      "%d\n%s",
      what, score.found, score.wanted, score.surplus, score.links_found, score.links_wanted,
      score.links_surplus, score.missed.c_str());
}

TEST(Infer, FindsTheTemplatesOfTheExamples) {
  const Score score = ScoreAll(false);
  Print("clean", score);
  EXPECT_GT(score.wanted, 60);
  EXPECT_GE(score.found * 100, score.wanted * 95) << score.missed;
  EXPECT_GT(score.links_wanted, 20);
  EXPECT_GE(score.links_found * 100, score.links_wanted * 80) << score.missed;
}

TEST(Infer, FindsThemAmongDamagedItems) {
  const Score score = ScoreAll(true);
  Print("with 5 % damaged items", score);
  EXPECT_GE(score.found * 100, score.wanted * 90) << score.missed;
  EXPECT_GE(score.links_found * 100, score.links_wanted * 75) << score.missed;
}

TEST(Infer, FindsRelationshipsByValues) {
  const model::ReadModelResult read = model::ReadModel(ReadFile(
      std::string(PREJOIN_SOURCE_DIR) + "/examples/models/d04_students_and_courses.prejoin"));
  ASSERT_TRUE(read.ok);
  const model::Dataset data = model::GenerateData(read.model, {.rows = 2000, .seed = 3});
  model::DataIndex index(data);
  Draft draft;
  for (const model::TableItems& rendered : model::RenderAll(read.model, index)) {
    Inference inference(KeysOf(*rendered.table), {});
    for (const Item& item : rendered.items) {
      inference.Add(item);
    }
    inference.Finish(draft);
  }
  ASSERT_EQ(draft.relationships.size(), 1u);
  EXPECT_EQ(draft.relationships[0].kind, "many-to-many");
  EXPECT_GT(draft.relationships[0].average, 1);
}

// USER#7 / ORDER#2026-01-01#a81 holds order a81, which ORDER#a81 / LINE#1 names alone.
TEST(Infer, TakesThePartThatOthersNameForTheKey) {
  DraftTable table = TableOf("Shop");
  Inference inference(table, {});
  for (int i = 0; i < 60; ++i) {
    const std::string order = "a" + std::to_string(1000 + i);
    inference.Add(Item{{"PK", AttributeValue("USER#" + std::to_string(i % 7))},
                       {"SK", AttributeValue("ORDER#2026-01-01#" + order)},
                       {"orderId", AttributeValue(order)}});
    for (const char* line : {"LINE#1", "LINE#2"}) {
      inference.Add(Item{{"PK", AttributeValue("ORDER#" + order)},
                         {"SK", AttributeValue(line)},
                         {"sku", AttributeValue(std::to_string(i % 9))}});
    }
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_NE(draft.FindEntity("Order"), nullptr);
  EXPECT_EQ(draft.FindEntity("Order")->KeyNames(), std::vector<std::string>{"orderId"});
  ASSERT_EQ(draft.relationships.size(), 1u);
  EXPECT_EQ(draft.relationships[0].from + " " + draft.relationships[0].to, "Order Line");
  DecodeSamples(draft, false);
  AddKeyPatterns(draft);
  EXPECT_NE(PrintDraft(draft).find("find Order where userId = :userId"), std::string::npos);
}

TEST(Infer, SeesThatNumbersArePadded) {
  DraftTable table = TableOf("Rooms");
  Inference inference(table, {});
  for (int i = 3; i < 99; ++i) {
    inference.Add(
        Item{{"PK", AttributeValue("HOUSE#" + std::to_string(i % 5))},
             {"SK", AttributeValue("FLOOR#" + std::string(i < 10 ? "0" : "") + std::to_string(i))},
             {"floor", AttributeValue(i)}});
  }
  Draft draft;
  inference.Finish(draft);
  EXPECT_EQ(draft.tables[0].items[0].keys[1].second, "\"FLOOR#{floor pad 2}\"");
}

// The e-mail stands in a key only: the locks are still locks, and no entity.
TEST(Infer, MakesNoEntityOfLocks) {
  DraftTable table = TableOf("People");
  Inference inference(table, {});
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    inference.Add(Item{{"PK", AttributeValue("MEMBER#" + number)},
                       {"SK", AttributeValue("MEMBER")},
                       {"GSI1PK", AttributeValue("EMAIL#u" + number + "@example.com")}});
    inference.Add(Item{{"PK", AttributeValue("UNIQUE#Member#email#u" + number + "@example.com")},
                       {"SK", AttributeValue("UNIQUE#Member#email#u" + number + "@example.com")}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_EQ(draft.entities.size(), 1u);
  EXPECT_EQ(draft.entities[0].name, "Member");
  EXPECT_NE(PrintDraft(draft).find("40 items are locks that keep Member.email unique"),
            std::string::npos);
}

// MEMBER#m1 / STATION#s1 is a favourite, and STATION#s1 / STATION the station.
TEST(Infer, NamesAnEdgeByBothEnds) {
  DraftTable table = TableOf("BikeShare");
  Inference inference(table, {});
  for (int i = 0; i < 40; ++i) {
    const std::string station = "STATION#s" + std::to_string(i % 8);
    inference.Add(Item{{"PK", AttributeValue("MEMBER#m" + std::to_string(i))},
                       {"SK", AttributeValue(station)},
                       {"since", AttributeValue("2026-01-0" + std::to_string(1 + i % 9))}});
    inference.Add(Item{{"PK", AttributeValue("MEMBER#m" + std::to_string(i))},
                       {"SK", AttributeValue("MEMBER")},
                       {"name", AttributeValue("Name " + std::to_string(i))}});
    inference.Add(Item{{"PK", AttributeValue(station)},
                       {"SK", AttributeValue("STATION")},
                       {"street", AttributeValue("Street " + std::to_string(i % 8))}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_NE(draft.FindEntity("Station"), nullptr);
  EXPECT_NE(draft.FindEntity("Station")->Find("street"), nullptr);
  ASSERT_NE(draft.FindEntity("MemberStation"), nullptr);
  EXPECT_NE(draft.FindEntity("MemberStation")->Find("since"), nullptr);
  EXPECT_EQ(draft.FindEntity("Station2"), nullptr);
}

TEST(Infer, TakesLockItemsForWhatTheyAre) {
  DraftTable table = TableOf("People");
  Inference inference(table, {});
  for (int i = 0; i < 40; ++i) {
    const std::string email = "u" + std::to_string(i) + "@example.com";
    inference.Add(Item{{"PK", AttributeValue("PERSON#" + std::to_string(i))},
                       {"SK", AttributeValue("PERSON")},
                       {"email", AttributeValue(email)}});
    inference.Add(Item{{"PK", AttributeValue("UNIQUE#Person#email#" + email)},
                       {"SK", AttributeValue("UNIQUE#Person#email#" + email)}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_EQ(draft.entities.size(), 1u);
  EXPECT_TRUE(draft.entities[0].Find("email")->unique);
  DecodeSamples(draft, false);
  const std::string source = PrintDraft(draft);
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  EXPECT_NE(source.find("unique email by lock item"), std::string::npos) << source;
}

// P#7 holds a person, which only the locks of its handle say: its values tell whose they are.
TEST(Infer, LocksNameTheEntityThatTheyLock) {
  DraftTable table = TableOf("People");
  Inference inference(table, {});
  for (int i = 0; i < 40; ++i) {
    const std::string handle = "h" + std::to_string(i);
    const std::string lock = "UNIQUE#Person#handle#" + handle;
    inference.Add(Item{{"PK", AttributeValue("G#" + std::to_string(i))},
                       {"SK", AttributeValue("G")},
                       {"handle", AttributeValue("other" + std::to_string(i))}});
    inference.Add(Item{{"PK", AttributeValue("P#" + std::to_string(i))},
                       {"SK", AttributeValue("P")},
                       {"handle", AttributeValue(handle)}});
    inference.Add(Item{{"PK", AttributeValue(lock)}, {"SK", AttributeValue(lock)}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_EQ(draft.entities.size(), 2u);
  ASSERT_NE(draft.FindEntity("Person"), nullptr);
  EXPECT_TRUE(draft.FindEntity("Person")->Find("handle")->unique);
  ASSERT_NE(draft.FindEntity("G"), nullptr);
  EXPECT_FALSE(draft.FindEntity("G")->Find("handle")->unique);
  DecodeSamples(draft, false);
  const std::string source = PrintDraft(draft);
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  EXPECT_NE(source.find("unique handle by lock item"), std::string::npos) << source;
  EXPECT_EQ(source.find("items are locks"), std::string::npos) << source;
}

// DynamoDB itself ends a collection at 10 GB; the items cannot tell a smaller bound.
TEST(Infer, ATableWithALocalIndexPassesCheck) {
  DraftTable table = TableOf("Orders");
  table.indexes.push_back({"ByTotal", /*local=*/true, {}, {"total"}, "all", {}});
  Inference inference(table, {});
  for (int i = 0; i < 60; ++i) {
    inference.Add(Item{{"PK", AttributeValue("USER#" + std::to_string(i % 7))},
                       {"SK", AttributeValue("ORDER#" + std::to_string(i))},
                       {"total", AttributeValue(*Number::Parse(std::to_string(i * 3)))}});
  }
  Draft draft;
  inference.Finish(draft);
  CompleteInferred(draft);
  const std::string source = PrintDraft(draft);
  const model::ReadModelResult read = model::ReadModel(source);
  ASSERT_TRUE(read.ok) << source;
  for (const model::Diagnostic& finding : model::CheckModel(read)) {
    EXPECT_NE(finding.severity, model::Severity::kError) << finding.message;
    EXPECT_NE(finding.rule, "PJ004") << finding.message;
  }
  EXPECT_NE(source.find("allow PJ111"), std::string::npos) << source;
}

// Each row of the sample leads to rows of the sample, although the first players of the table are in its last teams.
TEST(Infer, SampleRowsLeadToSampleRows) {
  DraftTable table = TableOf("League");
  Inference inference(table, {});
  const auto team = [](int i) { return AttributeValue("TEAM#t" + std::to_string(100 + i)); };
  for (int i = 0; i < 60; ++i) {
    inference.Add(Item{{"PK", team(i % 20)},
                       {"SK", AttributeValue("PLAYER#p" + std::to_string(900 - i))},
                       {"name", AttributeValue("N" + std::to_string(i))}});
  }
  for (int i = 20; i-- > 0;) {
    inference.Add(Item{{"PK", team(i)},
                       {"SK", AttributeValue("TEAM")},
                       {"city", AttributeValue("C" + std::to_string(i))}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_EQ(draft.relationships.size(), 1u);
  CompleteInferred(draft);
  for (const DraftSample& sample : draft.samples) {
    EXPECT_EQ(sample.rows.size(), 5u) << sample.entity;
  }
  const std::string source = PrintDraft(draft);
  const model::ReadModelResult read = model::ReadModel(source);
  ASSERT_TRUE(read.ok) << source;
  for (const model::Diagnostic& finding : model::CheckModel(read)) {
    EXPECT_NE(finding.rule, "PJ224") << finding.message << source;
  }
}

TEST(Infer, GivesOddAttributesNames) {
  DraftTable table;
  table.name = "Log";
  table.partition = "DeviceID";
  table.sort = "State_Date";
  Inference inference(table, {});
  for (int i = 0; i < 10; ++i) {
    inference.Add(Item{{"DeviceID", AttributeValue("d#" + std::to_string(i))},
                       {"State#Date", AttributeValue("OK#2026-01-0" + std::to_string(i))}});
  }
  Draft draft;
  inference.Finish(draft);
  DecodeSamples(draft, true);
  const std::string source = PrintDraft(draft);
  EXPECT_TRUE(model::ReadModel(source).ok) << source;
  EXPECT_NE(source.find("`State#Date` is called State_Date here"), std::string::npos) << source;
}

// The rows of a draft's entity among `items`, and whether its key tells them apart.
std::string RepeatedKey(const std::string& source, const std::vector<Item>& items) {
  const model::ReadModelResult read = model::ReadModel(source);
  if (!read.ok || read.model.tables.empty()) {
    return "";
  }
  std::map<std::string, std::string> seen;
  for (const Item& item : items) {
    const model::Table& table = read.model.tables[0];
    const std::string entity = model::EntityOfItem(read.model, table, item);
    if (entity.empty()) {
      continue;
    }
    const model::Row row = model::RowOfItem(read.model, read.model.FindPlacement(entity), item);
    const std::string tuple =
        entity + " " + model::TupleText(row, read.model.FindEntity(entity)->KeyNames());
    const std::string here = *item.Find("PK")->string() + " " + *item.Find("SK")->string();
    const auto [known, is_new] = seen.emplace(tuple, here);
    if (!is_new) {
      return tuple + " is the key of " + known->second + " and of " + here;
    }
  }
  return "";
}

// Random tables with attributes that are nearly the parts of the keys, and parts that nearly never repeat.
TEST(Infer, KeysAreUniqueOnAllItems) {
  const std::uint32_t seed = TestSeed();
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t below) { return random() % below; };
  int entities = 0;
  int notes = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t users = 5 + pick(30);
    const std::size_t numbers = 50 + pick(3) * 400;  // How often an order's number repeats.
    const std::size_t wrong =
        pick(3) * 7;  // In so many of a hundred items an attribute differs from the key.
    std::vector<Item> items;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < users; ++i) {
      const std::string user = "u" + std::to_string(i);
      items.push_back(Item{{"PK", "USER#" + user}, {"SK", "PROFILE"}, {"userId", user}});
    }
    for (std::size_t i = 0; i < 200; ++i) {
      const std::string user = "u" + std::to_string(pick(users));
      const std::string order = "o" + std::to_string(pick(numbers));
      if (!taken.insert(user + " " + order).second) {
        continue;
      }
      items.push_back(Item{{"PK", "USER#" + user},
                           {"SK", "ORDER#" + order},
                           {"userId", pick(100) < wrong ? "u0" : user},
                           {"orderId", pick(100) < wrong ? "o1" : order}});
      // Others point at the order alone.
      if (pick(3) == 0 && taken.insert("line " + order).second) {
        items.push_back(Item{
            {"PK", "ORDER#" + order}, {"SK", "LINE#" + std::to_string(i)}, {"orderId", order}});
      }
    }
    std::shuffle(items.begin(), items.end(), random);
    DraftTable table = TableOf("T");
    Inference inference(table, {});
    for (const Item& item : items) {
      inference.Add(item);
    }
    Draft draft;
    inference.Finish(draft);
    entities += static_cast<int>(draft.entities.size());
    for (const DraftEntity& entity : draft.entities) {
      for (const std::string& note : entity.notes) {
        notes += note.find("not part of the key") != std::string::npos ||
                         note.find("not the key") != std::string::npos
                     ? 1
                     : 0;
      }
    }
    DecodeSamples(draft, false);
    AddKeyPatterns(draft);
    const std::string source = PrintDraft(draft);
    EXPECT_EQ(RepeatedKey(source, items), "") << SeedMessage(seed) << "\n" << source;
    if (testing::Test::HasFailure()) {
      return;
    }
  }
  EXPECT_GT(entities, 100);
  EXPECT_GT(notes, 10);
}

TEST(Infer, KeepsItsMemoryWhenValuesNeverRepeat) {
  DraftTable table = TableOf("T");
  Inference inference(table, {});
  for (int i = 0; i < 30000; ++i) {
    // Words without digits, so that each could be a literal.
    std::string word;
    for (int n = i + 1; n > 0; n /= 20) {
      word += static_cast<char>('a' + n % 20);
    }
    inference.Add(
        Item{{"PK", AttributeValue("USER#" + word)}, {"SK", AttributeValue(word + "#x")}});
  }
  Draft draft;
  inference.Finish(draft);
  ASSERT_EQ(draft.entities.size(), 1u);
  EXPECT_EQ(draft.tables[0].items[0].keys[0].second, "\"USER#{userId}\"");
}

}  // namespace
}  // namespace prejoin::draft
