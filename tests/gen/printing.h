// What the C++ scripts share: printing answers, and running by name. Behind the header of the generated code.
#ifndef PREJOIN_TESTS_GEN_PRINTING_H_
#define PREJOIN_TESTS_GEN_PRINTING_H_

#include <prejoin/database.h>

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/item_json.h"
#include "tests/gen/plain_json.h"

namespace tests {

using Script = int (*)(prejoin::Database&);

inline std::map<std::string, Script>& Scripts() {
  static std::map<std::string, Script> scripts;
  return scripts;
}

struct Registration {
  Registration(const char* name, Script script) { Scripts()[name] = script; }
};

inline int Fail(const prejoin::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

inline int PutItem(prejoin::Database& db, const char* table, const prejoin::AttributeValue& item) {
  prejoin::PutItemInput input;
  input.table_name = table;
  input.item = *item.map();
  const auto done = db.PutItem(input);
  return done.has_value() ? 0 : Fail(done.error());
}

// One line for each read; printed when it dies.
class Line {
 public:
  explicit Line(const char* call)
      : text_("{\"call\": \"" + std::string(call) + "\", \"sections\": [") {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() { std::printf("%s]}\n", text_.c_str()); }

  template <class Row, class Fill>
  void Section(const std::vector<Row>& rows, const Fill& fill) {
    text_ += first_ ? "[" : ", [";
    first_ = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      prejoin::Item item;
      fill(rows[i], item);
      text_ += (i > 0 ? ", " : "") + prejoin::gen::PlainJson(prejoin::AttributeValue(item));
    }
    text_ += "]";
  }
  template <class Row, class Fill>
  void Section(const std::optional<Row>& row, const Fill& fill) {
    Section(row ? std::vector<Row>{*row} : std::vector<Row>(), fill);
  }

  void Measured(const char* name, const prejoin::Number& number) {
    Section(std::vector<int>{0}, [&](int, prejoin::Item& out) {
      out.Set(name, prejoin::AttributeValue(number));
    });
  }
  void Measured(const char* name, std::size_t count) {
    Measured(name, prejoin::Number(static_cast<std::int64_t>(count)));
  }

 private:
  std::string text_;
  bool first_ = true;
};

inline void Outcome(const char* call, const prejoin::Status& status) {
  constexpr const char* kNames[] = {"AlreadyExists", "NotFound", "ConditionNotMet", "Conflict"};
  std::string outcome = "ok";
  if (!status.has_value()) {
    const auto refusal = prejoin::generated::RefusalOf(status.error());
    outcome = refusal ? kNames[static_cast<int>(*refusal)] : status.error().message;
    if (outcome.find(" cannot be part of a key: ") != std::string::npos) {
      outcome = "InvalidKeyPart";
    }
  }
  std::printf("{\"call\": \"%s\", \"outcome\": \"%s\"}\n", call, outcome.c_str());
}

inline void PrintTable(prejoin::Database& db, const char* table) {
  prejoin::ScanInput input;
  input.table_name = table;
  const auto page = db.Scan(input);
  if (!page.has_value()) {
    return;
  }
  for (const prejoin::StoredItem& item : page->items) {
    std::string text;
    prejoin::json::AppendItem(item, text);
    std::printf("{\"table\": \"%s\", \"item\": %s}\n", table, text.c_str());
  }
}

// Runs the script of argv[1] on an empty database.
inline int Main(int argc, char** argv) {
  const auto found = argc == 2 ? Scripts().find(argv[1]) : Scripts().end();
  if (found == Scripts().end()) {
    return 2;
  }
  auto database = prejoin::Database::Open({});
  return database.has_value() ? found->second(**database) : Fail(database.error());
}

}  // namespace tests

#endif  // PREJOIN_TESTS_GEN_PRINTING_H_
