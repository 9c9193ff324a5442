// Reads values by recursive descent and writes them as JSON at once. An expression that is no literal is skipped up to the comma or
// bracket that ends it: brackets, texts, comments and regular expressions are told apart, nothing else is.
#include "draft/formats/program_json.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "draft/names.h"
#include "json/writer.h"

namespace prejoin::draft {
namespace {

constexpr int kLiteralDepthMax = 40;
constexpr std::size_t kConstantBytesMax = 4'000'000;

bool IsNamePart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) { FindConstants(); }

  std::string Schemas() {
    std::string entities;
    for (std::size_t at = text_.find("new Entity"); at != std::string_view::npos;
         at = text_.find("new Entity", at + 1)) {
      at_ = at + std::string_view("new Entity").size();
      SkipTypeArguments();
      if (Take('(')) {
        if (auto value = ReadValue(0); value && value->starts_with('{')) {
          entities += (entities.empty() ? "" : ",") + *value;
        }
      }
    }
    if (!entities.empty()) {
      return "[" + entities + "]";
    }
    const std::string onetable = ObjectWith("models", {"\"indexes\":{", "\"models\":{"});
    return !onetable.empty() ? onetable : ObjectWith("KeySchema", {"\"TableName\":", "\"KeySchema\":["});
  }

 private:
  // The first object that has a member of this name and others that its format has, wherever it stands.
  std::string ObjectWith(std::string_view member, std::initializer_list<std::string_view> parts) {
    for (std::size_t at = text_.find(member); at != std::string_view::npos;
         at = text_.find(member, at + 1)) {
      const std::size_t open = EnclosingBrace(at);
      if (open == std::string_view::npos) {
        continue;
      }
      at_ = open;
      const auto value = ReadValue(0);
      if (value && std::ranges::all_of(parts, [&](std::string_view part) {
            return value->find(part) != std::string::npos;
          })) {
        return *value;
      }
    }
    return "";
  }

  // Finds the last brace before `at` that is still open.
  std::size_t EnclosingBrace(std::size_t at) const {
    constexpr std::size_t kBack = 20'000;
    int depth = 0;
    for (std::size_t i = at; i > 0 && at - i < kBack; --i) {
      const char c = text_[i - 1];
      if (c == '}') {
        ++depth;
      } else if (c == '{' && depth-- == 0) {
        return i - 1;
      }
    }
    return std::string_view::npos;
  }

  // Finds the value of every `const name = …`.
  void FindConstants() {
    for (std::size_t at = text_.find("const "); at != std::string_view::npos;
         at = text_.find("const ", at + 1)) {
      at_ = at + 6;
      SkipBlank();
      const std::string name(Word());
      const std::size_t equals = text_.find_first_of("=;\n", at_);
      if (!name.empty() && equals != std::string_view::npos && text_[equals] == '=') {
        constants_[name] = equals + 1;
      }
    }
  }

  void SkipBlank() {
    while (at_ < text_.size()) {
      if (absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool Take(char c) {
    SkipBlank();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  char Next() {
    SkipBlank();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string_view Word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  // new Entity<A, B>(…
  void SkipTypeArguments() {
    if (Next() == '<') {
      at_ = std::min(text_.find('(', at_), text_.size());
    }
  }

  // A text in any of the three quotes, without them; `${x}` of a template stays as it is written.
  std::string QuotedText() {
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        const char c = text_[at_++];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
        continue;
      }
      out += text_[at_++];
    }
    ++at_;
    return out;
  }

  // The rest of an expression, up to what ends it at this depth. Returns whether there was anything but `as …` or `satisfies …`.
  bool SkipExpression() {
    bool more = false;
    int depth = 0;
    char before = '\0';
    while (at_ < text_.size()) {
      SkipBlank();
      if (at_ >= text_.size()) {
        break;
      }
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ';' || c == '}' || c == ']' || c == ')')) {
        break;
      }
      if (c == '\'' || c == '"' || c == '`') {
        QuotedText();
        more = true;
      } else if (c == '/' && !IsNamePart(before) && before != ')') {
        SkipRegularExpression();
        more = true;
      } else if (IsNamePart(c)) {
        const std::string_view word = Word();
        if (depth == 0 && !more && (word == "as" || word == "satisfies")) {
          SkipType();
        } else {
          more = true;
        }
      } else {
        depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
        depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
        more = true;
        ++at_;
      }
      before = text_[std::min(at_, text_.size()) - 1];
    }
    return more;
  }

  void SkipType() {
    SkipBlank();
    while (at_ < text_.size() && (IsNamePart(text_[at_]) || text_[at_] == '.')) {
      ++at_;
    }
    if (Next() == '<') {
      at_ = std::min(text_.find('>', at_), text_.size() - 1) + 1;
    }
  }

  void SkipRegularExpression() {
    bool in_class = false;
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '[') {
        in_class = true;
      } else if (text_[at_] == ']') {
        in_class = false;
      } else if (text_[at_] == '/' && !in_class) {
        ++at_;
        return;
      }
    }
  }

  // JSON of the value at `at_`, and after it; nullopt if it must run to have one.
  std::optional<std::string> ReadValue(int depth) {
    if (depth > kLiteralDepthMax || spent_ > kConstantBytesMax) {
      SkipExpression();
      return std::nullopt;
    }
    auto value = ReadLiteral(depth);
    return SkipExpression() ? std::nullopt : value;
  }

  // The value of a constant. It need not have a semicolon, so its line must end after the literal.
  std::optional<std::string> ReadConstant(std::size_t begin, int depth) {
    if (depth > kLiteralDepthMax || spent_ > kConstantBytesMax) {
      return std::nullopt;
    }
    const std::size_t back = std::exchange(at_, begin);
    auto value = ReadLiteral(depth);
    std::string_view rest = text_.substr(std::min(at_, text_.size()));
    rest = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
    at_ = back;
    const bool ends = rest.empty() || rest[0] == ';' || rest.starts_with("//") ||
                      rest.starts_with("as ") || rest.starts_with("satisfies ");
    spent_ += ends && value ? value->size() : 0;
    return ends ? value : std::nullopt;
  }

  std::optional<std::string> ReadLiteral(int depth) {
    const char c = Next();
    std::optional<std::string> value;
    if (c == '{') {
      value = ReadObject(depth);
    } else if (c == '[') {
      value = ReadArray(depth);
    } else if (c == '\'' || c == '"' || c == '`') {
      value.emplace();
      json::AppendString(QuotedText(), *value);
    } else if (absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-') {
      const std::size_t begin = at_++;
      while (at_ < text_.size() && absl::ascii_isdigit(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      }
      value = std::string(text_.substr(begin, at_ - begin));
      if (*value == "-" || (value->size() > 1 && (*value)[0] == '0')) {
        value = std::nullopt;
      }
    } else if (IsNamePart(c)) {
      value = ReadName(depth);
    }
    return value;
  }

  std::optional<std::string> ReadName(int depth) {
    const std::string word(Word());
    if (word == "true" || word == "false" || word == "null") {
      return word;
    }
    constexpr std::array<std::string_view, 11> kConstructors = {
        "String", "Number", "Boolean",     "Date",   "Object", "Array",
        "Set",    "Buffer", "ArrayBuffer", "Binary", "Uint8Array"};
    if (std::ranges::count(kConstructors, word) > 0 && Next() != '(' && Next() != '.') {
      const bool bytes = word == "ArrayBuffer" || word == "Uint8Array" || word == "Buffer";
      return '"' + (bytes ? "binary" : Lowered(word)) + '"';
    }
    const auto constant = constants_.find(word);
    if (constant == constants_.end() || Next() == '(' || Next() == '.' || Next() == '[') {
      return std::nullopt;
    }
    return ReadConstant(constant->second, depth + 5);
  }

  std::string ReadObject(int depth) {
    std::string out = "{";
    ++at_;
    while (Next() != '}' && at_ < text_.size()) {
      const std::size_t begin = at_;
      ReadMember(depth, out);
      if (!Take(',') && Next() != '}') {
        break;
      }
      at_ = std::max(at_, begin + 1);
    }
    Take('}');
    return out + "}";
  }

  static void AppendMember(const std::string& name, const std::string& value, std::string& out) {
    out += out.size() > 1 ? "," : "";
    json::AppendString(name, out);
    out += ":" + value;
  }

  void ReadMember(int depth, std::string& out) {
    if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      const auto spread = ReadValue(depth + 1);
      if (spread && spread->size() > 2 && spread->starts_with('{')) {
        out += (out.size() > 1 ? "," : "") + spread->substr(1, spread->size() - 2);
      }
      return;
    }
    const char c = text_[at_];
    const bool quoted = c == '\'' || c == '"' || c == '`';
    std::string name = quoted ? QuotedText() : std::string(Word());
    if (name.empty() || !Take(':')) {
      // { name } is a constant; name() {…}, get name() and [computed] have no value.
      const bool alone = !name.empty() && (Next() == ',' || Next() == '}');
      const auto constant = alone ? constants_.find(name) : constants_.end();
      if (constant != constants_.end() && depth < kLiteralDepthMax) {
        if (const auto value = ReadConstant(constant->second, depth + 5)) {
          AppendMember(name, *value, out);
        }
      }
      SkipExpression();
      return;
    }
    if (const auto value = ReadValue(depth + 1)) {
      AppendMember(name, *value, out);
    }
  }

  std::string ReadArray(int depth) {
    std::string out = "[";
    ++at_;
    while (Next() != ']' && at_ < text_.size()) {
      const std::size_t begin = at_;
      if (const auto value = ReadValue(depth + 1)) {
        out += (out.size() > 1 ? "," : "") + *value;
      }
      if (!Take(',') && Next() != ']') {
        break;
      }
      at_ = std::max(at_, begin + 1);
    }
    Take(']');
    return out + "]";
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t spent_ = 0;  // Bytes that constants were copied as.
  std::map<std::string, std::size_t> constants_;
};

}  // namespace

std::string ProgramToJson(std::string_view text) { return LiteralReader(text).Schemas(); }

}  // namespace prejoin::draft
