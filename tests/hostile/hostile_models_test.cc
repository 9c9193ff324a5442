// Random models with hostile names through what is made of a model. The fuzz targets gen_fuzz and verbs_fuzz do the same with many more of them; what
// they find becomes a test here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "gen/build_program.h"
#include "gen/target.h"
#include "gen/words.h"
#include "model/bind/read_model.h"
#include "tests/gen/generated_files.h"
#include "tests/model/hostile_model.h"

namespace prejoin {
namespace {

constexpr std::uint64_t kModels = 150;

TEST(HostileModels, AreModelsMostly) {
  int read = 0;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    read += model::ReadModel(model::HostileModel(seed)).ok ? 1 : 0;
  }
  EXPECT_GT(read, static_cast<int>(kModels / 2));
}

TEST(HostileModels, GiveFilesForEveryTarget) {
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const model::ReadModelResult read = model::ReadModel(model::HostileModel(seed));
    if (!read.ok) {
      continue;
    }
    const auto program = gen::BuildProgram(read.model, {"hostile.prejoin", "0"});
    for (const gen::Target& target : gen::AllTargets()) {
      EXPECT_EQ(gen::FilesFault(target.generate(*program)), "")
          << "seed " << seed << " " << target.name;
    }
  }
}

std::string TextOf(const gen::Target& target, const gen::Program& program) {
  std::string text;
  for (const gen::GeneratedFile& file : target.generate(program)) {
    text += "== " + file.path + "\n" + file.text;
  }
  return text;
}

// Their types, keys and functions had the same names, and one file in Java.
TEST(GeneratedNames, OfEntitiesThatDifferInCaseOnlyAreNotTheSame) {
  const model::ReadModelResult read = model::ReadModel(
      "entity Order {\n  id text key\n}\nentity ORDER {\n  id text key\n}\n"
      "write A {\n  put Order\n}\nwrite B {\n  put ORDER\n}\n"
      "table T partition PK {\n  item Order {\n    PK = \"A#{id}\"\n  }\n  item ORDER {\n    PK = "
      "\"B#{id}\"\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  const auto program = gen::BuildProgram(read.model, {"orders.prejoin", "0"});
  const std::pair<const char*, std::vector<const char*>> expected[] = {
      {"typescript",
       {"export interface Order {", "export interface Order2 {", "function orderItem(row: Order)",
        "function order2Item(row: Order2)", "function isOrder2(", "order: Order2"}},
      {"python",
       {"class Order:", "class Order2:", "def order2_item(row: Order2)", "def to_order2("}},
      {"go", {"type Order struct", "type Order2 struct", "func Order2Key(", "func isOrder2("}},
      {"java", {"== Order.java", "== Order2.java", "order2Item(Order2 row)", "b(Order2 order"}},
      {"cpp",
       {"struct Order {", "struct Order2 {", "Item ItemOf(const Order2& row)", "Order2Key("}},
  };
  for (const auto& [target, texts] : expected) {
    const std::string text = TextOf(*gen::FindTarget(target), *program);
    for (const char* one : texts) {
      EXPECT_NE(text.find(one), std::string::npos) << target << " lacks " << one;
    }
  }
}

TEST(GeneratedNames, AreWordsOfAsciiLettersWhateverTheModelSays) {
  EXPECT_EQ(gen::PascalCase("TicketId"), "TicketId");
  EXPECT_EQ(gen::PascalCase("\u00c9"), "U00c9");
  EXPECT_EQ(gen::SnakeCase("gr\u00f6\u00dfe"), "gru00f6u00dfe");
  EXPECT_EQ(gen::CamelCase("\u540d\u524dId"), "u540du524did");
  EXPECT_EQ(gen::CamelCase("\U0001f600"), "u01f600");
  EXPECT_EQ(gen::CamelCase("\xe9"), "u0009");  // Half a character is a name all the same.
  EXPECT_EQ(gen::SnakeCase("_"), "underscore");
  EXPECT_EQ(gen::SnakeCase("_1st"), "n1st");
  EXPECT_EQ(gen::Words(""), std::vector<std::string>());
}

// A pattern that joins an attribute ended the program, because the attribute's name had no word.
TEST(GeneratedNames, OfJoinedAttributesMayBeOutsideAscii) {
  const model::ReadModelResult read = model::ReadModel(
      "entity P {\n  id text key\n  \u00c9 text\n}\nentity C {\n  p references P.id key\n  no text "
      "key\n}\n"
      "relationship R: P one-to-many C {\n}\npattern Named {\n  find C where p = :p get no, "
      "P.\u00c9\n}\n"
      "table T partition PK sort SK {\n  item P {\n    PK = \"{id}\"\n    SK = \"P\"\n  }\n"
      "  item C {\n    PK = \"{p}\"\n    SK = \"C#{no}\"\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  const auto program = gen::BuildProgram(read.model, {"m.prejoin", "0"});
  for (const gen::Target& target : gen::AllTargets()) {
    EXPECT_EQ(gen::FilesFault(target.generate(*program)), "") << target.name;
  }
}

// Two policies were written to one file, so that one of them was lost: a name of signs alone vanishes, and names may differ in case only.
TEST(GeneratedNames, OfFunctionsAreDifferentInAnyCase) {
  const model::ReadModelResult read = model::ReadModel(
      "entity P {\n  id text key\n  no number key\n  _ number\n}\n"
      "pattern Maybe {\n  find P where id = :id and optional no = :no and optional _ = :x\n}\n"
      "pattern maybe {\n  find P where id = :id\n}\nwrite Put {\n  put P\n}\nwrite put {\n  put P "
      "once\n}\n"
      "table T partition id sort no {\n  item P {\n  }\n}\n");
  ASSERT_TRUE(read.ok);
  const auto program = gen::BuildProgram(read.model, {"m.prejoin", "0"});
  EXPECT_EQ(program->module, "model");
  for (const gen::Target& target : gen::AllTargets()) {
    EXPECT_EQ(gen::FilesFault(target.generate(*program)), "") << target.name;
  }
}

TEST(GeneratedNames, OfModulesDoNotBeginWithADigit) {
  for (const auto& [title, module] :
       {std::pair{"2024 Shop", "model_2024_shop"}, {"A Shop", "a_shop"}, {"\u00c9", "u00c9"}}) {
    model::Model model;
    model.title = title;
    EXPECT_EQ(gen::BuildProgram(model, {"m.prejoin", "0"})->module, module);
  }
}

// A title that ends the comment it stands in became code.
TEST(GeneratedComments, HoldWhateverTheModelSays) {
  for (const std::string title : {"x */ EVIL /*", "x \\\"\\\"\\\" EVIL", "x\\nEVIL", "x\u2028EVIL",
                                  "x \\\\u000aEVIL", "x EVIL\\\\"}) {
    const model::ReadModelResult read = model::ReadModel(
        "model \"" + title + "\"\nentity P {\n  id text key\n  n number\n}\npattern One \"" +
        title + "\" {\n  find P where id = :id\n}\nwrite Put \"" + title + "\" {\n  put P\n}\n" +
        "table T partition PK {\n  item P {\n    PK = \"*/ EVIL#{id}\"\n  }\n}\n");
    ASSERT_TRUE(read.ok) << title;
    const auto program = gen::BuildProgram(read.model, {"m.prejoin", "0"});
    for (const gen::Target& target : gen::AllTargets()) {
      if (!target.functions) {
        continue;
      }
      for (const gen::GeneratedFile& file : target.generate(*program)) {
        std::string code;  // Without the keys, which are texts in quotes.
        for (std::size_t at = 0; at < file.text.size();) {
          const std::size_t end = std::min(file.text.find('\n', at), file.text.size() - 1) + 1;
          const std::string line = file.text.substr(at, end - at);
          if (line.find("\"*/ EVIL#") == std::string::npos &&
              line.find("'*/ EVIL#") == std::string::npos &&
              line.find("`*/ EVIL#") == std::string::npos) {
            code += line;
          }
          at = end;
        }
        for (const char* end :
             {"*/ EVIL", "\"\"\" EVIL", "\nEVIL", "\u2028", "\\u000a", "EVIL\\"}) {
          EXPECT_EQ(code.find(end), std::string::npos) << target.name << " " << file.path << title;
        }
      }
    }
  }
}

}  // namespace
}  // namespace prejoin
