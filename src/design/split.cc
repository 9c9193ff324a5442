// Splitting an entity by how often its attributes change.
//
// An update is charged for the whole item, and so is every index entry whose key it moves. A payment of 8 KB whose state
// changes twice is written three times; if a small item beside it holds the state and the keys that depend on it, the
// large one is written once.
//
//   entity Payment { account, id, day, body, status }      Payment { account, id, day, body }
//                                                          PaymentState { account, id, day, status }
//
// The state has the key of the entity, the attributes that updates set, and those that patterns ask for together with
// them. Patterns that the state can answer alone read only it; those that need both halves read both. The change is made
// in the text: statements are moved and copied, and the result is read as any other file.
#include "design/split.h"

#include <algorithm>
#include <set>

#include "model/syntax/formatter.h"
#include "model/syntax/statement.h"

namespace prejoin::design {
namespace {

using model::Attribute;
using model::Entity;
using model::Model;
using model::Pattern;
using model::Section;
using model::Statement;
using model::Token;
using model::TokenKind;
using model::WriteKind;
using model::WriteStep;

constexpr double kLargeBytes = 1024;

using Names = std::set<std::string>;

Names UpdatedAttributes(const Model& model, const std::string& entity) {
  Names names;
  for (const model::Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      if (step.entity.text != entity || step.kind != WriteKind::kUpdate) {
        continue;
      }
      for (const model::Name& name : step.set) {
        names.insert(name.text);
      }
      for (const model::Name& name : step.remove) {
        names.insert(name.text);
      }
    }
  }
  return names;
}

Names AskedAttributes(const Section& section) {
  Names names;
  for (const model::Condition& condition : section.conditions) {
    names.insert(condition.attribute.text);
  }
  for (const model::OrderKey& key : section.order) {
    names.insert(key.attribute.text);
  }
  return names;
}

bool Meet(const Names& a, const Names& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return b.contains(name); });
}

bool Within(const Names& a, const Names& b) { return std::ranges::includes(b, a); }

Token Word(const std::string& text) {
  Token token;
  token.kind = TokenKind::kWord;
  token.text = token.raw = text;
  return token;
}

Statement Parsed(const std::string& text) {
  std::vector<model::Diagnostic> ignored;
  return std::move(model::ParseStatements(text, ignored).statements.at(0));
}

// The same statement without what stands around it.
Statement Bare(const Statement& statement) {
  Statement bare = statement;
  bare.comments.clear();
  bare.blank_line_before = false;
  return bare;
}

// Takes `get a, B.c` out of a find; false when there is none.
bool CutGet(Statement& find) {
  auto& tokens = find.tokens;
  const auto get =
      std::ranges::find_if(tokens, [](const Token& token) { return token.IsWord("get"); });
  if (get == tokens.end()) {
    return false;
  }
  auto end = get + 1;
  while (end != tokens.end()) {
    ++end;
    if (end != tokens.end() && end->IsSymbol(".")) {
      end += 2;
    }
    if (end == tokens.end() || !end->IsSymbol(",")) {
      break;
    }
    ++end;
  }
  tokens.erase(get, end);
  return true;
}

void AddGet(Statement& find, const std::vector<std::string>& paths) {
  std::string text = "find X get ";
  for (const std::string& path : paths) {
    text += (path == paths.front() ? "" : ", ") + path;
  }
  const Statement parsed = Parsed(text + "\n");
  find.tokens.insert(find.tokens.end(), parsed.tokens.begin() + 2, parsed.tokens.end());
}

// The values of a sample row, each as its tokens.
std::vector<std::vector<Token>> Cells(const Statement& row) {
  std::vector<std::vector<Token>> cells(1);
  int depth = 0;
  for (const Token& token : row.tokens) {
    if (token.IsSymbol("[") || token.IsSymbol("{") || token.IsSymbol("(")) {
      ++depth;
    }
    if (token.IsSymbol("]") || token.IsSymbol("}") || token.IsSymbol(")")) {
      --depth;
    }
    if (depth == 0 && token.IsSymbol(",")) {
      cells.emplace_back();
    } else {
      cells.back().push_back(token);
    }
  }
  return cells;
}

class Splitter {
 public:
  Splitter(const model::ReadModelResult& read, const Entity& entity)
      : model_(read.model), tree_(read.tree), entity_(entity) {
    moved_ = UpdatedAttributes(model_, entity.name.text);
    for (const std::string& key : entity.KeyNames()) {
      keys_.insert(key);
    }
    state_ = entity.name.text + "State";
    while (model_.FindEntity(state_) != nullptr) {
      state_ += "_";
    }
    has_ = keys_;
    has_.insert(moved_.begin(), moved_.end());
    // Attributes that are asked together with changing ones must be beside them.
    for (const Pattern& pattern : model_.patterns) {
      for (const Section& section : pattern.sections) {
        if (section.entity == entity.name && Meet(AskedAttributes(section), moved_)) {
          has_.merge(AskedAttributes(section));
        }
      }
    }
  }

  std::optional<SplitModel> Run() {
    model::SyntaxTree out;
    out.end_comments = tree_.end_comments;
    out.blank_line_before_end_comments = tree_.blank_line_before_end_comments;
    for (const Statement& statement : tree_.statements) {
      const std::string_view head = statement.head();
      if (head == "table" || head == "strategy") {
        continue;
      }
      const bool own = statement.tokens.size() > 1 && statement.tokens[1].text == entity_.name.text;
      if (head == "entity" && own) {
        AddEntities(statement, out);
      } else if (head == "pattern") {
        out.statements.push_back(RewritePattern(statement));
      } else if (head == "write") {
        out.statements.push_back(RewriteWrite(statement));
      } else if (head == "sample" && own) {
        AddSamples(statement, out);
      } else {
        out.statements.push_back(statement);
      }
      if (failed_) {
        return std::nullopt;
      }
    }
    Statement relationship = Parsed("relationship " + state_ + "s: " + entity_.name.text +
                                    " one-to-one " + state_ + "\n");
    relationship.blank_line_before = true;
    out.statements.push_back(std::move(relationship));
    SplitModel split{entity_.name.text, state_, {moved_.begin(), moved_.end()}, "", {}};
    split.source = model::FormatTree(out);
    split.read = model::ReadModel(split.source);
    if (!split.read.ok) {
      return std::nullopt;
    }
    return split;
  }

 private:
  void AddEntities(const Statement& statement, model::SyntaxTree& out) {
    Statement body = statement;
    std::erase_if(body.body, [&](const Statement& line) { return IsMoved(line); });
    out.statements.push_back(std::move(body));
    Statement state = Parsed("entity " + state_ + " {\n}\n");
    state.comments = {" What changes of `" + entity_.name.text +
                      "`, in an item of its own: a change writes this one only."};
    state.blank_line_before = statement.blank_line_before;
    for (const Statement& line : statement.body) {
      const std::string name(line.head());
      if (keys_.contains(name)) {
        state.body.push_back(
            Parsed(name + " references " + entity_.name.text + "." + name + " key\n"));
      } else if (has_.contains(name) || name == "kept" || name == "count") {
        state.body.push_back(Bare(line));
      }
    }
    out.statements.push_back(std::move(state));
  }

  bool IsMoved(const Statement& line) const {
    return moved_.contains(std::string(line.head())) && entity_.Find(line.head()) != nullptr;
  }

  Statement RewritePattern(const Statement& statement) {
    const Pattern* pattern = model_.FindPattern(statement.tokens[1].text);
    if (pattern == nullptr) {
      return statement;
    }
    Statement out = statement;
    out.body.clear();
    std::size_t section = 0;
    bool more_rows = false;
    for (const Statement& line : statement.body) {
      if (line.head() != "find") {
        out.body.push_back(line);
        continue;
      }
      if (section >= pattern->sections.size()) {
        failed_ = true;
        return out;
      }
      more_rows = RewriteFind(line, pattern->sections[section], out) || more_rows;
      ++section;
    }
    // Two halves are two rows of the answer.
    for (Statement& line : out.body) {
      if (!more_rows || line.head() != "example") {
        continue;
      }
      auto& tokens = line.tokens;
      const auto gives =
          std::ranges::find_if(tokens, [](const Token& token) { return token.IsWord("gives"); });
      tokens.erase(gives, tokens.end());
    }
    return out;
  }

  // True when the answer gets more rows by it.
  bool RewriteFind(const Statement& line, const Section& section, Statement& out) {
    if (!(section.entity == entity_.name)) {
      out.body.push_back(line);
      return false;
    }
    Names wanted;
    for (const model::Path& path : section.get) {
      // Rows joined to it stay where they are: too rare to be worth more rules.
      if (!path.entity.text.empty() && !(path.entity == entity_.name)) {
        failed_ = true;
      }
      wanted.insert(path.attribute.text);
    }
    const bool all = wanted.empty();
    if (all) {
      for (const Attribute& attribute : entity_.attributes) {
        wanted.insert(attribute.name.text);
      }
    }
    const Names asked = AskedAttributes(section);
    Statement find = line;
    if (Within(asked, has_) && (Within(wanted, has_) || Meet(asked, moved_))) {
      // The state answers, and fetches what it does not have.
      find.tokens[1] = Word(state_);
      CutGet(find);
      std::vector<std::string> paths;
      for (const std::string& name : wanted) {
        paths.push_back(has_.contains(name) ? name : entity_.name.text + "." + name);
      }
      AddGet(find, paths);
      out.body.push_back(std::move(find));
      return false;
    }
    if (!Meet(wanted, moved_)) {
      out.body.push_back(std::move(find));
      return false;
    }
    if (!Within(asked, has_)) {
      failed_ = true;
    }
    Statement state = Bare(line);
    state.tokens[1] = Word(state_);
    if (CutGet(find) && !all) {
      std::vector<std::string> stable;
      for (const std::string& name : wanted) {
        if (!moved_.contains(name)) {
          stable.push_back(name);
        }
      }
      AddGet(find, stable);
    }
    CutGet(state);
    out.body.push_back(std::move(find));
    out.body.push_back(std::move(state));
    return true;
  }

  Statement RewriteWrite(const Statement& statement) {
    Statement out = statement;
    out.body.clear();
    for (const Statement& line : statement.body) {
      const bool own = line.tokens.size() > 1 && line.tokens[1].text == entity_.name.text;
      if (own && line.head() == "update") {
        Statement update = line;
        update.tokens[1] = Word(state_);
        out.body.push_back(std::move(update));
        continue;
      }
      out.body.push_back(line);
      if (!own || (line.head() != "put" && line.head() != "delete")) {
        continue;
      }
      Statement second = Bare(line);
      second.tokens[1] = Word(state_);
      out.body.push_back(std::move(second));
    }
    return out;
  }

  void AddSamples(const Statement& statement, model::SyntaxTree& out) {
    const auto sample = std::ranges::find_if(
        model_.samples, [&](const model::Sample& one) { return one.entity == entity_.name; });
    if (sample == model_.samples.end()) {
      return;
    }
    const auto with = [&](const std::string& name, const auto& keeps) {
      std::string text = "sample " + name + " (";
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < sample->columns.size(); ++i) {
        if (!keeps(sample->columns[i].text)) {
          continue;
        }
        text += (kept.empty() ? "" : ", ") + sample->columns[i].text;
        kept.push_back(i);
      }
      Statement made = Parsed(text + ") {\n}\n");
      made.blank_line_before = statement.blank_line_before;
      for (const Statement& row : statement.body) {
        const std::vector<std::vector<Token>> cells = Cells(row);
        Statement line = row;
        line.tokens.clear();
        for (const std::size_t i : kept) {
          if (i >= cells.size()) {
            continue;
          }
          Token comma;
          comma.kind = TokenKind::kSymbol;
          comma.text = comma.raw = ",";
          if (!line.tokens.empty()) {
            line.tokens.push_back(comma);
          }
          line.tokens.insert(line.tokens.end(), cells[i].begin(), cells[i].end());
        }
        made.body.push_back(std::move(line));
      }
      out.statements.push_back(std::move(made));
    };
    with(entity_.name.text, [&](const std::string& name) { return !moved_.contains(name); });
    with(state_, [&](const std::string& name) { return has_.contains(name); });
  }

  const Model& model_;
  const model::SyntaxTree& tree_;
  const Entity& entity_;
  std::string state_;
  Names moved_;
  Names keys_;
  Names has_;  // Attributes of the state.
  bool failed_ = false;
};

// Others point at it in ways that a split would have to follow.
bool IsEntangled(const Model& model, const Entity& entity, const Names& moved) {
  for (const Pattern& pattern : model.patterns) {
    for (const Section& section : pattern.sections) {
      if (section.via == entity.name) {
        return true;
      }
      if (section.entity == entity.name &&
          (!section.via.text.empty() || !pattern.variant_of.empty() || section.has_or)) {
        return true;
      }
      for (const model::Path& path : section.get) {
        if (path.entity == entity.name && !(section.entity == entity.name)) {
          return true;
        }
      }
    }
  }
  for (const model::Write& write : model.writes) {
    for (const WriteStep& step : write.steps) {
      const auto is = [&](const model::Name& name) { return name == entity.name; };
      if (step.for_each == entity.name || std::ranges::any_of(step.cascade, is)) {
        return true;
      }
      if (!(step.entity == entity.name)) {
        continue;
      }
      if (!step.cascade.empty() || !step.guard.empty()) {
        return true;
      }
      for (const model::Condition& condition : step.where) {
        const Attribute* attribute = entity.Find(condition.attribute.text);
        if (attribute == nullptr || !attribute->is_key) {
          return true;
        }
      }
    }
  }
  for (const model::Table& table : model.tables) {
    for (const model::ItemLayout& layout : table.items) {
      for (const model::StoredAttribute& stored : layout.attributes) {
        if (stored.copy.entity == entity.name || stored.embedded == entity.name ||
            (layout.entity == entity.name && stored.kind != model::StoredKind::kTemplate)) {
          return true;
        }
      }
    }
  }
  return std::ranges::any_of(entity.attributes, [&](const Attribute& attribute) {
    return !attribute.group.empty() ||
           (moved.contains(attribute.name.text) && (attribute.unique || attribute.is_key));
  });
}

}  // namespace

std::vector<std::string> SplitCandidates(const Model& model) {
  std::vector<std::string> candidates;
  for (const Entity& entity : model.entities) {
    const Names moved = UpdatedAttributes(model, entity.name.text);
    double stable = 0;
    for (const Attribute& attribute : entity.attributes) {
      if (!moved.contains(attribute.name.text)) {
        stable += model::AverageValueBytes(attribute);
      }
    }
    if (moved.empty() || stable < kLargeBytes || !entity.ttl.text.empty() ||
        IsEntangled(model, entity, moved)) {
      continue;
    }
    candidates.push_back(entity.name.text);
  }
  std::ranges::sort(candidates);
  return candidates;
}

std::optional<SplitModel> SplitEntity(const model::ReadModelResult& read,
                                      const std::string& entity) {
  const Entity& found = read.model.AtName(entity);
  return Splitter(read, found).Run();
}

}  // namespace prejoin::design
