#include "wire/cloudwatch/node.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "base/xml_text.h"
#include "json/reader.h"
#include "json/writer.h"

namespace prejoin::wire {
namespace {

constexpr int kFormDepthMax = 16;

int DigitOfHex(char digit) {
  return digit >= '0' && digit <= '9'   ? digit - '0'
         : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
         : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                        : -1;
}

std::string DecodedForm(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escaped = text[at] == '%' && at + 2 < text.size() &&
                         DigitOfHex(text[at + 1]) >= 0 && DigitOfHex(text[at + 2]) >= 0;
    if (escaped) {
      out += static_cast<char>(DigitOfHex(text[at + 1]) * 16 + DigitOfHex(text[at + 2]));
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

// The element with this number, which begins at 1. Those before it may still come. Null: the request has too many.
Node* ElementOf(Node& list, std::size_t number, std::size_t& room) {
  const std::size_t missing = number - std::min(number, list.list.size());
  if (missing > room) {
    return nullptr;
  }
  room -= missing;
  list.list.resize(list.list.size() + missing);
  return &list.list[number - 1];
}

Node* MemberOf(Node& map, std::string_view name, std::size_t& room) {
  const auto known = std::ranges::find(map.map, name, &Node::Member::name);
  if (known != map.map.end()) {
    return &known->value;
  }
  if (room == 0 || map.map.size() == kMapMembersMax) {
    return nullptr;
  }
  --room;
  return &map.Add(name);
}

// The place of "Dimensions.member.1.Name" in the tree; null: there is no such place. `room`: values that may still be added.
Node* PlaceOf(std::string_view path, Node& root, std::size_t& room) {
  Node* node = &root;
  for (int depth = 0; !path.empty(); ++depth) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (depth == kFormDepthMax || name.empty()) {
      return nullptr;
    }
    if (name == "member") {
      const std::size_t number_end = std::min(path.find('.'), path.size());
      std::size_t number = 0;
      const auto [last, error] = std::from_chars(path.data(), path.data() + number_end, number);
      if (error != std::errc() || last != path.data() + number_end || number == 0 ||
          (node->kind == Node::Kind::kMap && !node->map.empty())) {
        return nullptr;
      }
      path.remove_prefix(std::min(number_end + 1, path.size()));
      node->kind = Node::Kind::kList;
      node = ElementOf(*node, number, room);
      if (node == nullptr) {
        return nullptr;
      }
      continue;
    }
    if (node->kind == Node::Kind::kNull) {
      node->kind = Node::Kind::kMap;
    }
    if (node->kind != Node::Kind::kMap) {
      return nullptr;
    }
    node = MemberOf(*node, name, room);
    if (node == nullptr) {
      return nullptr;
    }
  }
  return node;
}

// False: there is no room for so many values.
bool FromJson(const json::Value& value, std::size_t& room, Node& node) {
  if (room-- == 0) {
    return false;
  }
  switch (value.type()) {
    case json::Type::kNull:
      break;
    case json::Type::kBool:
      node = Node::Number(value.boolean() ? 1 : 0);
      break;
    case json::Type::kInteger:
    case json::Type::kDecimal:
      node = Node::Number(value.number());
      break;
    case json::Type::kString:
      node = Node::Text(value.string());
      break;
    case json::Type::kArray:
      node = Node::List();
      for (const json::Value element : value.elements()) {
        if (!FromJson(element, room, node.list.emplace_back())) {
          return false;
        }
      }
      break;
    case json::Type::kObject:
      node = Node::Map();
      for (const json::Field field : value.fields()) {
        Node& member = node.Add(field.name);
        if (node.map.size() > kMapMembersMax || !FromJson(field.value, room, member)) {
          return false;
        }
      }
      break;
  }
  return true;
}

std::optional<double> NumberInText(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value)
             ? std::optional(value)
             : std::nullopt;
}

// "2026-12-01T00:00:00Z", with or without a fraction and an offset such as +01:00.
std::optional<double> TimeInText(const std::string& text) {
  std::tm time = {};
  int read = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &time.tm_year, &time.tm_mon,
                  &time.tm_mday, &time.tm_hour, &time.tm_min, &time.tm_sec, &read) < 6) {
    return std::nullopt;
  }
  time.tm_year -= 1'900;
  time.tm_mon -= 1;
  double seconds = static_cast<double>(timegm(&time));
  std::string_view rest = std::string_view(text).substr(static_cast<std::size_t>(read));
  if (rest.starts_with('.')) {
    const std::size_t end = rest.find_first_not_of("0123456789", 1);
    seconds += NumberInText("0" + std::string(rest.substr(0, end))).value_or(0);
    rest = end == std::string_view::npos ? "" : rest.substr(end);
  }
  int hours = 0;
  int minutes = 0;
  if (rest.size() == 6 &&
      std::sscanf(std::string(rest.substr(1)).c_str(), "%2d:%2d", &hours, &minutes) == 2) {
    seconds -= (rest[0] == '-' ? -1 : 1) * (hours * 3'600 + minutes * 60);
    rest = "";
  }
  return rest.empty() || rest == "Z" ? std::optional(seconds) : std::nullopt;
}

std::string IsoTime(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm time = {};
  gmtime_r(&whole, &time);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &time);
  return text;
}

std::string NumberText(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return std::string(text, error == std::errc() ? end : text);
}

}  // namespace

const Node* Node::Find(std::string_view name) const {
  const auto found = std::ranges::find(map, name, &Node::Member::name);
  return found == map.end() ? nullptr : &found->value;
}

std::string_view Node::TextOf(std::string_view name) const {
  const Node* member = Find(name);
  return member != nullptr && member->kind == Kind::kText ? std::string_view(member->text) : "";
}

std::optional<double> Node::NumberOf(std::string_view name) const {
  const Node* member = Find(name);
  if (member == nullptr) {
    return std::nullopt;
  }
  return member->kind == Kind::kNumber ? std::optional(member->number)
         : member->kind == Kind::kText ? NumberInText(member->text)
                                       : std::nullopt;
}

std::optional<double> Node::TimeOf(std::string_view name) const {
  const Node* member = Find(name);
  if (member == nullptr) {
    return std::nullopt;
  }
  if (member->kind == Kind::kText) {
    const auto seconds = NumberInText(member->text);
    return seconds ? seconds : TimeInText(member->text);
  }
  return member->kind == Kind::kTime || member->kind == Kind::kNumber
             ? std::optional(member->number)
             : std::nullopt;
}

const std::vector<Node>& Node::ListOf(std::string_view name) const {
  static const std::vector<Node> kNone;
  const Node* member = Find(name);
  return member != nullptr ? member->list : kNone;
}

std::optional<Node> ReadForm(std::string_view body) {
  Node root = Node::Map();
  std::size_t room = kNodesMax;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('&'), body.size());
    const std::string_view pair = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = DecodedForm(pair.substr(0, equals));
    Node* place = PlaceOf(name, root, room);
    if (place == nullptr || place == &root) {
      return std::nullopt;
    }
    *place = Node::Text(DecodedForm(pair.substr(std::min(equals + 1, pair.size()))));
  }
  return root;
}

std::optional<Node> ReadJson(std::string_view body) {
  if (body.empty()) {
    return Node::Map();
  }
  const auto document = json::Document::Parse(body);
  std::size_t room = kNodesMax;
  Node node;
  return document && document->root().type() == json::Type::kObject &&
                 FromJson(document->root(), room, node)
             ? std::optional(std::move(node))
             : std::nullopt;
}

void PrintXml(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::kNull:
      break;
    case Node::Kind::kNumber:
      out += NumberText(node.number);
      break;
    case Node::Kind::kText:
      out += XmlText(node.text);
      break;
    case Node::Kind::kTime:
      out += IsoTime(node.number);
      break;
    case Node::Kind::kList:
      for (const Node& element : node.list) {
        out += "<member>";
        PrintXml(element, out);
        out += "</member>";
      }
      break;
    case Node::Kind::kMap:
      for (const auto& [name, value] : node.map) {
        out.append("<").append(name).append(">");
        PrintXml(value, out);
        out.append("</").append(name).append(">");
      }
      break;
  }
}

void PrintJson(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::kNull:
      out += "null";
      break;
    case Node::Kind::kNumber:
    case Node::Kind::kTime:
      out += NumberText(node.number);
      break;
    case Node::Kind::kText:
      json::AppendString(node.text, out);
      break;
    case Node::Kind::kList:
      out += '[';
      for (const Node& element : node.list) {
        out += &element == node.list.data() ? "" : ",";
        PrintJson(element, out);
      }
      out += ']';
      break;
    case Node::Kind::kMap: {
      json::ObjectWriter object(out);
      for (const auto& [name, value] : node.map) {
        PrintJson(value, object.Key(name));
      }
      break;
    }
  }
}

}  // namespace prejoin::wire
