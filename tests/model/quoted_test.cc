#include "model/syntax/quoted.h"

#include <gtest/gtest.h>

#include "model/bind/read_model.h"

namespace prejoin::model {
namespace {

// A fixed key may hold anything that the lexer reads; a design that is printed must read as the same.
TEST(Quoted, ReadsBackAsTheSameText) {
  for (const std::string text :
       {"META", "a\nb", "\t", "say \"yes\"", "back\\slash", "\\n", "\u00e9"}) {
    const std::string source =
        "entity E {\n  id text key\n}\ntable T partition PK sort SK {\n  item E {\n    PK = "
        "\"{id}\"\n    SK = " +
        Quoted(text) + "\n  }\n}\n";
    const ReadModelResult read = ReadModel(source);
    ASSERT_TRUE(read.ok) << source;
    const KeyTemplate& key = read.model.tables[0].items[0].Find("SK")->key;
    EXPECT_EQ(key.LeadingLiteral(), text);
    EXPECT_EQ(key.ToString(), Quoted(text));
  }
}

}  // namespace
}  // namespace prejoin::model
