// The table of the language's words against the readers that take them: neither may lag behind the other.
#include "model/syntax/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "model/bind/read_model.h"
#include "model/schema/attribute_type.h"
#include "tests/model/example_files.h"

namespace prejoin::model {
namespace {

using ::testing::HasSubstr;

// The sources of everything that reads a model file.
std::vector<std::string> ReaderSources() {
  std::vector<std::string> sources;
  for (const char* folder : {"/src/model/schema", "/src/model/syntax"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(PREJOIN_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() == ".cc" && entry.path().filename() != "words.cc") {
        sources.push_back(ReadFileForTesting(entry.path()));
      }
    }
  }
  return sources;
}

void Collect(const std::string& source, const char* pattern, std::set<std::string>& found) {
  const std::regex regex(pattern);
  for (std::sregex_iterator match(source.begin(), source.end(), regex), end; match != end;
       ++match) {
    found.insert((*match)[1]);
  }
}

TEST(Words, EveryWordThatAReaderTakesIsInTheTable) {
  std::set<std::string> taken;
  for (const std::string& source : ReaderSources()) {
    Collect(source, R"((?:TakeWord|ExpectWord|IsWord)\("([a-z_-]+)\"\))", taken);
    Collect(source, R"(head\(\) [!=]= "([a-z_-]+)\")", taken);
    Collect(source, R"(words\[\d\] == "([a-z]+)\")", taken);
  }
  ASSERT_GT(taken.size(), 80u);
  for (const std::string& word : taken) {
    EXPECT_NE(FindWord(word), nullptr)
        << word << " is read, but src/model/syntax/words.cc lacks it";
  }
}

TEST(Words, EveryWordOfTheTableIsReadSomewhere) {
  std::set<std::string> quoted;
  for (const std::string& source : ReaderSources()) {
    Collect(source, R"-("([a-z_-]+)")-", quoted);
  }
  for (const Word& word : AllWords()) {
    EXPECT_TRUE(quoted.contains(std::string(word.text))) << word.text << " is read nowhere";
  }
}

TEST(Words, TypesAreThoseOfTheTypeTable) {
  const std::vector<std::string> words = WordsAt(WordPlace::kType);
  for (const AttributeTypeTraits& type : AllAttributeTypes()) {
    EXPECT_THAT(words, ::testing::Contains(std::string(type.word)));
  }
  EXPECT_EQ(words.size(), AllAttributeTypes().size() + 3);  // references, max, of
}

TEST(Words, TopOfTheFileTakesExactlyTheWordsOfTheFile) {
  for (const Word& word : AllWords()) {
    const std::string text = std::string(word.text) + "\n";
    bool starts = true;
    for (const Diagnostic& finding : ReadModel(text).diagnostics) {
      starts = starts && finding.message.find("does not start a statement") == std::string::npos;
    }
    const std::vector<std::string> file = WordsAt(WordPlace::kFile);
    EXPECT_EQ(starts, std::ranges::count(file, word.text) > 0) << word.text;
  }
}

TEST(Words, HelpIsOneSentence) {
  std::set<std::pair<std::string_view, WordPlace>> seen;
  for (const Word& word : AllWords()) {
    EXPECT_TRUE(word.help.ends_with('.')) << word.text;
    EXPECT_EQ(word.help.find(". "), std::string_view::npos) << word.text;
    EXPECT_LE(word.help.size(), 90u) << word.text;
    EXPECT_EQ(word.place == WordPlace::kClause, !word.behind.empty()) << word.text;
    EXPECT_TRUE(word.place == WordPlace::kClause || seen.emplace(word.text, word.place).second)
        << word.text << " has two rows for " << WordPlaceName(word.place);
  }
}

TEST(Words, PlacesDecideWhichMeaningIsFound) {
  const WordPlace entity[] = {WordPlace::kEntity};
  const WordPlace stored[] = {WordPlace::kStored};
  EXPECT_THAT(std::string(FindWord("count", entity)->help), HasSubstr("how many rows"));
  EXPECT_THAT(std::string(FindWord("count", stored)->help), HasSubstr("point at this one"));
  EXPECT_EQ(FindWord("zipf", stored)->place, WordPlace::kAttribute);
  EXPECT_EQ(FindWord("frobnicate"), nullptr);
  EXPECT_THAT(WordsBehind("example"), ::testing::ElementsAre("gives", "rows", "row"));
  EXPECT_TRUE(WordsBehind("").empty());
}

}  // namespace
}  // namespace prejoin::model
