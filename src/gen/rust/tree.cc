#include "gen/rust/tree.h"

#include <algorithm>
#include <cctype>

#include "base/check.h"

namespace prejoin::gen::rust {
namespace {

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text on one line, with single blanks.
std::string Squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) {
      out += blank ? ' ' : c;
    }
  }
  while (out.ends_with(' ')) {
    out.pop_back();
  }
  return out;
}

// Single thread.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Until the bracket that closes the block, or the end. `members`: of a struct.
  std::vector<Statement> Statements(bool members) {
    std::vector<Statement> all;
    while (true) {
      const bool gap = Skip() > 1;
      if (at_ == text_.size() || Next() == '}') {
        return all;
      }
      Statement one = members ? Member() : One();
      one.gap = gap && !all.empty();
      all.push_back(std::move(one));
    }
  }

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool Takes(std::string_view what) {
    const bool takes = Sees(what);
    at_ += takes ? what.size() : 0;
    return takes;
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

  std::string Line() {
    const std::size_t start = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return std::string(text_.substr(start, at_ - start));
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
    for (const std::string_view word : {"pub ", "fn ", "async fn ", "impl ", "mod ", "use ", "for ", "if "}) {
      if (Sees(word)) {
        return true;
      }
    }
    return false;
  }

  Statement One() {
    if (Sees("//") || Sees("#")) {
      return {false, Line()};
    }
    return SeesItem() ? Item() : Simple();
  }

  Statement Member() {
    if (Sees("//") || Sees("#")) {
      return {false, Line()};
    }
    Statement member{false, Until(",}")};
    Takes(",");
    member.end = ",";
    return member;
  }

  Statement Item() {
    Statement item{false, Sees("use ") ? Until(";") : Until("{;=")};
    if (Takes(";")) {
      item.end = ";";
    } else if (Takes("=")) {
      item.head += " = ";
      item.value.push_back(Expression());
      PJ_CHECK(Takes(";"));
      item.end = ";";
    } else {
      item.has_body = true;
      item.body = Body(item.head.find("struct ") != std::string::npos);
    }
    return item;
  }

  std::vector<Statement> Body(bool members) {
    PJ_CHECK(Takes("{"));
    std::vector<Statement> body = Statements(members);
    PJ_CHECK(Takes("}"));
    return body;
  }

  // let x = y; x = y; x
  Statement Simple() {
    Statement one;
    if (Sees("let ")) {
      one.head = Until("=");
      Takes("=");
      one.head += " = ";
    }
    one.value.push_back(Expression());
    Skip();
    if (Takes("= ")) {
      one.head = Target(one.value[0]) + " = ";
      one.value[0] = Expression();
      Skip();
    }
    one.end = Takes(";") ? ";" : "";
    return one;
  }

  // The place that is assigned to: row.name
  static std::string Target(const Node& node) {
    std::string text = node.text;
    for (const Node& part : node.parts) {
      text += part.text;
    }
    return text;
  }

  Node Expression() {
    Skip();
    Node first = Comparison();
    Node all{Node::Kind::kBinary, "&&", {}};
    all.parts.push_back(std::move(first));
    while (Skip() >= 0 && Takes("&&")) {
      Skip();
      all.parts.push_back(Comparison());
    }
    return all.parts.size() == 1 ? std::move(all.parts[0]) : std::move(all);
  }

  Node Comparison() {
    Node first = Operand();
    Skip();
    for (const char* sign : {"==", ">="}) {
      if (Takes(sign)) {
        Skip();
        Node all{Node::Kind::kBinary, sign, {}};
        all.parts.push_back(std::move(first));
        all.parts.push_back(Operand());
        return all;
      }
    }
    return first;
  }

  Node Prefixed(std::string prefix) {
    Skip();
    Node node{Node::Kind::kPrefix, std::move(prefix), {}};
    node.parts.push_back(Operand());
    return node;
  }

  Node Operand() {
    for (const char* prefix : {"return ", "&mut ", "&", "!"}) {
      if (Takes(prefix)) {
        return Prefixed(prefix);
      }
    }
    if (Takes("|")) {
      const std::size_t end = text_.find('|', at_);
      Node closure{Node::Kind::kClosure, "|" + std::string(text_.substr(at_, end - at_)) + "|", {}};
      at_ = end + 1;
      closure.parts.push_back(Expression());
      return closure;
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
    Node root = Primary();
    Questions(root);
    if (Next() != '.' && !SeesDotOnNextLine()) {
      return root;
    }
    Node chain{Node::Kind::kChain, "", {}};
    chain.parts.push_back(std::move(root));
    while (Skip() >= 0 && Takes(".")) {
      Node part{Node::Kind::kAtom, "." + Name(), {}};
      if (Next() == '(') {
        part.kind = Node::Kind::kCall;
        part.parts = List('(', ')');
      }
      Questions(part);
      chain.parts.push_back(std::move(part));
    }
    return chain;
  }

  bool SeesDotOnNextLine() const {
    const std::size_t next = text_.find_first_not_of(" \n", at_);
    return next != std::string_view::npos && text_[next] == '.';
  }

  void Questions(Node& node) {
    while (Next() == '[' || Next() == '?') {
      if (Next() == '[') {
        const std::size_t start = at_;
        at_ = text_.find(']', at_) + 1;
        node.suffix += text_.substr(start, at_ - start);
      } else {
        node.suffix += Next();
        ++at_;
      }
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
    if (Next() == '(') {
      return {Node::Kind::kCall, "", List('(', ')')};
    }
    if (Next() == '[') {
      return {Node::Kind::kArray, "", List('[', ']')};
    }
    std::string name = Name();
    const std::size_t last = name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1;
    if (Sees("(")) {
      return {Node::Kind::kCall, name, List('(', ')')};
    }
    if (Takes("![")) {
      --at_;
      return {Node::Kind::kArray, name + "!", List('[', ']')};
    }
    if (Takes("!(")) {
      --at_;
      return {Node::Kind::kMacro, name + "!", List('(', ')')};
    }
    if (Takes("! {")) {
      --at_;
      return {Node::Kind::kVerbatim, name + "!", List('{', '}')};
    }
    if (Sees(" {") && std::isupper(static_cast<unsigned char>(name[last])) != 0) {
      ++at_;
      return {Node::Kind::kStruct, name, List('{', '}')};
    }
    return {Node::Kind::kAtom, name, {}};
  }

  std::vector<Node> List(char open, char close) {
    PJ_CHECK(Next() == open);
    ++at_;
    std::vector<Node> parts;
    while (Skip() >= 0 && Next() != close) {
      parts.push_back(Entry());
      Skip();
      if (Next() == ',') {
        ++at_;
      }
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
        Node field{Node::Kind::kPrefix, name + ": ", {}};
        field.parts.push_back(Expression());
        return field;
      }
      at_ = start;
    }
    Node first = Expression();
    const std::string text = Squeezed(text_.substr(start, at_ - start));
    Skip();
    if (!Takes("=>")) {
      return first;
    }
    Node pair{Node::Kind::kPrefix, text + " => ", {}};
    pair.parts.push_back(Expression());
    return pair;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Statement> ReadRust(std::string_view text) {
  return Reader(text).Statements(/*members=*/false);
}

}  // namespace prejoin::gen::rust
