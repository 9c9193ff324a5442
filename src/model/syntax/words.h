// The words of the model language: where each may stand and what it means. The readers take their hints from this
// table, the language server completions and explanations; `prejoin words` prints it for the generated files
// (scripts/words): the studio's editor, the VS Code grammar, and the list in docs/model/grammar.md.
//
// A new word is a row here, its reader, and one run of scripts/words. tests/model/words_test.cc reads the sources of the
// readers and fails for a word without a row, and for a row without a reader.
#ifndef PREJOIN_MODEL_SYNTAX_WORDS_H_
#define PREJOIN_MODEL_SYNTAX_WORDS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prejoin::model {

// A place is a block, where a word begins a statement, or a statement, where it follows others.
enum class WordPlace {
  kFile,          // Begins a statement at the top of the file.
  kEntity,        // Begins a line of an entity.
  kAttribute,     // After the type of an attribute.
  kType,          // The type of an attribute.
  kRelationship,  // Begins a line of a relationship or hierarchy.
  kSides,         // In the first line of a relationship or hierarchy.
  kCardinality,   // Behind `each`.
  kPattern,       // Begins a line of a pattern.
  kFind,          // Behind `find`.
  kOrder,         // Behind `order`.
  kCondition,     // In a condition.
  kConnective,    // Between conditions.
  kFresh,         // Behind `fresh`.
  kClause,        // After the words that `behind` lists.
  kWrite,         // Begins a line of a write.
  kStep,          // Behind `put`, `update` or `delete`.
  kTable,         // Begins a line of a table.
  kKeys,          // In the first line of a table, or in an index.
  kProjection,    // Behind `project`.
  kItem,          // Begins a line of an item.
  kStored,        // After the `=` of an item's line.
  kUpkeep,        // Behind `kept by`.
  kTemplate,      // Inside {…} of a key template.
  kValue,         // A value.
};

// "file", "entity" and so on.
std::string_view WordPlaceName(WordPlace place);

struct Word {
  std::string_view text;
  WordPlace place;
  std::string_view help;         // One sentence.
  std::string_view example;      // May be empty.
  std::string_view behind = "";  // For kClause: the first words of the statements that may hold it.
  std::string_view since = "0.1";
};

std::span<const Word> AllWords();

// The words of a place, in the order of the table.
std::vector<std::string> WordsAt(WordPlace place);
// The words that may follow in a statement that begins with `head`, where no place of its own lists them.
std::vector<std::string> WordsBehind(std::string_view head);

// The word at one of the places if it is there, else anywhere; null if the language does not have it.
const Word* FindWord(std::string_view text, std::span<const WordPlace> places = {});

// The table for programs: [{"word", "place", "behind", "help", "example", "since"}].
std::string WordsJson();

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_WORDS_H_
