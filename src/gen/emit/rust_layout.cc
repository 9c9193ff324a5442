#include "gen/emit/rust_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "gen/code.h"

namespace prejoin::gen {
namespace {

// ---- Reading

struct Node;

// A statement, an item, a member, or a comment.
struct Statement {
  bool gap = false;    // An empty line stands before it.
  std::string head;    // "let x = ", "pub fn f(a: &str) -> Result<X>", "// …"
  std::vector<Node> value;  // At most one.
  bool has_body = false;
  std::vector<Statement> body = {};
  std::string end = {};  // ";", ","
};

struct Node {
  // A name or literal; `text` before the only part; lists in brackets behind `text`: a call or tuple, a macro's without a comma at its end, an
  // array, a struct, and what rustfmt leaves as it is: a macro with braces; |x| and a body; a block; a.b(c); a && b.
  enum class Kind { kAtom, kPrefix, kCall, kMacro, kArray, kStruct, kVerbatim, kClosure, kBlock, kChain, kBinary };
  Kind kind = Kind::kAtom;
  std::string text;
  std::vector<Node> parts;
  std::string suffix = {};  // "?"
  std::vector<Statement> body = {};
};

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text on one line, with single blanks.
std::string Squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    out += !blank ? std::string(1, c) : out.ends_with(' ') ? "" : " ";
  }
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

// Single thread.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Until the bracket that closes the block, or the end. `members`: of a struct.
  std::vector<Statement> Statements(bool members) {
    std::vector<Statement> all;
    for (int lines = Skip(); at_ < text_.size() && Next() != '}'; lines = Skip()) {
      const bool gap = lines > 1 && !all.empty();
      all.push_back(One(members));
      all.back().gap = gap;
    }
    return all;
  }

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool Takes(std::string_view what) {
    return Sees(what) && (at_ += what.size()) > 0;
  }

  // Blanks; gives the number of line ends among them.
  int Skip() {
    int lines = 0;
    while (Next() == ' ' || Next() == '\n') {
      lines += Next() == '\n' ? 1 : 0;
      ++at_;
    }
    return lines;
  }

  std::string_view Quoted() {
    const std::size_t start = at_++;
    while (Next() != '"') {
      PJ_CHECK(at_ < text_.size());
      at_ += Next() == '\\' ? 2 : 1;
    }
    ++at_;
    return text_.substr(start, at_ - start);
  }

  // Up to one of these characters that stands in no brackets.
  std::string Until(std::string_view ends) {
    const std::size_t start = at_;
    int depth = 0;
    while (depth > 0 || ends.find(Next()) == std::string_view::npos) {
      PJ_CHECK(at_ < text_.size());
      if (Next() == '"') {
        Quoted();
        continue;
      }
      depth += Next() == '(' || Next() == '[' ? 1 : Next() == ')' || Next() == ']' ? -1 : 0;
      ++at_;
    }
    return Squeezed(text_.substr(start, at_ - start));
  }

  bool SeesItem() const {
    constexpr std::array<std::string_view, 7> kWords = {"pub ", "async fn ", "fn ", "impl ", "use ", "for ", "if "};
    return std::ranges::any_of(kWords, [&](std::string_view word) { return Sees(word); });
  }

  Statement One(bool member) {
    if (Sees("//") || Sees("#")) {
      const std::size_t start = std::exchange(at_, std::min(text_.find('\n', at_), text_.size()));
      return {false, std::string(text_.substr(start, at_ - start)), {}};
    }
    if (member) {
      Statement one{false, Until(",}"), {}, false, {}, ","};
      Takes(",");
      return one;
    }
    return SeesItem() ? Item() : Simple();
  }

  Statement Item() {
    Statement item{false, Sees("use ") ? Until(";") : Until("{;="), {}};
    item.has_body = Next() == '{';
    if (item.has_body) {
      item.body = Body(item.head.find("struct ") != std::string::npos);
      return item;
    }
    if (Takes("=")) {
      item.head += " = ";
      item.value.push_back(Expression());
    }
    PJ_CHECK(Takes(";"));
    item.end = ";";
    return item;
  }

  std::vector<Statement> Body(bool members) {
    ++at_;
    std::vector<Statement> body = Statements(members);
    PJ_CHECK(Takes("}"));
    return body;
  }

  // let x = y; x = y; x
  Statement Simple() {
    Statement one;
    const std::size_t start = at_;
    if (Sees("let ")) {
      one.head = Until("=");
      Takes("=");
      one.head += " = ";
    }
    one.value.push_back(Expression());
    Skip();
    if (Takes("= ")) {
      one.head = Squeezed(text_.substr(start, at_ - start - 3)) + " = ";
      one.value[0] = Expression();
      Skip();
    }
    one.end = Takes(";") ? ";" : "";
    return one;
  }

  Node Expression() {
    Node all{Node::Kind::kBinary, "&&", {Comparison()}};
    while (Skip() >= 0 && Takes("&&")) {
      all.parts.push_back(Comparison());
    }
    return all.parts.size() == 1 ? all.parts[0] : all;
  }

  Node Comparison() {
    Node first = Operand();
    Skip();
    const std::string sign = Sees("==") || Sees(">=") ? std::string(text_.substr(at_, 2)) : "";
    at_ += sign.size();
    return sign.empty() ? first : Node{Node::Kind::kBinary, sign, {first, Operand()}};
  }

  Node Operand() {
    Skip();
    for (const char* prefix : {"return ", "&"}) {
      if (Takes(prefix)) {
        return {Node::Kind::kPrefix, prefix, {Operand()}};
      }
    }
    if (Takes("|")) {
      const std::size_t end = text_.find('|', at_);
      const std::string head = "|" + std::string(text_.substr(at_, end - at_)) + "|";
      at_ = end + 1;
      return {Node::Kind::kClosure, head, {Expression()}};
    }
    for (const char* word : {"async move {", "async {", "{"}) {
      if (Sees(word)) {
        const std::string text = word;
        at_ += text.size() - 1;
        Node block{Node::Kind::kBlock, text.substr(0, text.size() - 1), {}};
        block.body = Body(/*members=*/false);
        return block;
      }
    }
    return Chain();
  }

  Node Chain() {
    Node chain{Node::Kind::kChain, "", {Primary()}};
    Questions(chain.parts[0]);
    std::size_t end = at_;
    for (; Skip() >= 0 && Takes("."); end = at_) {
      const std::string name = "." + Name();
      chain.parts.push_back(Next() == '(' ? Node{Node::Kind::kCall, name, List(')')} : Node{Node::Kind::kAtom, name, {}});
      Questions(chain.parts.back());
    }
    at_ = end;
    return chain.parts.size() == 1 ? chain.parts[0] : chain;
  }

  void Questions(Node& node) {
    while (Next() == '[' || Next() == '?') {
      const std::size_t end = Next() == '?' ? at_ + 1 : text_.find(']', at_) + 1;
      node.suffix += text_.substr(at_, end - at_);
      at_ = end;
    }
  }

  // A path, with the types of its generics.
  std::string Name() {
    const std::size_t start = at_;
    while (IsWordPart(Next()) || Sees("::")) {
      at_ += Sees("::") ? 2 : 1;
      if (Next() == '<') {
        int depth = 0;
        do {
          depth += Next() == '<' ? 1 : Next() == '>' ? -1 : 0;
          ++at_;
        } while (depth > 0);
      }
    }
    PJ_CHECK(at_ > start);
    return std::string(text_.substr(start, at_ - start));
  }

  Node Primary() {
    if (Next() == '"') {
      return {Node::Kind::kAtom, std::string(Quoted()), {}};
    }
    if (Next() == '(' || Next() == '[') {
      return Next() == '(' ? Node{Node::Kind::kCall, "", List(')')} : Node{Node::Kind::kArray, "", List(']')};
    }
    std::string name = Name();
    const std::size_t last = name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1;
    if (Takes("!")) {
      name += '!';
      return Sees("[")   ? Node{Node::Kind::kArray, name, List(']')}
             : Sees("(") ? Node{Node::Kind::kMacro, name, List(')')}
                         : Node{Node::Kind::kVerbatim, name, List('}')};
    }
    if (Sees("(")) {
      return {Node::Kind::kCall, name, List(')')};
    }
    const bool is_struct = Sees(" {") && std::isupper(static_cast<unsigned char>(name[last])) != 0;
    return {is_struct ? Node::Kind::kStruct : Node::Kind::kAtom, name, is_struct ? List('}') : std::vector<Node>{}};
  }

  std::vector<Node> List(char close) {
    Skip();
    ++at_;
    std::vector<Node> parts;
    while (Skip() >= 0 && Next() != close) {
      parts.push_back(Entry());
      Skip();
      Takes(",");
    }
    ++at_;
    return parts;
  }

  // x, name: x, x => x
  Node Entry() {
    const std::size_t start = at_;
    if (IsWordPart(Next())) {
      const std::string name = Name();
      if (Takes(": ")) {
        return {Node::Kind::kPrefix, name + ": ", {Expression()}};
      }
      at_ = start;
    }
    Node first = Expression();
    const std::string text = Squeezed(text_.substr(start, at_ - start));
    Skip();
    if (!Takes("=>")) {
      return first;
    }
    return {Node::Kind::kPrefix, text + " => ", {Expression()}};
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

// ---- Printing

using Kind = Node::Kind;
// rustfmt's settings.
constexpr std::size_t kLineMax = 100;
constexpr std::size_t kTab = 4;
constexpr std::size_t kListMax = 60;
constexpr std::size_t kStructMax = 18;
constexpr std::size_t kOverflowedChainLinesMin = 5;

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}
std::size_t Breaks(std::string_view text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }
std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }
std::string Blanks(std::size_t count) { return std::string(count, ' '); }

// Where a text stands.
struct Place {
  std::size_t indent = 0;  // Of its lines.
  std::size_t column = 0;  // Where it begins.
  std::size_t after = 0;   // What must fit behind it.
  Place Behind(std::size_t width) const { return {indent, column + width, after}; }
  Place Followed(std::size_t width) const { return {indent, column, after + width}; }
  static Place Line(std::size_t indent, std::size_t after) { return {indent, indent, after}; }
  bool Fits(std::string_view text) const { return column + Width(text) + after <= kLineMax; }
};

bool HasBraces(const Node& node) { return node.kind == Kind::kStruct || node.kind == Kind::kVerbatim; }
std::string Open(const Node& node) {
  return node.text + (node.kind == Kind::kArray ? "[" : HasBraces(node) ? " {" : "(");
}
std::string Close(const Node& node) { return node.kind == Kind::kArray ? "]" : HasBraces(node) ? "}" : ")"; }

const Node& WithoutPrefix(const Node& node) {
  return node.kind == Kind::kPrefix ? WithoutPrefix(node.parts[0]) : node;
}

// rustfmt gives a call inside a call less room.
bool IsNestedCall(const Node& node) {
  const Node& inner = WithoutPrefix(node);
  const Node& last = inner.kind == Kind::kChain ? inner.parts.back() : inner;
  return last.kind == Kind::kCall || last.kind == Kind::kMacro;
}

// It may begin on the line of the bracket and end on that of the closing one.
bool Overflows(const Node& node, bool alone) {
  const Kind kind = WithoutPrefix(node).kind;
  const bool list = kind != Kind::kAtom && kind != Kind::kBinary && kind != Kind::kChain;
  return kind == Kind::kClosure || kind == Kind::kBlock || (alone && list);
}

// What a closure does, without braces around a single expression.
const Node& BodyOf(const Node& closure) {
  const Node& body = closure.parts[0];
  const bool single = body.kind == Kind::kBlock && body.text.empty() && body.body.size() == 1 &&
                      body.body[0].head.empty() && body.body[0].end.empty() && !body.body[0].value.empty();
  return single ? body.body[0].value[0] : body;
}

std::string OneLine(const Node& node);

// The texts with a separator; nothing if one of them cannot stand on one line.
std::optional<std::string> Joined(std::span<const Node> nodes, std::string_view separator) {
  std::vector<std::string> texts;
  for (const Node& node : nodes) {
    texts.push_back(OneLine(node));
  }
  return std::ranges::find(texts, "") == texts.end() ? std::optional(Join(texts, separator)) : std::nullopt;
}

// The node where nothing limits the line; empty if rustfmt does not let it stand on one.
std::string OneLine(const Node& node) {
  if (node.kind == Kind::kBlock || node.kind == Kind::kClosure) {
    const std::string body = node.kind == Kind::kClosure ? OneLine(BodyOf(node)) : "";
    return body.empty() ? "" : node.text + " " + body;
  }
  const bool chain = node.kind == Kind::kChain;
  const std::string separator = chain ? "" : node.kind == Kind::kBinary ? " " + node.text + " " : ", ";
  const std::optional<std::string> inside = Joined(node.parts, separator);
  const std::size_t count = node.parts.size();
  const std::size_t width = inside ? Width(*inside) : 0;
  // The last `?` of a chain counts twice.
  if (!inside || (chain && count > 2 && width + node.parts.back().suffix.size() > kListMax)) { return ""; }
  if (chain || node.kind == Kind::kBinary || node.kind == Kind::kAtom || node.kind == Kind::kPrefix) {
    return (node.kind == Kind::kBinary ? "" : node.text) + *inside + node.suffix;
  }
  const bool limited = count > 1 || (count == 1 && IsNestedCall(node.parts[0]));
  const bool fits = node.kind == Kind::kStruct     ? width <= kStructMax
                    : node.kind == Kind::kVerbatim ? Width(node.text) + width + 4 <= kListMax
                                                   : !limited || width <= kListMax;
  const std::string blank = HasBraces(node) && count > 0 ? " " : "";
  return fits ? Open(node) + blank + *inside + blank + Close(node) + node.suffix : "";
}

std::string Laid(const Node& node, const Place& place);
std::string Broken(const Node& node, const Place& place);
void Print(const std::vector<Statement>& statements, std::size_t indent, std::string& out);

std::string Block(const std::string& head, const std::vector<Statement>& body, std::size_t indent) {
  std::string out = head + (body.empty() ? "{" : "{\n");
  Print(body, indent + kTab, out);
  return out + (body.empty() ? "" : Blanks(indent)) + "}";
}

std::string Vertical(const Node& node, const Place& place) {
  const std::size_t deeper = place.indent + kTab;
  std::string out = Open(node) + "\n";
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const bool comma = node.kind != Kind::kMacro || i + 1 < node.parts.size();
    out += Blanks(deeper) + Laid(node.parts[i], Place::Line(deeper, 1)) + (comma ? ",\n" : "\n");
  }
  return out + Blanks(place.indent) + Close(node);
}

std::string Closure(const Node& node, const Place& place);

// A call that must not stay on one line: a closure as its only argument gets a block.
std::string BrokenCall(const Node& node, const Place& place) {
  if (node.kind != Kind::kCall || node.parts.size() != 1 || node.parts[0].kind != Kind::kClosure) {
    return Broken(node, place);
  }
  const std::string head = Open(node);
  return head + Closure(node.parts[0], place.Behind(Width(head)).Followed(1)) + Close(node);
}

// The last argument begins on the line of the call; nothing if that may not be.
std::optional<std::string> Overflowed(const Node& node, const Place& place) {
  const bool alone = node.parts.size() == 1;
  const auto others = Joined(std::span(node.parts).first(node.parts.size() - 1), ", ");
  if (HasBraces(node) || !Overflows(node.parts.back(), alone) || !others) {
    return std::nullopt;
  }
  const std::string before = alone ? "" : *others + ", ";
  const std::string head = Open(node) + before;
  const Place at = place.Behind(Width(head)).Followed(1);
  const bool limited = !alone || IsNestedCall(node.parts.back());
  const bool narrow = limited && Width(before + OneLine(node.parts.back())) > kListMax;
  const std::string last = narrow ? BrokenCall(node.parts.back(), at) : Laid(node.parts.back(), at);
  const std::string_view first = FirstLine(last);
  const bool long_list = !alone && Width(before) + Width(first) > kListMax;
  // A macro that fits on a line of its own has no block around it.
  const Node& inner = WithoutPrefix(node.parts.back());
  const bool macro = inner.kind == Kind::kClosure && BodyOf(inner).kind == Kind::kVerbatim && !OneLine(inner).empty();
  const bool wide = place.column + Width(head) + Width(first) + 1 + place.after > kLineMax;
  if (long_list || Breaks(last) == 0 || macro || wide) {
    return std::nullopt;
  }
  return head + last + Close(node);
}

std::string Closure(const Node& node, const Place& place) {
  const Node& body = BodyOf(node);
  const std::string head = node.text + " ";
  if (body.kind == Kind::kBlock || body.kind == Kind::kStruct) {
    return head + Laid(body, place.Behind(Width(head)));
  }
  const std::size_t deeper = place.indent + kTab;
  return head + "{\n" + Blanks(deeper) + Laid(body, Place::Line(deeper, 0)) + "\n" + Blanks(place.indent) + "}";
}

// A chain of calls, as rustfmt's chains.rs decides.
std::string Chain(const Node& node, const Place& place) {
  std::string root = Laid(node.parts[0], place);
  std::size_t next = 1;
  const std::size_t offset = place.column - place.indent;
  while (next < node.parts.size() && Breaks(root) == 0 && Width(root) + offset <= kTab) {
    root += Laid(node.parts[next++], {place.indent, place.column + Width(root), 0});
  }
  if (next == node.parts.size()) { return root; }
  const std::size_t deeper = place.indent + (Breaks(root) > 0 ? 0 : kTab);
  std::vector<std::string> texts = {root};
  for (; next + 1 < node.parts.size(); ++next) {
    texts.push_back(Laid(node.parts[next], Place::Line(deeper, 0)));
  }
  const Node& last = node.parts.back();
  const std::string vertical = Laid(last, Place::Line(deeper, place.after));
  const std::string before = Join(texts, "");
  const std::size_t marks = last.suffix.size();
  const std::size_t room = kLineMax - std::min(kLineMax, place.column + place.after + marks);
  const std::size_t budget = node.parts.size() > 2 ? std::min(room, kListMax - marks) : room;
  if (Breaks(before) == 0 && Width(before) < budget) {
    const std::string same = Laid(last, place.Behind(Width(before)));
    const bool fits = Width(before) + Width(FirstLine(same)) <= budget;
    if (fits && (Breaks(same) + 1 >= kOverflowedChainLinesMin || Breaks(vertical) >= Breaks(same))) {
      return before + same;
    }
  }
  texts.push_back(vertical);
  return Join(texts, "\n" + Blanks(deeper));
}

std::string Binary(const Node& node, const Place& place) {
  std::string out = Laid(node.parts[0], {place.indent, place.column, 0});
  const std::size_t deeper = place.indent + kTab;
  for (std::size_t i = 1; i < node.parts.size(); ++i) {
    const Place at = Place::Line(deeper, place.after).Behind(node.text.size() + 1);
    out += "\n" + Blanks(deeper) + node.text + " " + Laid(node.parts[i], at);
  }
  return out;
}

std::string Laid(const Node& node, const Place& place) {
  const std::string one = OneLine(node);
  // rustfmt counts the question marks at the end of a chain twice.
  const Node& inner = WithoutPrefix(node);
  const std::size_t again = inner.kind == Kind::kChain ? inner.parts.back().suffix.size() : 0;
  return !one.empty() && place.Followed(again).Fits(one) ? one : Broken(node, place);
}

// On several lines.
std::string Broken(const Node& node, const Place& place) {
  switch (node.kind) {
    case Kind::kAtom:
      return node.text + node.suffix;
    case Kind::kPrefix:
      return node.text + Broken(node.parts[0], place.Behind(Width(node.text)));
    case Kind::kClosure:
      return Closure(node, place);
    case Kind::kBlock:
      return Block(node.text, node.body, place.indent);
    case Kind::kChain:
      return Chain(node, place);
    case Kind::kBinary:
      return Binary(node, place);
    default:
      break;
  }
  if (node.parts.empty()) {
    return Open(node) + Close(node) + node.suffix;
  }
  const auto overflowed = Overflowed(node, place.Followed(node.suffix.size()));
  return (overflowed ? *overflowed : Vertical(node, place)) + node.suffix;
}

// The value on the line of the name, or on the next.
std::string Assigned(const Statement& one, std::size_t indent) {
  const Place place{indent, indent + Width(one.head), one.end.size()};
  const std::string same = Laid(one.value[0], place);
  if (one.head.empty() || (Breaks(same) == 0 && place.Fits(same))) {
    return one.head + same;
  }
  const Place below = Place::Line(indent + kTab, one.end.size());
  const std::string next = Laid(one.value[0], below);
  // A line that only opens a bracket is worse than one that has more in it.
  const bool opens = std::ranges::any_of(std::string_view("({["), [&](char c) {
    return FirstLine(same).ends_with(c) && !FirstLine(next).ends_with(c);
  });
  const bool shorter = (Breaks(next) == 0 && below.Fits(next)) || Breaks(same) > Breaks(next) + 1;
  return shorter || opens || place.column + Width(FirstLine(same)) > kLineMax
             ? one.head.substr(0, one.head.size() - 1) + "\n" + Blanks(indent + kTab) + next
             : one.head + same;
}

// A function's parameters stand on lines of their own if they have no room.
std::string Head(const std::string& head, std::size_t indent) {
  const std::size_t open = head.find('(');
  const std::size_t close = head.find(") -> ");
  if (close == std::string::npos || indent + Width(head) + 2 <= kLineMax) {
    return head;
  }
  std::string out = head.substr(0, open + 1) + "\n";
  for (std::size_t at = open + 1; at < close;) {
    const std::size_t end = std::min(head.find(", ", at), close);
    out += Blanks(indent + kTab) + head.substr(at, end - at) + ",\n";
    at = end + 2;
  }
  return out + Blanks(indent) + head.substr(close);
}

void Print(const std::vector<Statement>& statements, std::size_t indent, std::string& out) {
  for (const Statement& one : statements) {
    out += one.gap ? "\n" : "";
    out += Blanks(indent);
    out += one.has_body ? Block(Head(one.head, indent) + " ", one.body, indent) : one.value.empty() ? one.head : Assigned(one, indent);
    out += one.end + "\n";
  }
}

}  // namespace

std::string LaidOutAsRust(std::string_view text) {
  std::string out;
  Print(Reader(text).Statements(/*members=*/false), 0, out);
  return out;
}

}  // namespace prejoin::gen
