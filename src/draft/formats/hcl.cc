// Blocks are read at once; expressions are only delimited, and evaluated when somebody asks, because a variable or local may stand below its
// use. An expression is parsed and evaluated in one pass. Operators, functions and references that depend on anything outside the file
// give an unknown value, and so does everything made of one.
#include "draft/formats/hcl.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>

#include "base/parse_number.h"
#include "draft/names.h"

namespace prejoin::draft {
namespace {

constexpr int kHclDepthMax = 30;
constexpr std::size_t kHclWorkMax = 500'000;

bool IsHclWordPart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

// Reads the characters that all of HCL has in common.
class HclCursor {
 public:
  explicit HclCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Here() const { return AtEnd() ? '\0' : text_[at_]; }
  bool StartsWith(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  std::size_t at() const { return at_; }
  void Move(std::size_t count) { at_ = std::min(at_ + count, text_.size()); }
  std::string_view From(std::size_t start) const { return text_.substr(start, at_ - start); }

  // Returns false if there was no comment.
  bool SkipComment() {
    if (Here() == '#' || StartsWith("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (StartsWith("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return false;
    }
    return true;
  }

  void SkipBlanks() {
    while (!AtEnd()) {
      if (absl::ascii_isspace(static_cast<unsigned char>(Here()))) {
        ++at_;
      } else if (!SkipComment()) {
        return;
      }
    }
  }

  std::string_view Word() {
    const std::size_t start = at_;
    while (!AtEnd() && IsHclWordPart(Here())) {
      ++at_;
    }
    return From(start);
  }

  // From the quote on: the text between the quotes, as it is written. `${…}` may have quotes inside.
  std::string_view Quoted() {
    const std::size_t start = ++at_;
    int depth = 0;
    for (; !AtEnd(); ++at_) {
      if (Here() == '\\') {
        ++at_;
      } else if (StartsWith("${") || StartsWith("%{")) {
        ++depth;
        ++at_;
      } else if (depth > 0 && (Here() == '{' || Here() == '}')) {
        depth += Here() == '{' ? 1 : -1;
      } else if (Here() == '"' && depth == 0) {
        break;
      } else if (Here() == '\n') {
        break;  // A text never goes on in the next line, so the rest of the file is not lost with it.
      }
    }
    at_ = std::min(at_, text_.size());
    const std::string_view text = From(start);
    Move(Here() == '"' ? 1 : 0);
    return text;
  }

  // From `<<` on: the lines up to the one that has only the word after it.
  std::string_view Heredoc() {
    Move(StartsWith("<<-") ? 3 : 2);
    const std::string_view word = Word();
    const std::size_t start = std::min(text_.find('\n', at_), text_.size());
    at_ = start;
    while (!AtEnd() && !word.empty()) {
      const std::size_t line = ++at_;
      at_ = std::min(text_.find('\n', line), text_.size());
      if (Trimmed(From(line)) == word) {
        return text_.substr(start, line - start);
      }
    }
    return text_.substr(start);
  }

  // An expression, to the end of its line or of the block that it is in.
  std::string_view Expression() {
    const std::size_t start = at_;
    int depth = 0;
    while (!AtEnd() && !(depth == 0 && (Here() == '\n' || Here() == '}'))) {
      if (Here() == '"') {
        Quoted();
      } else if (StartsWith("<<") && at_ + 2 < text_.size() &&
                 (text_[at_ + 2] == '-' || IsHclWordPart(text_[at_ + 2]))) {
        Heredoc();
      } else if (!SkipComment()) {
        depth = std::max(0, depth + Bracket());
        ++at_;
      }
    }
    return From(start);
  }

  // Behind the bracket that closes the one that is open.
  void SkipOpen() {
    for (int depth = 1; !AtEnd() && depth > 0;) {
      if (Here() == '"') {
        Quoted();
      } else if (!SkipComment()) {
        depth += Bracket();
        ++at_;
      }
    }
  }

 private:
  static std::string_view Trimmed(std::string_view line) {
    const std::size_t first = std::min(line.find_first_not_of(" \t\r"), line.size());
    return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  }
  int Bracket() const {
    const char c = Here();
    return c == '[' || c == '{' || c == '(' ? 1 : c == ']' || c == '}' || c == ')' ? -1 : 0;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

// Reads until the closing brace, or the end of the file.
void ReadHclBody(HclCursor& cursor, HclBlock& block, int depth) {
  for (cursor.SkipBlanks(); !cursor.AtEnd() && cursor.Here() != '}'; cursor.SkipBlanks()) {
    const std::size_t before = cursor.at();
    const std::string name(cursor.Here() == '"' ? cursor.Quoted() : cursor.Word());
    std::vector<std::string> labels;
    while (cursor.Here() == ' ' || cursor.Here() == '\t' || cursor.Here() == '"' ||
           IsHclWordPart(cursor.Here())) {
      if (cursor.Here() == '"') {
        labels.emplace_back(cursor.Quoted());
      } else if (IsHclWordPart(cursor.Here())) {
        labels.emplace_back(cursor.Word());
      } else {
        cursor.Move(1);
      }
    }
    if (cursor.Here() == '=') {
      cursor.Move(1);
      block.attributes[name] = cursor.Expression();
    } else if (cursor.Here() == '{' && depth < kHclDepthMax) {
      cursor.Move(1);
      HclBlock inner{name, std::move(labels), {}, {}};
      ReadHclBody(cursor, inner, depth + 1);
      cursor.Move(1);
      block.blocks.push_back(std::move(inner));
    } else if (cursor.at() == before) {
      cursor.Move(1);
    }
  }
}

HclValue HclText(std::string text) {
  HclValue value;
  value.kind = HclValue::Kind::kText;
  value.text = std::move(text);
  return value;
}

class HclEvaluator {
 public:
  HclEvaluator(HclScope& scope, const HclBindings& bindings, std::string_view expression, int depth)
      : scope_(scope), bindings_(bindings), cursor_(expression), depth_(depth) {}

  // The whole expression; unknown if anything is left behind it.
  HclValue Whole() {
    HclValue value = Conditional();
    cursor_.SkipBlanks();
    return cursor_.AtEnd() ? value : HclValue();
  }

 private:
  bool Take(std::string_view sign) {
    cursor_.SkipBlanks();
    if (!cursor_.StartsWith(sign)) {
      return false;
    }
    cursor_.Move(sign.size());
    return true;
  }

  // As `!If` of a template: the first branch where the condition is not known.
  HclValue Conditional() {
    if (depth_ > kHclDepthMax || !scope_.Spend(1)) {
      cursor_.Move(std::string_view::npos - cursor_.at());
      return {};
    }
    ++depth_;
    HclValue value = Either();
    if (Take("?")) {
      const bool no = value.known() && value.text != "true";
      HclValue first = Conditional();
      Take(":");
      HclValue second = Conditional();
      value = no ? std::move(second) : std::move(first);
    }
    --depth_;
    return value;
  }

  HclValue Either() {
    HclValue value = Compared();
    while (true) {
      const bool both = Take("&&");
      if (!both && !Take("||")) {
        return value;
      }
      const HclValue other = Compared();
      const bool known = value.known() && other.known();
      const bool result = both ? value.text == "true" && other.text == "true"
                               : value.text == "true" || other.text == "true";
      value = known ? HclText(result ? "true" : "false") : HclValue();
    }
  }

  HclValue Compared() {
    HclValue value = Postfix();
    while (true) {
      const bool equal = Take("==");
      if (equal || Take("!=")) {
        const HclValue other = Postfix();
        const bool simple = value.known() && other.known() && value.list.empty() && other.list.empty();
        const bool same = value.kind == other.kind && value.text == other.text;
        value = simple ? HclText(same == equal ? "true" : "false") : HclValue();
        continue;
      }
      constexpr auto kOperators = std::to_array<std::string_view>({"<=", ">=", "<", ">", "+", "-", "*", "/", "%"});
      if (std::ranges::none_of(kOperators, [&](std::string_view sign) { return Take(sign); })) {
        return value;
      }
      Postfix();
      value = {};
    }
  }

  HclValue Postfix() {
    bool negated = false;
    while (!AtUnequal() && Take("!")) {
      negated = !negated;
    }
    HclValue value = Operand();
    return negated && value.known() ? HclText(value.text == "true" ? "false" : "true") : value;
  }

  bool AtUnequal() {
    cursor_.SkipBlanks();
    return cursor_.StartsWith("!=");
  }

  // With its members and elements.
  HclValue Operand() {
    HclValue value = Primary();
    while (true) {
      if (cursor_.Here() == '.') {
        cursor_.Move(1);
        const std::string name(cursor_.Here() == '*' ? "" : cursor_.Word());
        cursor_.Move(name.empty() ? 1 : 0);
        value = Member(value, name);
      } else if (cursor_.Here() == '[') {
        cursor_.Move(1);
        const HclValue index = Conditional();
        Take("]");
        value = index.kind == HclValue::Kind::kText ? Member(value, index.text) : HclValue();
      } else {
        return value;
      }
    }
  }

  static HclValue Member(const HclValue& value, const std::string& name) {
    if (const HclValue* member = value.Find(name)) {
      return *member;
    }
    const auto index = ParseInteger<std::size_t>(name);
    return value.kind == HclValue::Kind::kList && index && *index < value.list.size()
               ? value.list[*index]
               : HclValue();
  }

  HclValue Primary() {
    cursor_.SkipBlanks();
    if (cursor_.Here() == '"') {
      return Template(cursor_.Quoted());
    }
    if (cursor_.StartsWith("<<")) {
      return Template(cursor_.Heredoc());
    }
    if (Take("(")) {
      HclValue value = Conditional();
      Take(")");
      return value;
    }
    if (Take("[")) {
      return Sequence(HclValue::Kind::kList, "]");
    }
    if (Take("{")) {
      return Sequence(HclValue::Kind::kObject, "}");
    }
    const std::string word(cursor_.Word());
    if (word.empty()) {
      cursor_.Move(1);
      return {};
    }
    if (cursor_.Here() == '(') {
      cursor_.Move(1);
      return Call(word);
    }
    return Named(word);
  }

  // Texts with `${…}` inside.
  HclValue Template(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t open = std::min(text.find("${"), text.size());
      for (std::size_t i = 0; i < open; ++i) {
        i += text[i] == '\\' && i + 1 < open ? 1 : 0;
        out += text[i];
      }
      text.remove_prefix(open);
      if (text.empty()) {
        break;
      }
      HclCursor inside(text.substr(2));
      const std::string_view expression = inside.Expression();
      text.remove_prefix(std::min(2 + expression.size() + 1, text.size()));
      const HclValue value = HclEvaluator(scope_, bindings_, expression, depth_ + 1).Whole();
      if (value.kind != HclValue::Kind::kText) {
        return {};
      }
      out += value.text;
      if (!scope_.Spend(out.size())) {
        return {};
      }
    }
    return scope_.Spend(out.size()) ? HclText(std::move(out)) : HclValue();
  }

  // A list or an object, behind its bracket. One that a `for` makes is unknown.
  HclValue Sequence(HclValue::Kind kind, std::string_view end) {
    HclValue value;
    value.kind = kind;
    bool computed = false;
    while (!Take(end) && !cursor_.AtEnd()) {
      const std::size_t before = cursor_.at();
      if (kind == HclValue::Kind::kObject) {
        const bool quoted = cursor_.Here() == '"';
        const bool open = !quoted && Take("(");
        HclValue name = open ? Conditional() : HclText(std::string(quoted ? cursor_.Quoted() : cursor_.Word()));
        computed = computed || (open && !Take(")")) || !name.known();
        computed = computed || (!Take("=>") && !Take("=") && !Take(":"));
        value.names.push_back(std::move(name.text));
      }
      value.list.push_back(Conditional());
      Take(",");
      computed = computed || cursor_.at() == before ||
                 (kind == HclValue::Kind::kList && cursor_.StartsWith("for "));
      if (computed) {
        cursor_.SkipOpen();
        return {};
      }
    }
    return value;
  }

  // Functions that give one of their arguments are known.
  HclValue Call(const std::string& function) {
    std::vector<HclValue> arguments;
    while (!Take(")") && !cursor_.AtEnd()) {
      arguments.push_back(Conditional());
      Take(",");
    }
    constexpr auto kFirst = std::to_array<std::string_view>({"toset", "tolist", "tomap", "tostring", "try", "coalesce", "trimspace"});
    if (std::ranges::count(kFirst, function) > 0) {
      const auto known = std::ranges::find_if(arguments, [](const HclValue& one) {
        return one.known() && one.kind != HclValue::Kind::kNull;
      });
      return known == arguments.end() ? HclValue() : *known;
    }
    const bool lower = function == "lower";
    if ((lower || function == "upper") && arguments.size() == 1 &&
        arguments[0].kind == HclValue::Kind::kText) {
      return HclText(lower ? Lowered(arguments[0].text) : Uppered(arguments[0].text));
    }
    return {};
  }

  HclValue Named(const std::string& word) {
    if (word == "null") {
      HclValue value;
      value.kind = HclValue::Kind::kNull;
      return value;
    }
    if (word == "true" || word == "false" || absl::ascii_isdigit(static_cast<unsigned char>(word[0]))) {
      return HclText(word);
    }
    if (const auto bound = bindings_.find(word); bound != bindings_.end()) {
      return bound->second;
    }
    if ((word != "var" && word != "local") || cursor_.Here() != '.') {
      return {};
    }
    cursor_.Move(1);
    const std::string_view* const known = scope_.Find(word, cursor_.Word());
    return known == nullptr ? HclValue() : HclEvaluator(scope_, {}, *known, depth_ + 1).Whole();
  }

  HclScope& scope_;
  const HclBindings bindings_;
  HclCursor cursor_;
  int depth_;
};

}  // namespace

std::vector<HclBlock> ReadHcl(std::string_view text) {
  HclCursor cursor(text);
  HclBlock file;
  while (!cursor.AtEnd()) {
    ReadHclBody(cursor, file, 0);
    cursor.Move(1);  // A brace too many.
  }
  return std::move(file.blocks);
}

const HclValue* HclValue::Find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return kind == Kind::kObject && found != names.end() ? &list[static_cast<std::size_t>(found - names.begin())]
                                                       : nullptr;
}

HclScope::HclScope(const std::vector<HclBlock>& file) {
  for (const HclBlock& block : file) {
    if (block.kind == "locals") {
      locals_.insert(block.attributes.begin(), block.attributes.end());
    }
    const auto value = block.attributes.find("default");
    if (block.kind == "variable" && !block.labels.empty() && value != block.attributes.end()) {
      variables_[block.labels[0]] = value->second;
    }
  }
}

const std::string_view* HclScope::Find(std::string_view root, std::string_view name) const {
  const auto& known = root == "var" ? variables_ : locals_;
  const auto found = known.find(name);
  return found == known.end() ? nullptr : &found->second;
}

bool HclScope::Spend(std::size_t work) {
  spent_ += work;
  return spent_ <= kHclWorkMax;
}

HclValue HclScope::Evaluate(std::string_view expression, const HclBindings& bindings) {
  return HclEvaluator(*this, bindings, expression, 0).Whole();
}

}  // namespace prejoin::draft
