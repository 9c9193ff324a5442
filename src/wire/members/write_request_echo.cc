#include "wire/members/write_request_echo.h"

#include <string_view>
#include <utility>

#include "base/function_ref.h"
#include "value/base64.h"

namespace prejoin::wire {
namespace {

constexpr std::size_t kEchoBytesMax = 8192;

// us-east-1 shows the members; some regions show an object's hash instead. The reader limits the depth of a document, so recursion is
// safe.
class Echo {
 public:
  using Print = FunctionRef<void(json::Value)>;

  void AppendTables(json::Value tables) {
    AppendMap(tables, [&](json::Value requests) {
      AppendList(requests, [&](json::Value request) { AppendRequest(request); });
    });
  }
  std::string Take() { return std::move(out_); }

 private:
  bool IsFull() const { return out_.size() > kEchoBytesMax; }

  void AppendMap(json::Value map, Print print) {
    out_.push_back('{');
    const char* separator = "";
    if (map.type() == json::Type::kObject) {
      for (const auto& [name, member] : map.fields()) {
        out_.append(std::exchange(separator, ", ")).append(name).push_back('=');
        print(member);
        if (IsFull()) {
          break;
        }
      }
    }
    out_.push_back('}');
  }

  void AppendList(json::Value list, Print print) {
    out_.push_back('[');
    const char* separator = "";
    if (list.type() == json::Type::kArray) {
      for (const json::Value element : list.elements()) {
        out_.append(std::exchange(separator, ", "));
        print(element);
        if (IsFull()) {
          break;
        }
      }
    }
    out_.push_back(']');
  }

  // "name=" and the member of that JSON name, or null.
  void AppendMember(std::string_view name, json::Value object, std::string_view json_name,
                    Print print) {
    out_.append(name).push_back('=');
    const auto member =
        object.type() == json::Type::kObject ? object.Find(json_name) : std::nullopt;
    if (!member || member->is_null() || IsFull()) {
      out_.append("null");
    } else {
      print(*member);
    }
  }

  void AppendRequest(json::Value request) {
    out_.append("WriteRequest(");
    AppendMember("putRequest", request, "PutRequest", [&](json::Value put) {
      out_.append("PutRequest(");
      AppendMember("item", put, "Item", [&](json::Value item) { AppendItem(item); });
      out_.append(", workloadProfileName=null)");
    });
    out_.append(", ");
    AppendMember("deleteRequest", request, "DeleteRequest", [&](json::Value remove) {
      out_.append("DeleteRequest(");
      AppendMember("key", remove, "Key", [&](json::Value key) { AppendItem(key); });
      out_.append(", workloadProfileName=null)");
    });
    out_.push_back(')');
  }

  void AppendItem(json::Value item) {
    AppendMap(item, [&](json::Value value) { AppendValue(value); });
  }

  void AppendText(json::Value value) {
    if (value.type() == json::Type::kString) {
      out_.append(value.string().substr(0, kEchoBytesMax));
    } else if (value.type() == json::Type::kBool) {
      out_.append(value.boolean() ? "true" : "false");
    }
  }

  void AppendBytes(json::Value value) {
    const auto bytes = value.type() == json::Type::kString ? DecodeBase64(value.string())
                                                           : Result<std::string>(std::string());
    const std::string size = std::to_string(bytes ? bytes->size() : 0);
    out_.append("java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]");
  }

  void AppendValue(json::Value value) {
    const auto text = [&](json::Value member) { AppendText(member); };
    const auto bytes = [&](json::Value member) { AppendBytes(member); };
    const auto texts = [&](json::Value member) { AppendList(member, text); };
    out_.append("AttributeValue(");
    AppendMember("s", value, "S", text);
    AppendMember(", n", value, "N", text);
    AppendMember(", b", value, "B", bytes);
    AppendMember(", sS", value, "SS", texts);
    AppendMember(", nS", value, "NS", texts);
    AppendMember(", bS", value, "BS", [&](json::Value set) { AppendList(set, bytes); });
    AppendMember(", m", value, "M", [&](json::Value map) { AppendItem(map); });
    AppendMember(", l", value, "L", [&](json::Value list) {
      AppendList(list, [&](json::Value element) { AppendValue(element); });
    });
    AppendMember(", nULL", value, "NULL", text);
    AppendMember(", bOOL", value, "BOOL", text);
    out_.push_back(')');
  }

  std::string out_;
};

}  // namespace

std::string PrintWriteRequests(json::Value tables) {
  Echo echo;
  echo.AppendTables(tables);
  return echo.Take();
}

}  // namespace prejoin::wire
