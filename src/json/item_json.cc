// Printing is where a Query spends its time, so the text goes through a cursor into room that is made once for most items: a string
// that grows with each of the nine pieces of an attribute takes three times as long.
// The depth of a value is limited when it is written, so printing may recurse.
#include "json/item_json.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/byte_block.h"
#include "json/writer.h"
#include "value/base64.h"

namespace prejoin::json {
namespace {

// Bytes of `"":{"S":""},`: what stands around the name and the text of an attribute.
constexpr std::size_t kPlainAttributeExtra = 12;

// Writes at the end of a string, which is longer than its text until the pen dies. Single thread.
class Pen {
 public:
  explicit Pen(std::string& out) : out_(out) { GoToEnd(); }
  Pen(const Pen&) = delete;
  Pen& operator=(const Pen&) = delete;
  ~Pen() { Settle(); }

  // Room for that many bytes. The caller fills it and calls `Advance`.
  char* Room(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) {
      Grow(bytes);
    }
    return at_;
  }
  void Advance(char* to) { at_ = to; }

  void Put(char c) {
    *Room(1) = c;
    ++at_;
  }
  void Append(std::string_view text) {
    std::memcpy(Room(text.size()), text.data(), text.size());
    at_ += text.size();
  }
  // Puts the last character in place of the comma after the last attribute, if there is one.
  void EndWith(char c) {
    if (at_[-1] == ',') {
      --at_;
    }
    Put(c);
  }

  // The writer's position: the size written, the text from a size on, and the way back to it.
  std::size_t Size() const { return static_cast<std::size_t>(at_ - out_.data()); }
  std::string_view TextFrom(std::size_t size) const { return {out_.data() + size, Size() - size}; }
  void GoBackTo(std::size_t size) { at_ = out_.data() + size; }

  // Lets `append` add to the string itself.
  template <class AppendTo>
  void Through(AppendTo append) {
    Settle();
    append(out_);
    GoToEnd();
  }

 private:
  void GoToEnd() {
    at_ = out_.data() + out_.size();
    end_ = at_;
  }
  void Settle() { out_.resize(static_cast<std::size_t>(at_ - out_.data())); }
  void Grow(std::size_t bytes) {
    constexpr std::size_t kGrowthMin = 256;
    const auto size = static_cast<std::size_t>(at_ - out_.data());
    out_.resize(size + std::max(bytes, kGrowthMin));
    at_ = out_.data() + size;
    end_ = out_.data() + out_.size();
  }

  std::string& out_;
  char* at_ = nullptr;   // After the text.
  char* end_ = nullptr;  // After the room.
};

// Copies one to two words of that type, which overlap, so that no length needs a loop or a call.
template <class Word>
void CopyWords(std::string_view text, char* to) {
  Word front;
  Word back;
  std::memcpy(&front, text.data(), sizeof(Word));
  std::memcpy(&back, text.data() + text.size() - sizeof(Word), sizeof(Word));
  std::memcpy(to, &front, sizeof(Word));
  std::memcpy(to + text.size() - sizeof(Word), &back, sizeof(Word));
}

// Copies the text, and says where it ends. Most are short.
char* Copy(std::string_view text, char* to) {
  const std::size_t size = text.size();
  if (size > 2 * sizeof(std::uint64_t)) {
    std::memcpy(to, text.data(), size);
  } else if (size >= sizeof(std::uint64_t)) {
    CopyWords<std::uint64_t>(text, to);
  } else if (size >= sizeof(std::uint32_t)) {
    CopyWords<std::uint32_t>(text, to);
  } else if (size >= sizeof(std::uint16_t)) {
    CopyWords<std::uint16_t>(text, to);
  } else if (size == 1) {
    *to = text.front();
  }
  return to + size;
}

void PrintView(ValueView value, Pen& pen);

void PrintString(std::string_view text, Pen& pen) {
  if (NeedsEscape(text)) {
    pen.Through([&](std::string& out) { AppendString(text, out); });
    return;
  }
  char* to = pen.Room(text.size() + 2);
  *to++ = '"';
  to = Copy(text, to);
  *to++ = '"';
  pen.Advance(to);
}

// Canonical number texts need no escaping.
void PrintNumberText(std::string_view text, Pen& pen) {
  char* to = pen.Room(text.size() + 2);
  *to++ = '"';
  to = Copy(text, to);
  *to++ = '"';
  pen.Advance(to);
}

void PrintBinary(std::string_view bytes, Pen& pen) {
  pen.Put('"');
  pen.Through([&](std::string& out) { AppendBase64(bytes, out); });
  pen.Put('"');
}

template <class Elements, class PrintOne>
void PrintArray(const Elements& elements, Pen& pen, PrintOne print_one) {
  pen.Put('[');
  bool first = true;
  for (const auto& element : elements) {
    if (!first) {
      pen.Put(',');
    }
    first = false;
    print_one(element, pen);
  }
  pen.Put(']');
}

// Prints `"name":{…},`.
void PrintAttribute(const ItemView::Entry& attribute, Pen& pen) {
  PrintString(attribute.name, pen);
  pen.Put(':');
  PrintView(attribute.value, pen);
  pen.Put(',');
}

bool IsPlain(ValueType type) { return type == ValueType::kString || type == ValueType::kNumber; }

// Prints `"name":{"S":"text"},` as if nothing in it needed an escape.
void PrintPlainAttribute(std::string_view name, ValueType type, std::string_view text, Pen& pen) {
  constexpr std::string_view kBetween = "\":{\"S\":\"";
  constexpr std::size_t kPlaceOfType = 4;
  static_assert(kBetween.size() == kPlainAttributeExtra - 4 && kBetween[kPlaceOfType] == 'S');
  char* to = pen.Room(name.size() + text.size() + kPlainAttributeExtra);
  *to++ = '"';
  to = Copy(name, to);
  std::memcpy(to, kBetween.data(), kBetween.size());
  to[kPlaceOfType] = type == ValueType::kString ? 'S' : 'N';
  to += kBetween.size();
  to = Copy(text, to);
  *to++ = '"';
  *to++ = '}';
  *to++ = ',';
  pen.Advance(to);
}

// Returns true if the text written from `begin` on has just that many quotes, no backslash and no control
// character. Looks at 16 bytes at once, and counts quotes in as many places, which have a byte each; false for a
// text that is too long for them.
bool HasOnlyQuotes(Pen& pen, std::size_t begin, std::size_t quotes) {
  std::memset(pen.Room(sizeof(ByteBlock)), ' ', sizeof(ByteBlock));  // Read with the last bytes.
  const std::string_view text = pen.TextFrom(begin);
  if (text.size() > 255 * sizeof(ByteBlock)) {
    return false;
  }
  ByteBlock specials{};
  ByteBlock counts{};
  for (std::size_t at = 0; at < text.size(); at += sizeof(ByteBlock)) {
    const auto bytes = LoadBytes<ByteBlock>(text.data() + at);
    specials |= reinterpret_cast<ByteBlock>((bytes < 0x20) | (bytes == '\\'));
    counts -= reinterpret_cast<ByteBlock>(bytes == '"');
  }
  return !IsAnySet(specials) && SumOf(counts) == quotes;
}

// Prints the attributes up to the first that is neither text nor number, a comma after each, and
// returns where it stopped. Few texts need an escape, so one look over all that was printed takes the
// place of one for each name and text; where it finds something, all are printed again with care.
ItemView::Iterator PrintPlainRun(const ItemView::Iterator& from, Pen& pen) {
  constexpr std::size_t kQuotesEach = 6;
  const std::size_t begin = pen.Size();
  std::size_t count = 0;
  ItemView::Iterator at = from;
  for (; at != std::default_sentinel && IsPlain(at->value.type()); ++at, ++count) {
    PrintPlainAttribute(at->name, at->value.type(), at->value.string(), pen);
  }
  if (count > 0 && !HasOnlyQuotes(pen, begin, kQuotesEach * count)) {
    pen.GoBackTo(begin);
    for (ItemView::Iterator again = from; count > 0; ++again, --count) {
      PrintAttribute(*again, pen);
    }
  }
  return at;
}

void PrintItem(ItemView item, Pen& pen) {
  // An attribute is stored with at least three bytes beside its name and text.
  pen.Room(item.body().size() + (kPlainAttributeExtra - 3) * item.size() + sizeof(ByteBlock) + 2);
  pen.Put('{');
  for (auto at = PrintPlainRun(item.begin(), pen); at != item.end(); at = PrintPlainRun(at, pen)) {
    PrintAttribute(*at, pen);
    ++at;
  }
  pen.EndWith('}');
}

void PrintView(ValueView value, Pen& pen) {
  switch (value.type()) {
    case ValueType::kString:
      pen.Append("{\"S\":");
      PrintString(value.string(), pen);
      break;
    case ValueType::kNumber:
      pen.Append("{\"N\":");
      PrintNumberText(value.number_text(), pen);
      break;
    case ValueType::kBinary:
      pen.Append("{\"B\":");
      PrintBinary(value.binary(), pen);
      break;
    case ValueType::kBool:
      pen.Append(value.boolean() ? "{\"BOOL\":true" : "{\"BOOL\":false");
      break;
    case ValueType::kNull:
      pen.Append("{\"NULL\":true");
      break;
    case ValueType::kList:
      pen.Append("{\"L\":");
      PrintArray(value.list(), pen, PrintView);
      break;
    case ValueType::kMap:
      pen.Append("{\"M\":");
      PrintItem(value.map(), pen);
      break;
    case ValueType::kStringSet:
      pen.Append("{\"SS\":");
      PrintArray(value.set(), pen, PrintString);
      break;
    case ValueType::kNumberSet:
      pen.Append("{\"NS\":");
      PrintArray(value.set(), pen, PrintNumberText);
      break;
    case ValueType::kBinarySet:
      pen.Append("{\"BS\":");
      PrintArray(value.set(), pen, PrintBinary);
      break;
  }
  pen.Put('}');
}

}  // namespace

void AppendItem(ItemView item, std::string& out) {
  Pen pen(out);
  PrintItem(item, pen);
}

void AppendItem(const StoredItem& item, std::string& out) {
  AppendItem(ItemView(item.body()), out);
}

void AppendItem(const Item& item, std::string& out) {
  ObjectWriter object(out);
  for (const auto& [name, value] : item) {
    AppendValue(value, object.Key(name));
  }
}

// Few values come this way (keys, rarely an unprocessed item), so one way of printing is enough.
void AppendValue(const AttributeValue& value, std::string& out) {
  std::string encoded;
  EncodeValue(value, encoded);
  Pen pen(out);
  PrintView(ValueView(encoded.data()), pen);
}

}  // namespace prejoin::json
