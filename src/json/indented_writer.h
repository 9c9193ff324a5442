// Writes JSON for people: one member on each line, indented.
#ifndef PREJOIN_JSON_INDENTED_WRITER_H_
#define PREJOIN_JSON_INDENTED_WRITER_H_

#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::json {

// Indented by two spaces. Single thread.
class IndentedWriter {
 public:
  IndentedWriter& BeginObject();
  IndentedWriter& EndObject();
  IndentedWriter& BeginArray();
  IndentedWriter& EndArray();
  IndentedWriter& Name(std::string_view name);
  IndentedWriter& String(std::string_view text);
  IndentedWriter& Number(double number);
  IndentedWriter& Bool(bool value);
  IndentedWriter& Null();
  IndentedWriter& Value(const AttributeValue& value);  // As plain JSON: text, numbers, lists, maps.

  // Name and value in one.
  IndentedWriter& Field(std::string_view name, std::string_view text) {
    return Name(name).String(text);
  }
  IndentedWriter& Field(std::string_view name, const char* text) { return Name(name).String(text); }
  IndentedWriter& Field(std::string_view name, double number) { return Name(name).Number(number); }
  IndentedWriter& Field(std::string_view name, bool value) { return Name(name).Bool(value); }

  std::string Finish() { return std::move(out_) + "\n"; }

 private:
  void Separate();
  void NewLine();

  std::string out_;
  std::vector<bool> has_members_;  // One entry per open object or array.
  bool after_name_ = false;
};

}  // namespace prejoin::json

#endif  // PREJOIN_JSON_INDENTED_WRITER_H_
