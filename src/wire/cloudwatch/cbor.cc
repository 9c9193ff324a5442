// CBOR (RFC 8949), as far as Smithy's protocol uses it: maps with text keys, lists, texts, numbers and
// times, which are numbers with the tag 1. Lengths may be left open until a break.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "wire/cloudwatch/node.h"

namespace prejoin::wire {
namespace {

constexpr int kCborDepthMax = 32;
constexpr unsigned kCborOpen = 31;  // The additional information of a length that is left open.
constexpr std::uint64_t kCborTimeTag = 1;

constexpr unsigned kCborUnsigned = 0;
constexpr unsigned kCborNegative = 1;
constexpr unsigned kCborBytes = 2;
constexpr unsigned kCborText = 3;
constexpr unsigned kCborArray = 4;
constexpr unsigned kCborMap = 5;
constexpr unsigned kCborTag = 6;
constexpr unsigned kCborSimple = 7;

class CborReader {
 public:
  explicit CborReader(std::string_view bytes) : bytes_(bytes) {}

  bool Read(int depth, Node& node) {
    unsigned major = 0;
    unsigned information = 0;
    if (depth > kCborDepthMax || room_-- == 0 || !TakeHead(major, information)) {
      return false;
    }
    if (major == kCborSimple) {
      return ReadSimple(information, node);
    }
    const bool open = information == kCborOpen && major >= kCborBytes && major <= kCborMap;
    std::uint64_t number = 0;
    if (!open && !TakeNumber(information, number)) {
      return false;
    }
    switch (major) {
      case kCborUnsigned:
        node = Node::Number(static_cast<double>(number));
        return true;
      case kCborNegative:
        node = Node::Number(-1 - static_cast<double>(number));
        return true;
      case kCborBytes:
      case kCborText:
        node.kind = Node::Kind::kText;
        return open ? ReadPieces(depth, node.text) : TakeBytes(number, node.text);
      case kCborArray:
      case kCborMap:
        return ReadMembers(major == kCborMap, open, number, depth, node);
      default:
        return ReadTagged(number, depth, node);
    }
  }

  bool at_end() const { return bytes_.empty(); }

 private:
  bool TakeHead(unsigned& major, unsigned& information) {
    if (bytes_.empty()) {
      return false;
    }
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    major = byte >> 5;
    information = byte & 31;
    return true;
  }

  bool TakeBits(std::size_t count, std::uint64_t& number) {
    if (bytes_.size() < count) {
      return false;
    }
    number = 0;
    for (const char byte : bytes_.substr(0, count)) {
      number = number << 8 | static_cast<unsigned char>(byte);
    }
    bytes_.remove_prefix(count);
    return true;
  }

  bool TakeNumber(unsigned information, std::uint64_t& number) {
    if (information < 24) {
      number = information;
      return true;
    }
    return information < 28 && TakeBits(std::size_t{1} << (information - 24), number);
  }

  bool TakeBytes(std::uint64_t size, std::string& text) {
    if (size > bytes_.size()) {
      return false;
    }
    text.append(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return true;
  }

  bool TakeBreak() {
    const bool is = !bytes_.empty() && bytes_.front() == '\xff';
    bytes_.remove_prefix(is ? 1 : 0);
    return is;
  }

  bool ReadPieces(int depth, std::string& text) {
    while (!TakeBreak()) {
      Node piece;
      if (!Read(depth + 1, piece) || piece.kind != Node::Kind::kText) {
        return false;
      }
      text += piece.text;
    }
    return true;
  }

  bool ReadMembers(bool is_map, bool open, std::uint64_t count, int depth, Node& node) {
    node.kind = is_map ? Node::Kind::kMap : Node::Kind::kList;
    if (!open && count > bytes_.size()) {
      return false;  // Each member takes a byte at least.
    }
    for (std::uint64_t i = 0; open ? !TakeBreak() : i < count; ++i) {
      Node name;
      Node value;
      if ((is_map && (!Read(depth + 1, name) || name.kind != Node::Kind::kText)) ||
          !Read(depth + 1, value)) {
        return false;
      }
      if (is_map && node.map.size() == kMapMembersMax) {
        return false;
      }
      if (is_map) {
        node.Set(name.text, std::move(value));
      } else {
        node.list.push_back(std::move(value));
      }
    }
    return true;
  }

  bool ReadTagged(std::uint64_t tag, int depth, Node& node) {
    if (!Read(depth + 1, node)) {
      return false;
    }
    if (tag == kCborTimeTag) {
      node.kind = node.kind == Node::Kind::kNumber ? Node::Kind::kTime : node.kind;
    }
    return true;
  }

  bool ReadSimple(unsigned information, Node& node) {
    std::uint64_t bits = 0;
    switch (information) {
      case 20:
      case 21:
        node = Node::Number(information == 21 ? 1 : 0);
        return true;
      case 22:
      case 23:
        return true;  // Null and undefined.
      case 25:
        if (!TakeBits(2, bits)) {
          return false;
        }
        node = Node::Number(HalfOf(static_cast<std::uint16_t>(bits)));
        return true;
      case 26:
        if (!TakeBits(4, bits)) {
          return false;
        }
        node = Node::Number(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
        return true;
      case 27:
        if (!TakeBits(8, bits)) {
          return false;
        }
        node = Node::Number(std::bit_cast<double>(bits));
        return true;
      default:
        return false;
    }
  }

  static double HalfOf(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1'023;
    const double value = exponent == 0 ? std::ldexp(fraction, -24)
                         : exponent == 31
                             ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                              : std::numeric_limits<double>::quiet_NaN())
                             : std::ldexp(fraction + 1'024, exponent - 25);
    return bits >> 15 != 0 ? -value : value;
  }

  std::string_view bytes_;
  std::size_t room_ = 2 * kNodesMax;  // Names count as well.
};

void AppendHead(unsigned major, std::uint64_t number, std::string& out) {
  const auto first = [&](unsigned information) {
    out += static_cast<char>(major << 5 | information);
  };
  unsigned width = 0;
  if (number < 24) {
    first(static_cast<unsigned>(number));
    return;
  }
  while (width < 3 && number >> (8u << width) != 0) {
    ++width;
  }
  first(24 + width);
  for (unsigned shift = 8u << width; shift > 0; shift -= 8) {
    out += static_cast<char>(number >> (shift - 8));
  }
}

void AppendFloat(double number, std::string& out) {
  out += '\xfb';
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    out += static_cast<char>(bits >> (shift - 8));
  }
}

}  // namespace

std::optional<Node> ReadCbor(std::string_view body) {
  if (body.empty()) {
    return Node::Map();
  }
  CborReader reader(body);
  Node node;
  return reader.Read(0, node) && reader.at_end() && node.kind == Node::Kind::kMap
             ? std::optional(std::move(node))
             : std::nullopt;
}

void PrintCbor(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::kNull:
      out += '\xf6';
      break;
    case Node::Kind::kNumber:
      AppendFloat(node.number, out);
      break;
    case Node::Kind::kText:
      AppendHead(kCborText, node.text.size(), out);
      out += node.text;
      break;
    case Node::Kind::kTime:
      AppendHead(kCborTag, kCborTimeTag, out);
      AppendFloat(node.number, out);
      break;
    case Node::Kind::kList:
      AppendHead(kCborArray, node.list.size(), out);
      for (const Node& element : node.list) {
        PrintCbor(element, out);
      }
      break;
    case Node::Kind::kMap:
      AppendHead(kCborMap, node.map.size(), out);
      for (const auto& [name, value] : node.map) {
        AppendHead(kCborText, name.size(), out);
        out += name;
        PrintCbor(value, out);
      }
      break;
  }
}

}  // namespace prejoin::wire
