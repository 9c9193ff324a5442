// Writes JSON text. The model layer reads no JSON, so this is all it needs.
#ifndef PREJOIN_MODEL_SYNTAX_JSON_WRITER_H_
#define PREJOIN_MODEL_SYNTAX_JSON_WRITER_H_

#include <string>
#include <string_view>
#include <vector>

#include "prejoin/item.h"

namespace prejoin::model {

// Indented by two spaces. Single thread.
class JsonWriter {
 public:
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Name(std::string_view name);
  JsonWriter& String(std::string_view text);
  JsonWriter& Number(double number);
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& Value(const AttributeValue& value);  // As plain JSON: text, numbers, lists, maps.

  // Name and value in one.
  JsonWriter& Field(std::string_view name, std::string_view text) {
    return Name(name).String(text);
  }
  JsonWriter& Field(std::string_view name, const char* text) { return Name(name).String(text); }
  JsonWriter& Field(std::string_view name, double number) { return Name(name).Number(number); }
  JsonWriter& Field(std::string_view name, bool value) { return Name(name).Bool(value); }

  std::string Finish() { return std::move(out_) + "\n"; }

 private:
  void Separate();
  void NewLine();

  std::string out_;
  std::vector<bool> has_members_;  // Of each open object or array.
  bool after_name_ = false;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SYNTAX_JSON_WRITER_H_
