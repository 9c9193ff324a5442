#include "json/writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "base/byte_block.h"

namespace prejoin::json {
namespace {

// Not zero if any byte of `word` is below 0x20, a quote or a backslash. The flag of a byte is its high bit; a borrow may set flags above
// the first one that is right. A byte that is not ASCII has its high bit set in all three differences, which `& ~word` takes away.
std::uint64_t Specials(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  return ((word - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes)) & ~word & kHighBits;
}

// All bits of a byte are set if it is below 0x20, a quote or a backslash.
ByteBlock SpecialsOf(ByteBlock bytes) {
  return reinterpret_cast<ByteBlock>((bytes < 0x20) | (bytes == '"') | (bytes == '\\'));
}

bool IsSpecial(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// The first character from `at` on that must be escaped, or text.size().
std::size_t FindSpecial(std::string_view text, std::size_t at) {
  while (at + sizeof(std::uint64_t) <= text.size()) {
    if (Specials(LoadBytes<std::uint64_t>(text.data() + at)) != 0) {
      break;
    }
    at += sizeof(std::uint64_t);
  }
  while (at < text.size() && !IsSpecial(text[at])) {
    ++at;
  }
  return at;
}

void AppendEscaped(char c, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    default:
      out.append("\\u00");
      out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      out.push_back(kHex[static_cast<unsigned char>(c) & 0xF]);
  }
}

template <class T>
std::string_view ToChars(T number, std::array<char, 32>& buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

}  // namespace

// Looks at 16 bytes at once. The last ones overlap those before, and short texts are laid twice over
// the 16: most texts are short, and their ends are where the time would go.
bool NeedsEscape(std::string_view text) {
  const char* data = text.data();
  const std::size_t size = text.size();
  if (size >= sizeof(ByteBlock)) {
    ByteBlock specials = SpecialsOf(LoadBytes<ByteBlock>(data + size - sizeof(ByteBlock)));
    for (std::size_t at = 0; at + sizeof(ByteBlock) < size; at += sizeof(ByteBlock)) {
      specials |= SpecialsOf(LoadBytes<ByteBlock>(data + at));
    }
    return IsAnySet(specials);
  }
  if (size >= sizeof(std::uint64_t)) {
    const std::array<std::uint64_t, 2> ends = {
        LoadBytes<std::uint64_t>(data),
        LoadBytes<std::uint64_t>(data + size - sizeof(std::uint64_t))};
    return IsAnySet(SpecialsOf(std::bit_cast<ByteBlock>(ends)));
  }
  if (size >= sizeof(std::uint32_t)) {
    const std::uint64_t low = LoadBytes<std::uint32_t>(data);
    const std::uint64_t high = LoadBytes<std::uint32_t>(data + size - sizeof(std::uint32_t));
    return Specials(high << 32 | low) != 0;
  }
  return size > 0 && (IsSpecial(data[0]) || IsSpecial(data[size / 2]) || IsSpecial(data[size - 1]));
}

void AppendString(std::string_view text, std::string& out) {
  out.push_back('"');
  std::size_t at = 0;
  while (true) {
    const std::size_t special = FindSpecial(text, at);
    out.append(text.data() + at, special - at);
    if (special == text.size()) {
      break;
    }
    AppendEscaped(text[special], out);
    at = special + 1;
  }
  out.push_back('"');
}

void AppendDouble(double number, std::string& out) {
  std::array<char, 32> buffer;
  const std::string_view text = ToChars(number, buffer);
  out.append(text);
  if (text.find_first_of(".e") == std::string_view::npos) {
    out.append(".0");
  }
}

void AppendInteger(std::int64_t number, std::string& out) {
  std::array<char, 32> buffer;
  out.append(ToChars(number, buffer));
}

void ObjectWriter::Time(std::string_view name, std::int64_t milliseconds) {
  AppendInteger(milliseconds / 1000, Name(name));
  const auto fraction = static_cast<int>(milliseconds % 1000);
  out_.push_back('.');
  out_.push_back(static_cast<char>('0' + fraction / 100));
  out_.push_back(static_cast<char>('0' + fraction / 10 % 10));
  out_.push_back(static_cast<char>('0' + fraction % 10));
}

}  // namespace prejoin::json
