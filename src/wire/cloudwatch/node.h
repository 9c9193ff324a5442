// A tree of values, as CloudWatch's three protocols have it: the form of older SDKs with answers in XML,
// JSON, and CBOR of SDKs since 2025.
#ifndef PREJOIN_WIRE_CLOUDWATCH_NODE_H_
#define PREJOIN_WIRE_CLOUDWATCH_NODE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prejoin::wire {

struct Node {
  enum class Kind { kNull, kNumber, kText, kTime, kList, kMap };

  Kind kind = Kind::kNull;
  double number = 0;  // kTime: seconds since 1970.
  std::string text;
  struct Member;  // No pair: clang 14 asks whether it can be made of a Node before it knows either.
  std::vector<Node> list;
  std::vector<Member> map;

  static Node Number(double value);
  static Node Text(std::string_view value);
  static Node Time(double seconds);
  static Node List();
  static Node Map();

  Node& Set(std::string_view name, Node value);
  // Adds it with a null, and returns that.
  Node& Add(std::string_view name);
  // Null if there is none.
  const Node* Find(std::string_view name) const;
  // "" if there is none, or it is no text.
  std::string_view TextOf(std::string_view name) const;
  // A number, or a text that is one.
  std::optional<double> NumberOf(std::string_view name) const;
  // Seconds since 1970: a time, a number, or a text such as 2026-12-01T00:00:00Z.
  std::optional<double> TimeOf(std::string_view name) const;
  // The elements of a list; empty if there is none.
  const std::vector<Node>& ListOf(std::string_view name) const;
};

struct Node::Member {
  std::string name;
  Node value;
};

inline Node Node::Number(double value) { return {.kind = Kind::kNumber, .number = value}; }
inline Node Node::Text(std::string_view value) {
  return {.kind = Kind::kText, .text = std::string(value)};
}
inline Node Node::Time(double seconds) { return {.kind = Kind::kTime, .number = seconds}; }
inline Node Node::List() { return {.kind = Kind::kList}; }
inline Node Node::Map() { return {.kind = Kind::kMap}; }

inline Node& Node::Set(std::string_view name, Node value) {
  map.push_back({std::string(name), std::move(value)});
  return *this;
}
inline Node& Node::Add(std::string_view name) {
  map.push_back({std::string(name), Node()});
  return map.back().value;
}

// A request has at most so many values: 500 queries with 30 dimensions each. A few bytes of a request may stand for a value.
inline constexpr std::size_t kNodesMax = 50'000;
// More members than any shape of CloudWatch has.
inline constexpr std::size_t kMapMembersMax = 64;

// "Action=ListMetrics&Dimensions.member.1.Name=TableName". Nullopt: it is too large, too deep, or no form.
std::optional<Node> ReadForm(std::string_view body);
std::optional<Node> ReadJson(std::string_view body);
std::optional<Node> ReadCbor(std::string_view body);

void PrintXml(const Node& node, std::string& out);  // The members of a map, without an element around.
void PrintJson(const Node& node, std::string& out);
void PrintCbor(const Node& node, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_CLOUDWATCH_NODE_H_
