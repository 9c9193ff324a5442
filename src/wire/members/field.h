// Rows of member tables that name a field and its reader:
//   Field<&CreateBackupInput::table_name, ReadTableName>("TableName", Presence::kParameter)
// A row turns into the Member of the structure whose table it is in. A check that needs more than one field, or more than a bound,
// is written out as a Member.
#ifndef PREJOIN_WIRE_MEMBERS_FIELD_H_
#define PREJOIN_WIRE_MEMBERS_FIELD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "wire/members/input_reader.h"

namespace prejoin::wire {

template <class T>
struct WithoutOptional {
  using Type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using Type = T;
};

// Texts, flags and whole numbers, by the type of the field.
struct ReadByType {
  template <class Out>
  Status operator()(InputReader& reader, json::Value value, const Path&, Out& out) const {
    using Type = typename WithoutOptional<Out>::Type;
    if constexpr (std::is_same_v<Type, std::string>) {
      return reader.ReadString(value, out);
    } else if constexpr (std::is_same_v<Type, bool>) {
      return reader.ReadBool(value, out);
    } else if constexpr (std::is_same_v<Type, std::int32_t>) {
      return reader.ReadInt32(value, out);
    } else {
      static_assert(std::is_same_v<Type, std::int64_t>);
      return reader.ReadInt64(value, out);
    }
  }
};

template <auto kField, auto kRead>
struct FieldRow {
  std::string_view name;
  Presence presence;

  // Implicit on purpose: a row is in a table of Member<T>.
  template <class T>
  constexpr operator Member<T>() const {
    return {name,
            [](InputReader& reader, json::Value value, const Path& path, T& out) -> Status {
              auto& field = out.*kField;
              if constexpr (std::is_invocable_v<decltype(kRead), InputReader&, json::Value,
                                                const Path&, decltype(field)>) {
                return kRead(reader, value, path, field);
              } else {
                return kRead(reader, value, path, field.emplace());  // Reads what is not optional.
              }
            },
            presence};
  }
};

template <auto kField, auto kRead = ReadByType{}>
constexpr FieldRow<kField, kRead> Field(std::string_view name,
                                        Presence presence = Presence::kOptional) {
  return {name, presence};
}

template <const auto& kNames>
struct ReadOneOf {
  template <class Out>
  Status operator()(InputReader& reader, json::Value value, const Path& path, Out& out) const {
    return reader.ReadEnum(value, path, kNames, out);
  }
};

// One of the names of a table.
template <auto kField, const auto& kNames>
constexpr FieldRow<kField, ReadOneOf<kNames>{}> EnumField(std::string_view name,
                                                          Presence presence = Presence::kOptional) {
  return {name, presence};
}

template <LengthLimits kLimits>
struct ReadWithin {
  template <class Out>
  Status operator()(InputReader& reader, json::Value value, const Path& path, Out& out) const {
    PJ_ASSIGN_OR_RETURN(const std::string_view text, json::ReadString(value));
    reader.CheckLength(path, text, text.size(), kLimits);
    out = std::string(text);
    return {};
  }
};

// A text of bounded length.
template <auto kField, LengthLimits kLimits>
constexpr FieldRow<kField, ReadWithin<kLimits>{}> TextField(
    std::string_view name, Presence presence = Presence::kOptional) {
  return {name, presence};
}

template <LengthLimits kLimits>
struct ReadArn {
  template <class Out>
  Status operator()(InputReader& reader, json::Value value, const Path& path, Out& out) const {
    PJ_RETURN_IF_ERROR(ReadWithin<kLimits>{}(reader, value, path, out));
    return CheckAsked(reader, value.string());
  }
};

// The ARN of a resource that the operation is about.
template <auto kField, LengthLimits kLimits>
constexpr FieldRow<kField, ReadArn<kLimits>{}> ArnField(std::string_view name,
                                                        Presence presence = Presence::kOptional) {
  return {name, presence};
}

template <std::int64_t kMin, std::int64_t kMax>
struct ReadBetween {
  Status operator()(InputReader& reader, json::Value value, const Path& path,
                    std::optional<std::int32_t>& out) const {
    PJ_RETURN_IF_ERROR(reader.ReadInt32(value, out));
    reader.CheckRange(path, *out, kMin, kMax);
    return {};
  }
};

// A whole number of 32 bits within bounds.
template <auto kField, std::int64_t kMin, std::int64_t kMax>
constexpr FieldRow<kField, ReadBetween<kMin, kMax>{}> RangeField(
    std::string_view name, Presence presence = Presence::kOptional) {
  return {name, presence};
}

template <const auto& kMembers>
struct ReadMembersOf {
  template <class Out>
  Status operator()(InputReader& reader, json::Value value, const Path& path, Out& out) const {
    PJ_RETURN_IF_ERROR(json::CheckObject(value, {Shape::Kind::kStructure, path.name()}));
    if constexpr (std::is_same_v<Out, typename WithoutOptional<Out>::Type>) {
      return reader.ReadMembers(value, &path, kMembers, out);
    } else {
      return reader.ReadMembers(value, &path, kMembers, out.emplace());
    }
  }
};

// A structure that is called like its type.
template <auto kField, const auto& kMembers>
constexpr FieldRow<kField, ReadMembersOf<kMembers>{}> StructureField(
    std::string_view name, Presence presence = Presence::kOptional) {
  return {name, presence};
}

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_FIELD_H_
