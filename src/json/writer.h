// Writing JSON straight into a string: no tree in between.
#ifndef PREJOIN_JSON_WRITER_H_
#define PREJOIN_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace prejoin::json {

// With quotes. `text` is UTF-8; only what JSON demands is escaped.
void AppendString(std::string_view text, std::string& out);
// Returns true if JSON requires a character of the text to be escaped.
bool NeedsEscape(std::string_view text);
// Always with a decimal point, as DynamoDB prints capacity units: 1.0, 0.5.
void AppendDouble(double number, std::string& out);
void AppendInteger(std::int64_t number, std::string& out);

// Writes the members of one object; nested values go in through `Name` and any of the functions
// above.
//   ObjectWriter object(out);
//   object.String("TableName", name);
//   AppendItem(item, object.Name("Item"));
// The closing brace is written when the writer dies. Single thread.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_.push_back('{'); }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  ~ObjectWriter() { out_.push_back('}'); }

  // The member's value is what the caller appends next. `name` needs no escaping.
  std::string& Name(std::string_view name) {
    out_.append(first_ ? "\"" : ",\"").append(name).append("\":");
    first_ = false;
    return out_;
  }
  // A name from outside.
  std::string& Key(std::string_view name) {
    if (!first_) {
      out_.push_back(',');
    }
    first_ = false;
    AppendString(name, out_);
    out_.push_back(':');
    return out_;
  }

  void String(std::string_view name, std::string_view value) { AppendString(value, Name(name)); }
  void Double(std::string_view name, double value) { AppendDouble(value, Name(name)); }
  void Integer(std::string_view name, std::int64_t value) { AppendInteger(value, Name(name)); }
  void Bool(std::string_view name, bool value) { Name(name).append(value ? "true" : "false"); }
  // Milliseconds since 1970 as seconds with a fraction: DynamoDB's form of a time.
  void Time(std::string_view name, std::int64_t milliseconds);

 private:
  std::string& out_;
  bool first_ = true;
};

// `[`, each element through `append_one(element)`, `]`.
template <class Elements, class AppendOne>
void AppendArray(const Elements& elements, std::string& out, AppendOne append_one) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : elements) {
    if (!first) {
      out.push_back(',');
    }
    first = false;
    append_one(element);
  }
  out.push_back(']');
}

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_WRITER_H_
