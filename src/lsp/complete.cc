// Words that can be written at a place. The line up to the place and the declaration around it decide; the
// model says which names there are. Works on a file that does not read, which is the usual case
// while somebody types.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "json/writer.h"
#include "lsp/features.h"
#include "model/schema/strategy.h"
#include "model/syntax/words.h"

namespace prejoin::lsp {
namespace {

using model::WordPlace;

constexpr int kKeywordItem = 14;

struct Proposal {
  std::string label;
  int kind = kKeywordItem;
  std::string detail;
};

constexpr int kClassItem = 7;
constexpr int kFieldItem = 5;
constexpr int kValueItem = 12;

// The declaration that a line is in: `entity Student`, and inside a table `item Student`.
struct Block {
  std::string word;
  std::string name;
};

bool IsWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

std::vector<std::string> WordsOf(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line) {
    if (IsWordByte(c)) {
      word += c;
      continue;
    }
    if (!word.empty()) {
      words.push_back(std::move(word));
    }
    word.clear();
    if (c == '.' || c == '=' || c == ':') {
      words.emplace_back(1, c);
    }
  }
  if (!word.empty()) {
    words.push_back(std::move(word));
  }
  return words;
}

// Blocks that are open above a line, outermost first, by counting braces outside quotes.
std::vector<Block> OpenBlocks(const Document& document, int line) {
  std::vector<Block> open;
  for (int i = 0; i < line; ++i) {
    bool quoted = false;
    const std::string_view text = document.Line(i);
    const std::vector<std::string> words = WordsOf(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"' && (at == 0 || text[at - 1] != '\\')) {
        quoted = !quoted;
      }
      if (quoted) {
        continue;
      }
      if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
        break;
      }
      if (c == '{') {
        open.push_back({words.empty() ? "" : words[0], words.size() > 1 ? words[1] : ""});
      }
      if (c == '}' && !open.empty()) {
        open.pop_back();
      }
    }
  }
  return open;
}

class Proposer {
 public:
  Proposer(Document& document, Position position)
      : model_(document.read().declared()), blocks_(OpenBlocks(document, position.line)) {
    const std::size_t start = document.OffsetOf({position.line, 0});
    line_ = document.text().substr(start, document.OffsetOf(position) - start);
    // The unfinished word does not affect the choice.
    std::string before = line_;
    while (!before.empty() && IsWordByte(before.back())) {
      before.pop_back();
    }
    words_ = WordsOf(before);
    in_text_ = std::count(before.begin(), before.end(), '"') % 2 == 1;
    const std::size_t last = before.find_last_not_of(" \t");
    last_sign_ = last == std::string::npos ? '\0' : before[last];
  }

  std::vector<Proposal> Run() {
    if (last_sign_ == '.' && words_.size() >= 2) {
      Attributes(words_[words_.size() - 2]);
    } else if (blocks_.empty()) {
      Top();
    } else if (in_text_) {
      if (line_.find_last_of('{') != std::string::npos &&
          line_.find_last_of('{') + 1 > line_.find_last_of('}') + 1) {
        Attributes(blocks_.back().name);
      }
    } else if (blocks_.back().word == "entity") {
      InEntity();
    } else if (blocks_.back().word == "pattern") {
      InPattern();
    } else if (blocks_.back().word == "write") {
      InWrite();
    } else if (blocks_.back().word == "relationship") {
      InRelationship();
    } else if (blocks_.back().word == "item") {
      InItem();
    } else if (blocks_.back().word == "table") {
      InTable();
    }
    return std::move(all_);
  }

 private:
  std::string Last() const { return words_.empty() ? "" : words_.back(); }

  // The language's words for a place, with their meanings.
  void Words(model::WordPlace place) {
    for (const model::Word& word : model::AllWords()) {
      if (word.place == place) {
        all_.push_back({std::string(word.text), kKeywordItem, std::string(word.help)});
      }
    }
  }
  // Words that may follow the first word of the line.
  void WordsBehindHead() {
    constexpr std::array kPlaces = {model::WordPlace::kClause};
    for (const std::string& word : model::WordsBehind(words_[0])) {
      all_.push_back({word, kKeywordItem, std::string(model::FindWord(word, kPlaces)->help)});
    }
  }
  void Entities() {
    for (const model::Entity& entity : model_.entities) {
      all_.push_back({entity.name.text, kClassItem, "entity"});
    }
  }
  void Attributes(const std::string& entity_name) {
    const model::Entity* entity = model_.FindEntity(entity_name);
    if (entity == nullptr) {
      return;
    }
    for (const model::Attribute& attribute : entity->attributes) {
      all_.push_back(
          {attribute.name.text, kFieldItem, std::string(model::AttributeTypeName(attribute.type))});
    }
  }

  void Top() {
    if (words_.empty()) {
      Words(WordPlace::kFile);
    } else if (words_[0] == "strategy" && Last() == "=") {
      for (const model::Strategy& strategy : model::AllStrategies()) {
        all_.push_back({std::string(strategy.name), kValueItem, std::string(strategy.shape)});
      }
    } else if (words_[0] == "strategy") {
      for (const model::Relationship& one : model_.relationships) {
        all_.push_back({one.name.text, kClassItem, "relationship"});
      }
    } else if (words_[0] == "sample" && words_.size() > 1) {
      Attributes(words_[1]);
    } else if (words_[0] == "sample" || words_[0] == "tenant" || Last() == ":" ||
               Last().ends_with("-many") || Last() == "one-to-one" || Last() == "through") {
      Entities();
    } else if (words_[0] == "relationship" || words_[0] == "hierarchy") {
      Words(WordPlace::kSides);
    } else if (words_[0] == "table") {
      Words(WordPlace::kKeys);
    } else {
      WordsBehindHead();
    }
  }

  void InEntity() {
    if (words_.empty()) {
      Words(WordPlace::kEntity);
    } else if (words_[0] == "count" || words_[0] == "ttl" || words_[0] == "allow") {
      WordsBehindHead();
    } else if (Last() == "references") {
      Entities();
    } else if (words_.size() == 1) {
      Words(WordPlace::kType);
    } else {
      Words(WordPlace::kAttribute);
    }
  }

  static bool IsMeasure(const std::string& word) { return word == "count" || word == "sum"; }

  // The entity of the `find` that the place is in; conditions after `via` are on the link.
  std::string FoundEntity() const {
    std::string entity;
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (words_[i] == "find" || (i == 0 && IsMeasure(words_[i]))) {
        entity = words_[i + 1];
      }
      if (words_[i] == "via") {
        entity = words_[i + 1];
      }
    }
    return entity;
  }

  void InPattern() {
    if (words_.empty()) {
      Words(WordPlace::kPattern);
    } else if (Last() == "find" || Last() == "via" ||
               (words_.size() == 1 && IsMeasure(words_[0]))) {
      Entities();
    } else if (words_[0] == "fresh") {
      Words(WordPlace::kFresh);
      if (Last() == "after") {
        all_.clear();
        for (const model::Write& write : model_.writes) {
          all_.push_back({write.name.text, kClassItem, "write"});
        }
      }
    } else if (Last() == "where" || Last() == "and" || Last() == "by" || Last() == "get" ||
               Last() == "optional" || last_sign_ == ',' || last_sign_ == '(') {
      Attributes(FoundEntity());
      if (Last() == "get") {
        Entities();
      }
      Words(WordPlace::kCondition);
      Words(WordPlace::kConnective);
    } else if (words_[0] == "find" || IsMeasure(words_[0])) {
      Words(WordPlace::kFind);
      Words(WordPlace::kOrder);
      Words(WordPlace::kCondition);
      Words(WordPlace::kConnective);
    } else {
      WordsBehindHead();
    }
  }

  void InWrite() {
    if (words_.empty()) {
      Words(WordPlace::kWrite);
    } else if (words_[0] == "rate" || words_[0] == "allow") {
      WordsBehindHead();
    } else if (words_.size() == 1 || Last() == "each" || Last() == "with") {
      Entities();
    } else if (Last() == "set" || Last() == "remove" || Last() == "where" || Last() == "if" ||
               last_sign_ == ',') {
      Attributes(words_[1]);
    } else {
      Words(WordPlace::kStep);
      Words(WordPlace::kCondition);
      Words(WordPlace::kConnective);
    }
  }

  void InRelationship() {
    if (words_.empty()) {
      Words(WordPlace::kRelationship);
    } else if (Last() == "each") {
      Entities();
    } else {
      Words(WordPlace::kCardinality);
      WordsBehindHead();
    }
  }

  void InTable() {
    if (words_.empty()) {
      Words(WordPlace::kTable);
    } else if (Last() == "item" || Last() == "sorts" || Last() == "before") {
      Entities();
    } else if (Last() == "project" || last_sign_ == ',') {
      Words(WordPlace::kProjection);
      std::set<std::string> seen;
      for (const model::Entity& entity : model_.entities) {
        for (const model::Attribute& attribute : entity.attributes) {
          if (seen.insert(attribute.name.text).second) {
            all_.push_back({attribute.name.text, kFieldItem, entity.name.text});
          }
        }
      }
    } else {
      Words(WordPlace::kKeys);
      WordsBehindHead();
    }
  }

  void InItem() {
    if (words_.empty()) {
      const model::Table* table = nullptr;
      for (const model::Table& one : model_.tables) {
        if (blocks_.size() > 1 && one.name.text == blocks_[0].name) {
          table = &one;
        }
      }
      std::set<std::string> keys;
      if (table != nullptr) {
        keys = {table->partition.text, table->sort.text};
        for (const model::Index& index : table->indexes) {
          for (const model::Name& name : index.partition) {
            keys.insert(name.text);
          }
          for (const model::Name& name : index.sort) {
            keys.insert(name.text);
          }
        }
      }
      for (const std::string& key : keys) {
        if (!key.empty()) {
          all_.push_back({key, kFieldItem, "key"});
        }
      }
      Words(WordPlace::kItem);
    } else if (words_[0] == "without" || Last() == "=") {
      Attributes(blocks_.back().name);
      if (Last() == "=") {
        Words(WordPlace::kStored);
      }
    } else if (Last() == "of") {
      Entities();
    } else if (words_[0] == "unique" || words_[0] == "allow") {
      WordsBehindHead();
    } else if (Last() == "by" && std::ranges::count(words_, "kept") > 0) {
      Words(WordPlace::kUpkeep);
    } else if (Last() != "by") {
      Words(WordPlace::kStored);
    }
  }

  const model::ParsedModel& model_;
  const std::vector<Block> blocks_;
  std::string line_;
  std::vector<std::string> words_;
  bool in_text_ = false;
  char last_sign_ = '\0';
  std::vector<Proposal> all_;
};

}  // namespace

std::string CompletionsJson(Document& document, Position position) {
  std::string out;
  json::AppendArray(Proposer(document, position).Run(), out, [&](const Proposal& proposal) {
    json::ObjectWriter object(out);
    object.String("label", proposal.label);
    object.Integer("kind", proposal.kind);
    if (!proposal.detail.empty()) {
      object.String(proposal.kind == kKeywordItem ? "documentation" : "detail", proposal.detail);
    }
  });
  return out;
}

}  // namespace prejoin::lsp
