#include "gen/rust/layout.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gen/code.h"
#include "gen/rust/tree.h"

namespace prejoin::gen {
namespace {

using rust::Node;
using rust::Statement;
using Kind = rust::Node::Kind;

// rustfmt's settings.
constexpr std::size_t kLineMax = 100;
constexpr std::size_t kTab = 4;
constexpr std::size_t kListMax = 60;
constexpr std::size_t kStructMax = 18;
constexpr std::size_t kShortElementMax = 10;
constexpr std::size_t kOverflowedChainLinesMin = 5;

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}
std::size_t Breaks(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}
std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }
std::string Blanks(std::size_t count) { return std::string(count, ' '); }

// Where a text stands: how deep its lines are, at which column it begins, and how much must fit behind it.
struct Place {
  std::size_t indent = 0;
  std::size_t column = 0;
  std::size_t after = 0;

  Place Behind(std::size_t width) const { return {indent, column + width, after}; }
  Place Followed(std::size_t width) const { return {indent, column, after + width}; }
  // At the beginning of a line.
  static Place Line(std::size_t indent, std::size_t after) { return {indent, indent, after}; }
  bool Fits(std::string_view text) const { return column + Width(text) + after <= kLineMax; }
};

std::string Open(const Node& node) {
  return node.text + (node.kind == Kind::kArray ? "[" : node.kind == Kind::kStruct || node.kind == Kind::kVerbatim ? " {" : "(");
}
std::string Close(const Node& node) {
  return node.kind == Kind::kArray ? "]" : node.kind == Kind::kStruct || node.kind == Kind::kVerbatim ? "}" : ")";
}

const Node& WithoutPrefix(const Node& node) {
  return node.kind == Kind::kPrefix ? WithoutPrefix(node.parts[0]) : node;
}

// rustfmt gives a call inside a call less room.
bool IsNestedCall(const Node& node) {
  const Node& inner = WithoutPrefix(node);
  const bool awaits = inner.kind == Kind::kChain && inner.parts.back().kind != Kind::kCall;
  return inner.kind == Kind::kCall || inner.kind == Kind::kMacro || (inner.kind == Kind::kChain && !awaits);
}

// It may begin on the line of the bracket and end on that of the closing one.
bool Overflows(const Node& node, bool alone) {
  const Node& inner = WithoutPrefix(node);
  if (inner.kind == Kind::kClosure || inner.kind == Kind::kBlock) {
    return true;
  }
  return alone && inner.kind != Kind::kAtom && inner.kind != Kind::kBinary && inner.kind != Kind::kChain;
}

// What a closure does, without braces around a single expression.
const Node& BodyOf(const Node& closure) {
  const Node& body = closure.parts[0];
  const bool single = body.kind == Kind::kBlock && body.text.empty() && body.body.size() == 1 &&
                      body.body[0].head.empty() && body.body[0].end.empty() && !body.body[0].value.empty();
  return single ? body.body[0].value[0] : body;
}

std::optional<std::string> OneLine(const Node& node);

std::optional<std::vector<std::string>> OneLines(const std::vector<Node>& nodes) {
  std::vector<std::string> texts;
  for (const Node& node : nodes) {
    std::optional<std::string> text = OneLine(node);
    if (!text) {
      return std::nullopt;
    }
    texts.push_back(std::move(*text));
  }
  return texts;
}

// A list between brackets.
std::optional<std::string> OneLineList(const Node& node, const std::vector<std::string>& texts) {
  const std::string inside = Join(texts, ", ");
  if (node.kind == Kind::kStruct || node.kind == Kind::kVerbatim) {
    const bool fits = node.kind == Kind::kStruct ? Width(inside) <= kStructMax
                                                 : Width(node.text + inside) + 4 <= kListMax;
    const std::string between = texts.empty() ? "" : " ";
    return fits ? std::optional(Open(node) + between + inside + between + Close(node)) : std::nullopt;
  }
  const bool limited = texts.size() > 1 || (texts.size() == 1 && IsNestedCall(node.parts[0]));
  return limited && Width(inside) > kListMax ? std::nullopt
                                             : std::optional(Open(node) + inside + Close(node));
}

// The node where nothing limits the line, if rustfmt lets it stand on one.
std::optional<std::string> OneLine(const Node& node) {
  if (node.kind == Kind::kBlock) {
    return std::nullopt;
  }
  if (node.kind == Kind::kClosure) {
    const std::optional<std::string> body = OneLine(BodyOf(node));
    return body ? std::optional(node.text + " " + *body) : std::nullopt;
  }
  const auto texts = OneLines(node.parts);
  if (!texts) {
    return std::nullopt;
  }
  switch (node.kind) {
    case Kind::kAtom:
      return node.text + node.suffix;
    case Kind::kPrefix:
      return node.text + (*texts)[0];
    case Kind::kBinary:
      return Join(*texts, " " + node.text + " ");
    case Kind::kChain: {
      const std::string chain = Join(*texts, "");
      return texts->size() > 2 && Width(chain) > kListMax ? std::nullopt : std::optional(chain);
    }
    default:
      break;
  }
  const std::optional<std::string> list = OneLineList(node, *texts);
  return list ? std::optional(*list + node.suffix) : std::nullopt;
}

std::string Laid(const Node& node, const Place& place);
std::string Broken(const Node& node, const Place& place);
void Print(const std::vector<Statement>& statements, std::size_t indent, std::string& out);

std::string Block(const std::string& head, const std::vector<Statement>& body, std::size_t indent) {
  std::string out = head + "{";
  if (!body.empty()) {
    out += "\n";
    Print(body, indent + kTab, out);
    out += Blanks(indent);
  }
  return out + "}";
}

// As many short elements on each line as fit.
std::string Filled(const std::vector<std::string>& texts, std::size_t indent) {
  std::string out;
  std::string line;
  for (const std::string& text : texts) {
    if (!line.empty() && indent + Width(line) + Width(text) + 2 > kLineMax) {
      out += Blanks(indent) + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + text + ",";
  }
  return out + Blanks(indent) + line + "\n";
}

std::string Vertical(const Node& node, const Place& place) {
  const std::size_t deeper = place.indent + kTab;
  std::string out = Open(node) + "\n";
  const auto texts = OneLines(node.parts);
  const bool is_short =
      texts && node.kind == Kind::kArray &&
      std::ranges::all_of(node.parts, [](const Node& one) { return WithoutPrefix(one).kind == Kind::kAtom; }) &&
      std::ranges::all_of(*texts, [](const std::string& text) { return Width(text) <= kShortElementMax; });
  if (is_short) {
    out += Filled(*texts, deeper);
  } else {
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool comma = node.kind != Kind::kMacro || i + 1 < node.parts.size();
      out += Blanks(deeper) + Laid(node.parts[i], Place::Line(deeper, 1)) + (comma ? ",\n" : "\n");
    }
  }
  return out + Blanks(place.indent) + Close(node);
}

// The last argument begins on the line of the call; nothing if that may not be.
std::optional<std::string> Overflowed(const Node& node, const Place& place) {
  const bool alone = node.parts.size() == 1;
  if (node.kind == Kind::kStruct || node.kind == Kind::kVerbatim || !Overflows(node.parts.back(), alone)) {
    return std::nullopt;
  }
  const auto others = OneLines({node.parts.begin(), node.parts.end() - 1});
  if (!others) {
    return std::nullopt;
  }
  const std::string before = alone ? "" : Join(*others, ", ") + ", ";
  const std::string head = Open(node) + before;
  const Place at = place.Behind(Width(head)).Followed(1);
  const auto one = OneLine(node.parts.back());
  const bool narrow = (!alone || IsNestedCall(node.parts.back())) && one && Width(before + *one) > kListMax;
  const std::string last = narrow ? Broken(node.parts.back(), at) : Laid(node.parts.back(), at);
  const std::string_view first = FirstLine(last);
  const bool long_list = !alone && Width(before) + Width(first) > kListMax;
  // A macro that fits on a line of its own has no block around it.
  const Node& inner = WithoutPrefix(node.parts.back());
  const bool macro = inner.kind == Kind::kClosure && BodyOf(inner).kind == Kind::kVerbatim && OneLine(inner);
  if (long_list || Breaks(last) == 0 || macro || place.column + Width(head) + Width(first) > kLineMax) {
    return std::nullopt;
  }
  return head + last + Close(node);
}

std::string List(const Node& node, const Place& place) {
  if (node.parts.empty()) {
    return Open(node) + Close(node);
  }
  const std::optional<std::string> overflowed = Overflowed(node, place);
  return overflowed ? *overflowed : Vertical(node, place);
}

std::string Closure(const Node& node, const Place& place) {
  const Node& body = BodyOf(node);
  const std::string head = node.text + " ";
  if (body.kind == Kind::kBlock || body.kind == Kind::kStruct) {
    return head + Laid(body, place.Behind(Width(head)));
  }
  const std::size_t deeper = place.indent + kTab;
  return head + "{\n" + Blanks(deeper) + Laid(body, Place::Line(deeper, 0)) + "\n" +
         Blanks(place.indent) + "}";
}

// A chain of calls, as rustfmt's chains.rs decides.
std::string Chain(const Node& node, const Place& place) {
  std::string root = Laid(node.parts[0], {place.indent, place.column, 0});
  std::size_t next = 1;
  const std::size_t offset = place.column - place.indent;
  while (next < node.parts.size() && Breaks(root) == 0 && Width(root) + offset <= kTab) {
    root += Laid(node.parts[next++], {place.indent, place.column + Width(root), 0});
  }
  if (next == node.parts.size()) {
    return root;
  }
  const std::size_t deeper = place.indent + (Breaks(root) > 0 ? 0 : kTab);
  std::vector<std::string> texts = {root};
  for (; next + 1 < node.parts.size(); ++next) {
    texts.push_back(Laid(node.parts[next], Place::Line(deeper, 0)));
  }
  const Node& last = node.parts.back();
  const std::string vertical = Laid(last, Place::Line(deeper, place.after));
  const std::string before = Join(texts, "");
  const std::size_t room =
      kLineMax - std::min(kLineMax, place.column + place.after + last.suffix.size());
  const std::size_t budget = node.parts.size() > 2 ? std::min(room, kListMax) : room;
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
    const std::size_t after = i + 1 == node.parts.size() ? place.after : 0;
    out += "\n" + Blanks(deeper) + node.text + " " +
           Laid(node.parts[i], Place::Line(deeper, after).Behind(node.text.size() + 1));
  }
  return out;
}

std::string Laid(const Node& node, const Place& place) {
  const std::optional<std::string> one = OneLine(node);
  // rustfmt counts the question marks at the end of a chain twice.
  const Node& inner = WithoutPrefix(node);
  const std::size_t again = inner.kind == Kind::kChain ? inner.parts.back().suffix.size() : 0;
  return one && place.Followed(again).Fits(*one) ? *one : Broken(node, place);
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
    case Kind::kStruct:
    case Kind::kVerbatim:
      return (node.parts.empty() ? Open(node) + Close(node) : Vertical(node, place)) + node.suffix;
    default:
      return List(node, place.Followed(node.suffix.size())) + node.suffix;
  }
}

// The value on the line of the name, or on the next.
std::string Assigned(const Statement& one, std::size_t indent) {
  const std::string same =
      Laid(one.value[0], {indent, indent + Width(one.head), one.end.size()});
  const Place next_place = Place::Line(indent + kTab, one.end.size());
  const std::string next = Laid(one.value[0], next_place);
  const bool same_fits = indent + Width(one.head) + Width(FirstLine(same)) <= kLineMax;
  const bool one_line_next = Breaks(next) == 0 && next_place.Fits(next);
  if (one.head.empty() || (Breaks(same) == 0 && same_fits &&
                           indent + Width(one.head + same + one.end) <= kLineMax)) {
    return one.head + same;
  }
  if (one_line_next || !same_fits || Breaks(same) > Breaks(next) + 1) {
    return one.head.substr(0, one.head.size() - 1) + "\n" + Blanks(indent + kTab) + next;
  }
  return one.head + same;
}

// A function's parameters stand on lines of their own if they have no room.
std::string Head(const std::string& head, std::size_t indent) {
  const std::size_t open = head.find('(');
  if (head.find("fn ") == std::string::npos || open == std::string::npos ||
      indent + Width(head) + 2 <= kLineMax) {
    return head;
  }
  const std::size_t close = head.find(") -> ") != std::string::npos ? head.find(") -> ") : head.rfind(')');
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
    std::string text = one.has_body         ? Block(Head(one.head, indent) + " ", one.body, indent)
                       : one.value.empty() ? one.head
                                           : Assigned(one, indent);
    text += one.end;
    out += (text.empty() ? "" : Blanks(indent)) + text + "\n";
  }
}

}  // namespace

std::string LaidOutAsRust(std::string_view text) {
  std::string out;
  Print(rust::ReadRust(text), 0, out);
  return out;
}

}  // namespace prejoin::gen
