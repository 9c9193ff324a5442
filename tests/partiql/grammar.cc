#include "tests/partiql/grammar.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "partiql/token_reader.h"

namespace prejoin::partiql {
namespace {

constexpr int kDepthMax = 14;

const std::map<std::string, Tokens>& Samples() {
  static const std::map<std::string, Tokens> samples = {
      {"name", {"a", "b", "\"c d\"", "pk", "size", "contains", "set_add", "Music", "_x"}},
      {"step", {"a", "b", "\"inner\"", "x1"}},
      {"quoted", {"\"a\"", "\"b\"\"c\""}},
      {"text", {"'x'", "''", "'it''s'"}},
      {"number", {"1", "2.5", ".73e1", "1e2", "0"}},
      {"integer", {"0", "7"}},
  };
  return samples;
}

bool IsWord(const std::string& token) {
  return !token.empty() && (std::isalpha(static_cast<unsigned char>(token[0])) || token[0] == '_');
}

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

}  // namespace

bool IsOfClass(const std::string& name, const std::string& token) {
  if (name == "name") {
    return token[0] == '"' || (IsWord(token) && !IsKeyword(token));
  }
  if (name == "step") {
    return token[0] == '"' || (IsWord(token) && !IsReserved(token));
  }
  if (name == "quoted") {
    return token[0] == '"';
  }
  if (name == "text") {
    return token[0] == '\'';
  }
  const bool number = std::isdigit(static_cast<unsigned char>(token[0])) != 0 ||
                      (token.size() > 1 && token[0] == '.');
  return name == "number" ? number : number && std::ranges::all_of(token, [](unsigned char c) {
                                       return std::isdigit(c);
                                     });
}

// Reads the right side of a rule.
class Grammar::Reader {
 public:
  explicit Reader(std::vector<std::string> symbols) : symbols_(std::move(symbols)) {}

  Node ReadChoice() {
    Node choice{Kind::kChoice, "", {ReadSequence()}};
    while (Take("|")) {
      choice.children.push_back(ReadSequence());
    }
    return choice.children.size() == 1 ? choice.children[0] : choice;
  }

 private:
  bool Take(const std::string& symbol) {
    const bool found = at_ < symbols_.size() && symbols_[at_] == symbol;
    at_ += found ? 1 : 0;
    return found;
  }

  Node ReadSequence() {
    Node sequence;
    while (at_ < symbols_.size() && symbols_[at_] != "|" && symbols_[at_] != ")" &&
           symbols_[at_] != "]" && symbols_[at_] != "}") {
      sequence.children.push_back(ReadOne());
    }
    return sequence;
  }

  Node ReadOne() {
    const std::string symbol = symbols_[at_++];
    if (symbol == "(" || symbol == "[" || symbol == "{") {
      Node inner = ReadChoice();
      ++at_;
      return symbol == "(" ? inner
                           : Node{symbol == "[" ? Kind::kOptional : Kind::kRepeat, "", {inner}};
    }
    if (symbol[0] == '"') {
      return {Kind::kSymbol, symbol.substr(1, symbol.size() - 2), {}};
    }
    return {std::isupper(static_cast<unsigned char>(symbol[0])) ? Kind::kWord : Kind::kRule,
            symbol,
            {}};
  }

  std::vector<std::string> symbols_;
  std::size_t at_ = 0;
};

Grammar::Grammar(const std::string& text) {
  std::istringstream in(text);
  std::map<std::string, std::vector<std::string>> sides;
  std::string word;
  std::string rule;
  std::vector<std::string> words;
  while (in >> word) {
    words.push_back(word);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + 1 < words.size() && words[i + 1] == ":=") {
      rule = words[i++];
    } else {
      sides[rule].push_back(words[i]);
    }
  }
  for (const auto& [name, side] : sides) {
    rules_[name] = Reader(side).ReadChoice();
    Collect(rules_[name], named_);
  }
}

void Grammar::Collect(const Node& node, std::set<std::string>& rules) {
  if (node.kind == Kind::kRule) {
    rules.insert(node.text);
  } else if (node.kind == Kind::kWord || node.kind == Kind::kSymbol) {
    words_.insert(node.text);
  }
  for (const Node& child : node.children) {
    Collect(child, rules);
  }
}

std::vector<std::string> Grammar::Unknown() const {
  std::vector<std::string> unknown;
  for (const std::string& name : named_) {
    if (!rules_.contains(name) && !Samples().contains(name)) {
      unknown.push_back(name);
    }
  }
  return unknown;
}

std::vector<std::string> Grammar::rules() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : rules_) {
    names.push_back(name);
  }
  return names;
}

Tokens Grammar::Make(const std::string& rule, std::mt19937& random,
                     std::set<std::string>& used) const {
  Tokens tokens;
  MakeNode({Kind::kRule, rule, {}}, 0, random, used, tokens);
  return tokens;
}

// Past some depth, only what is shortest: the first choice, nothing optional.
void Grammar::MakeNode(const Node& node, int depth, std::mt19937& random,
                       std::set<std::string>& used, Tokens& out) const {
  const bool deep = depth > kDepthMax;
  switch (node.kind) {
    case Kind::kWord:
      out.push_back(random() % 4 == 0
                        ? std::string(1, node.text[0]) +
                              [&] {
                                std::string rest = node.text.substr(1);
                                std::ranges::transform(rest, rest.begin(), [](unsigned char c) {
                                  return static_cast<char>(std::tolower(c));
                                });
                                return rest;
                              }()
                        : node.text);
      return;
    case Kind::kSymbol:
      out.push_back(node.text);
      return;
    case Kind::kRule:
      if (const auto sample = Samples().find(node.text); sample != Samples().end()) {
        out.push_back(sample->second[random() % sample->second.size()]);
        return;
      }
      used.insert(node.text);
      return MakeNode(rules_.at(node.text), depth + 1, random, used, out);
    case Kind::kSequence:
      for (const Node& child : node.children) {
        MakeNode(child, depth, random, used, out);
      }
      return;
    case Kind::kChoice:
      return MakeNode(node.children[deep ? 0 : random() % node.children.size()], depth, random,
                      used, out);
    case Kind::kOptional:
      if (!deep && random() % 2 == 0) {
        MakeNode(node.children[0], depth, random, used, out);
      }
      return;
    case Kind::kRepeat:
      while (!deep && random() % 3 == 0) {
        MakeNode(node.children[0], depth, random, used, out);
      }
      return;
  }
}

// All places where a node that begins at a place can end. Every rule at every place is looked at
// once.
class Grammar::Recogniser {
 public:
  Recogniser(const Grammar& grammar, const Tokens& tokens) : grammar_(grammar), tokens_(tokens) {}

  std::set<std::size_t> Ends(const Node& node, std::size_t at) {
    switch (node.kind) {
      case Kind::kWord:
        return Next(at, at < tokens_.size() && Upper(tokens_[at]) == node.text);
      case Kind::kSymbol:
        return Next(at, at < tokens_.size() && tokens_[at] == node.text);
      case Kind::kRule:
        return RuleEnds(node.text, at);
      case Kind::kSequence: {
        std::set<std::size_t> ends = {at};
        for (const Node& child : node.children) {
          ends = From(child, ends);
        }
        return ends;
      }
      case Kind::kChoice: {
        std::set<std::size_t> ends;
        for (const Node& child : node.children) {
          ends.merge(Ends(child, at));
        }
        return ends;
      }
      case Kind::kOptional: {
        std::set<std::size_t> ends = Ends(node.children[0], at);
        ends.insert(at);
        return ends;
      }
      case Kind::kRepeat: {
        std::set<std::size_t> ends = {at};
        for (std::set<std::size_t> more = ends; !more.empty();) {
          more = From(node.children[0], more);
          for (const std::size_t end : ends) {
            more.erase(end);
          }
          ends.insert(more.begin(), more.end());
        }
        return ends;
      }
    }
    return {};
  }

 private:
  static std::set<std::size_t> Next(std::size_t at, bool matches) {
    return matches ? std::set<std::size_t>{at + 1} : std::set<std::size_t>();
  }

  std::set<std::size_t> From(const Node& node, const std::set<std::size_t>& places) {
    std::set<std::size_t> ends;
    for (const std::size_t place : places) {
      ends.merge(Ends(node, place));
    }
    return ends;
  }

  std::set<std::size_t> RuleEnds(const std::string& name, std::size_t at) {
    const auto rule = grammar_.rules_.find(name);
    if (rule == grammar_.rules_.end()) {
      return Next(at, at < tokens_.size() && IsOfClass(name, tokens_[at]));
    }
    const auto [entry, is_new] = known_.try_emplace({name, at});
    if (is_new) {
      std::set<std::size_t> ends = Ends(rule->second, at);
      known_[{name, at}] = ends;
      return ends;
    }
    return entry->second;
  }

  const Grammar& grammar_;
  const Tokens& tokens_;
  std::map<std::pair<std::string, std::size_t>, std::set<std::size_t>> known_;
};

bool Grammar::Accepts(const std::string& rule, const Tokens& tokens) const {
  return Recogniser(*this, tokens).Ends({Kind::kRule, rule, {}}, 0).contains(tokens.size());
}

}  // namespace prejoin::partiql
