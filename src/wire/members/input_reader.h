// Turning a JSON request into a typed input, with DynamoDB's checks in DynamoDB's order:
//   1. types: the first value of the wrong JSON type ends the reading with kSerialization;
//   2. constraints: missing members, enums, lengths, patterns; all of them in one message;
//   3. everything else about values, in the order of `Order`, whatever their order in the document.
// So readers return an error only for 1; what belongs to 2 and 3 is noted here and decided in
// Finish.
#ifndef PREJOIN_WIRE_MEMBERS_INPUT_READER_H_
#define PREJOIN_WIRE_MEMBERS_INPUT_READER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/reworded_texts.h"
#include "json/enum_names.h"
#include "json/reader.h"
#include "json/type_checks.h"
#include "prejoin/result.h"
#include "wire/members/request_body.h"
#include "wire/members/request_forms.h"

namespace prejoin::wire {

using json::EnumName;
using json::Shape;

// The path of a value in the request, for messages: 'keySchema.1.member.keyType'. A chain of nodes on the
// readers' stacks, so it costs nothing until it is printed.
class Path {
 public:
  // A member of a structure.
  Path(const Path* parent, std::string_view name) : parent_(parent), name_(name) {}
  // An entry of a map, and an element of a list (from 0).
  static Path Entry(const Path& map, std::string_view key) {
    return Path(&map, key, kNoIndex, true);
  }
  static Path Element(const Path& list, std::size_t index) { return Path(&list, "", index, true); }

  std::string_view name() const { return name_; }
  std::string Print() const;

 private:
  static constexpr std::size_t kNoIndex = std::numeric_limits<std::size_t>::max();

  Path(const Path* parent, std::string_view name, std::size_t index, bool in_collection)
      : parent_(parent), name_(name), index_(index), in_collection_(in_collection) {}

  const Path* parent_;  // Outlives this: a node of a caller.
  std::string_view name_;
  std::size_t index_ = kNoIndex;
  bool in_collection_ = false;
};

// Which complaint wins when a request has several faults.
enum class Order {
  kMissingParameter,
  kTableName,
  kConstraints,
  kRequest,
  kItem,
  kFilter,
  kStartKey,
  kExpressionValues,
  kKeyConditions,
  kLength,
};

enum class Presence {
  kOptional,
  kRequired,   // "Value null at 'x' failed to satisfy constraint: Member must not be null"
  kParameter,  // "The parameter 'X' is required but was not present in the request"
};

class InputReader;

// One member of a structure and how to read it.
template <class T>
struct Member {
  std::string_view name;
  Status (*read)(InputReader&, json::Value, const Path&, T&);
  Presence presence = Presence::kOptional;
};

Error RepeatedMember(std::string_view name);

// A member that AWS means and we cannot: refused, never dropped. `name` outlives the program.
Status RefuseMember(InputReader& reader, const Path& path);
template <class T>
constexpr Member<T> RefusedMember(std::string_view name) {
  return {name, [](InputReader& reader, json::Value, const Path& path, T&) {
            return RefuseMember(reader, path);
          }};
}

struct LengthLimits {
  std::size_t min = 0;
  std::size_t max = std::numeric_limits<std::size_t>::max();
};

// Single thread; one for each request.
class InputReader {
 public:
  explicit InputReader(RequestForm form = kOldForm, const NameScope* names = nullptr)
      : form_(form), names_(names) {}
  const RequestForm& form() const { return form_; }
  const NameScope* names() const { return names_; }  // Null: no ARNs.
  Texts texts() const { return names_ != nullptr ? names_->options.texts : Texts(); }

  // Out is T or std::optional<T>.
  template <class Out>
  Status ReadString(json::Value value, Out& out) const {
    PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
    out = std::string(text);
    return {};
  }
  template <class Out>
  Status ReadBool(json::Value value, Out& out) const {
    PJ_ASSIGN_OR_RETURN(out, json::ReadBool(value));
    return {};
  }
  // A number that does not fit into 32 bits is held at the end of the range.
  Status ReadInt32(json::Value value, std::optional<std::int32_t>& out) const;
  template <class Out>
  Status ReadInt64(json::Value value, Out& out) const {
    PJ_ASSIGN_OR_RETURN(out, json::ReadInteger(value, "Long"));
    return {};
  }
  template <class E, std::size_t kCount, class Out>
  Status ReadEnum(json::Value value, const Path& path, const EnumName<E> (&names)[kCount],
                  Out& out) {
    PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
    std::string_view all[kCount];
    for (std::size_t i = 0; i < kCount; ++i) {
      if (names[i].name == text) {
        out = names[i].value;
        return {};
      }
      all[i] = names[i].name;
    }
    ViolateEnum(path, text, all);
    return {};
  }

  // Reads the members of an object whose type is already checked. Unknown members and nulls are
  // passed over. A known member that comes twice is refused: whoever looked at one of the two would not have seen the other.
  template <class T, std::size_t kCount>
  Status ReadMembers(json::Value object, const Path* parent, const Member<T> (&members)[kCount],
                     T& out) {
    static_assert(kCount <= 64);
    std::uint64_t named = 0;
    std::uint64_t seen = 0;  // The fields among them that are not null.
    for (const auto& [name, value] : object.fields()) {
      for (std::size_t i = 0; i < kCount; ++i) {
        if (members[i].name == name) {
          const std::uint64_t bit = std::uint64_t{1} << i;
          if ((named & bit) != 0) {
            return RepeatedMember(name);
          }
          named |= bit;
          if (!value.is_null()) {
            seen |= bit;
            EnterMember(parent, i);
            PJ_RETURN_IF_ERROR(members[i].read(*this, value, Path(parent, members[i].name), out));
          }
          break;
        }
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      if (members[i].presence != Presence::kOptional && (seen >> i & 1) == 0) {
        EnterMember(parent, i);
        NoteMissing(Path(parent, members[i].name), members[i].presence);
      }
    }
    return {};
  }

  // `read(element, path)` for each; a null element violates a constraint.
  template <class Read>
  Status ReadElements(json::Value array, const Path& path, Read read) {
    PJ_RETURN_IF_ERROR(json::CheckArray(array));
    std::size_t index = 0;
    for (const json::Value element : array.elements()) {
      if (index == kPartsMax) {
        RefuseLength(path);
        break;
      }
      const Path element_path = Path::Element(path, index++);
      if (element.is_null()) {
        NoteMissing(element_path, Presence::kRequired);
        continue;
      }
      PJ_RETURN_IF_ERROR(read(element, element_path));
    }
    return {};
  }

  // `read(name, member)` for each entry of a map whose type is already checked.
  template <class Read>
  Status ReadEntries(json::Value map, const Path& path, Read read) {
    std::size_t count = 0;
    for (const auto& [name, member] : map.fields()) {
      if (count++ == kPartsMax) {
        RefuseLength(path);
        break;
      }
      PJ_RETURN_IF_ERROR(read(name, member));
    }
    return {};
  }

  Status ReadStrings(json::Value array, const Path& path, std::vector<std::string>& out);

  // True if what Refuse keeps is about an item.
  bool RefusesItem() const { return refusal_order_ == Order::kItem; }

  // A constraint in words of its own.
  void ViolateText(std::string text) { Add(std::move(text)); }
  // Constraints. `shown` is in quotes in the message.
  void Violate(const Path& path, std::string_view shown, std::string_view constraint);
  void CheckLength(const Path& path, std::string_view shown, std::size_t length,
                   LengthLimits limits);
  void CheckPattern(const Path& path, std::string_view text);  // [a-zA-Z0-9_.-]+
  void CheckRange(const Path& path, std::int64_t number, std::int64_t min,
                  std::int64_t max = std::numeric_limits<std::int64_t>::max());

  // A complaint outside the list of constraints. The first of the lowest order wins.
  void Refuse(Order order, std::string message);

  // Refuses with the newer of two texts where the server uses these (`--texts newest`); false, without a complaint, where it does not.
  bool RefuseInNewerTexts(engine::Rewording what, std::initializer_list<std::string_view> parts = {});

  // The complaint that DynamoDB would give, if there is any.
  Status Finish() const;

 private:
  // Ours: no list or map of a request may have nearly as many parts, and each takes far more memory
  // than text. The rest is not read.
  static constexpr std::size_t kPartsMax = 20'000;

  struct Violation {
    std::size_t rank;  // The rank of the top-level member, which is the order of the message.
    std::string text;
  };

  void EnterMember(const Path* parent, std::size_t index) {
    if (parent == nullptr) {
      rank_ = index;
    }
  }
  void RefuseLength(const Path& path);
  void NoteMissing(const Path& path, Presence presence);
  void ViolateEnum(const Path& path, std::string_view text, std::span<const std::string_view> all);
  void Add(std::string text);

  const RequestForm form_;
  const NameScope* const names_;
  std::size_t rank_ = 0;
  std::vector<Violation> violations_;
  std::optional<Order> refusal_order_;
  std::string refusal_;
};

// A whole request: its members, then `check(reader, input)` for rules about several of them.
template <class T, std::size_t kCount, class Check>
Result<T> ParseInput(const RequestBody& request, const Member<T> (&members)[kCount],
                     RequestForm form, Check check) {
  InputReader reader(form, request.names);
  PJ_RETURN_IF_ERROR(json::CheckObject(request.root, {Shape::Kind::kStructureElement, "Input"}));
  T input;
  PJ_RETURN_IF_ERROR(reader.ReadMembers(request.root, nullptr, members, input));
  check(reader, input);
  PJ_RETURN_IF_ERROR(reader.Finish());
  return input;
}

template <class T, std::size_t kCount>
Result<T> ParseInput(const RequestBody& request, const Member<T> (&members)[kCount]) {
  return ParseInput(request, members, kOldForm, [](InputReader&, T&) {});
}
template <class T, std::size_t kCount>
Result<T> ParseInput(const RequestBody& request, const Member<T> (&members)[kCount],
                     RequestForm form) {
  return ParseInput(request, members, form, [](InputReader&, T&) {});
}
template <class T, std::size_t kCount, class Check>
Result<T> ParseInput(const RequestBody& request, const Member<T> (&members)[kCount], Check check) {
  return ParseInput(request, members, kOldForm, check);
}

// kAccessDenied for a resource that the request's policies were not asked about.
Status CheckAsked(const InputReader& reader, std::string_view arn);

bool IsNameCharacter(char c);  // Matches the pattern [a-zA-Z0-9_.-]+

// A JSON value as DynamoDB echoes lists and maps in its messages, like Java's toString: [a, {b=c}].
// Cut off where it gets long.
std::string PrintEcho(json::Value value);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_INPUT_READER_H_
