// Writing the stored form. Reading is in item_view.cc, checking in validate.cc.
#include "value/encoding.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/check.h"

namespace prejoin {
namespace {

// The length of a container is copied in and out as the machine has it; stored bytes are
// little-endian.
static_assert(std::endian::native == std::endian::little);

std::uint32_t Size32(std::size_t size) {
  PJ_CHECK(size <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(size);
}

void AppendTag(ValueType type, std::string& out) { out.push_back(static_cast<char>(type)); }

void AppendSized(std::string_view bytes, std::string& out) {
  AppendVarint(Size32(bytes.size()), out);
  out.append(bytes);
}

// The longest, -1E-130 with 38 digits, has 170 characters: its length may take two bytes, so it is
// not not known where the text begins before it is written.
void AppendNumber(const Number& number, std::string& out) {
  std::string text;  // Almost always short enough to need no allocation.
  number.AppendTo(text);
  AppendSized(text, out);
}

// Leaves room for the byte length of a container and fills it in when the contents stand.
class LengthField {
 public:
  explicit LengthField(std::string& out) : out_(out), at_(out.size()) {
    out.append(sizeof(std::uint32_t), '\0');
  }
  LengthField(const LengthField&) = delete;
  LengthField& operator=(const LengthField&) = delete;
  ~LengthField() {
    const std::uint32_t size = Size32(out_.size() - at_ - sizeof(std::uint32_t));
    std::memcpy(out_.data() + at_, &size, sizeof(size));
  }

 private:
  std::string& out_;
  const std::size_t at_;
};

void AppendMember(const std::string& member, std::string& out) { AppendSized(member, out); }
void AppendMember(const Number& member, std::string& out) { AppendNumber(member, out); }

// Sets have no order of their own, but DynamoDB gives them back sorted: texts and bytes bytewise,
// numbers by value. They are stored so.
template <class T>
void AppendMembers(const std::vector<T>& members, std::string& out) {
  const LengthField length(out);
  AppendVarint(Size32(members.size()), out);
  if (std::ranges::is_sorted(members)) {
    for (const T& member : members) {
      AppendMember(member, out);
    }
    return;
  }
  std::vector<const T*> sorted;
  sorted.reserve(members.size());
  for (const T& member : members) {
    sorted.push_back(&member);
  }
  std::ranges::sort(sorted, [](const T* a, const T* b) { return *a < *b; });
  for (const T* member : sorted) {
    AppendMember(*member, out);
  }
}

void AppendElements(const AttributeValue::List& list, std::string& out) {
  const LengthField length(out);
  AppendVarint(Size32(list.size()), out);
  for (const AttributeValue& element : list) {
    EncodeValue(element, out);
  }
}

}  // namespace

void EncodeValue(const AttributeValue& value, std::string& out) {
  AppendTag(value.type(), out);
  switch (value.type()) {
    case ValueType::kString:
      return AppendSized(*value.string(), out);
    case ValueType::kNumber:
      return AppendNumber(*value.number(), out);
    case ValueType::kBinary:
      return AppendSized(*value.binary(), out);
    case ValueType::kBool:
      return out.push_back(*value.boolean() ? 1 : 0);
    case ValueType::kNull:
      return;
    case ValueType::kList:
      return AppendElements(*value.list(), out);
    case ValueType::kMap: {
      const LengthField length(out);
      return EncodeItem(*value.map(), out);
    }
    case ValueType::kStringSet:
      return AppendMembers(*value.string_set(), out);
    case ValueType::kNumberSet:
      return AppendMembers(*value.number_set(), out);
    case ValueType::kBinarySet:
      return AppendMembers(*value.binary_set(), out);
  }
}

void EncodeItem(const Item& item, std::string& out) {
  AppendVarint(Size32(item.size()), out);
  for (const auto& [name, value] : item) {
    AppendSized(name, out);
    EncodeValue(value, out);
  }
}

std::string EncodeItem(const Item& item) {
  std::string out;
  EncodeItem(item, out);
  return out;
}

void ItemBuilder::AddName(std::string_view name) {
  PJ_CHECK(count_ == 0 || std::string_view(entries_).substr(last_name_at_, last_name_size_) < name);
  AppendVarint(Size32(name.size()), entries_);
  last_name_at_ = entries_.size();
  last_name_size_ = name.size();
  entries_.append(name);
  ++count_;
}

void ItemBuilder::Add(std::string_view name, ValueView value) {
  AddName(name);
  entries_.append(value.bytes());
}

void ItemBuilder::Add(std::string_view name, const AttributeValue& value) {
  AddName(name);
  EncodeValue(value, entries_);
}

std::string ItemBuilder::Finish() && {
  std::string body;
  body.reserve(entries_.size() + 2);
  AppendVarint(count_, body);
  body.append(entries_);
  return body;
}

}  // namespace prejoin
