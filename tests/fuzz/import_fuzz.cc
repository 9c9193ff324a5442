// Any text as a file of another tool: it is refused, or becomes the text of a model file. The first line names the format as
// `prejoin import-model --from` does (`interview`: the answers to `prejoin new`); behind a line `-- queries` SQL has its query log.
//
// Built with libFuzzer by the preset `fuzz`, with tests/fuzz/corpus/import_fuzz as a corpus.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/check.h"
#include "draft/draft.h"
#include "draft/foreign/read_foreign.h"
#include "draft/interview/interview.h"
#include "json/reader.h"
#include "tests/fuzz/check_output.h"
#include "tests/fuzz/input_limits.h"
#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/structured_mutator.h"

namespace prejoin::draft {
namespace {

Result<Draft> HoldWith(std::string text) {
  return HoldInterview({
      .ask = [&](const Question&) -> std::optional<std::string> {
        if (text.empty()) {
          return std::nullopt;
        }
        fuzz::HeadAndBody next = fuzz::SplitHead(text);
        text = std::move(next.body);
        return std::move(next.head);
      },
      .tell = [](const std::string&) {},
      .object = [](const std::string&) { return true; },
  });
}

Result<Draft> ReadInput(const std::string& input) {
  const fuzz::HeadAndBody parts = fuzz::SplitHead(input);
  if (parts.head == "interview") {
    return HoldWith(parts.body);
  }
  constexpr std::string_view kQueries = "\n-- queries\n";
  const std::size_t queries = parts.body.find(kQueries);
  return ReadForeign(
      {.text = std::string_view(parts.body).substr(0, queries),
       .name = "Fuzz",
       .format = FormatOfName(parts.head),
       .query_log = queries == std::string::npos
                        ? std::string_view()
                        : std::string_view(parts.body).substr(queries + kQueries.size())});
}

const fuzz::InputLanguage& Language() {
  static const fuzz::InputLanguage language = {
      .samples = fuzz::SampleFiles("tests/fuzz/corpus/import_fuzz", "", 4096),
      .pieces = {"workbench",
                 "table",
                 "onetable",
                 "electrodb",
                 "toolbox",
                 "aws-schema",
                 "sql",
                 "interview",
                 "PK",
                 "SK",
                 "pk",
                 "sk",
                 "HASH",
                 "RANGE",
                 "Properties",
                 "Resources",
                 "Fn::Sub",
                 "Ref",
                 "Fn::Join",
                 "Fn::If",
                 "!Ref",
                 "!Sub",
                 "KeySchema",
                 "AttributeName",
                 "TableData",
                 "TableFacets",
                 "required",
                 "enum",
                 "unique",
                 "type",
                 "value",
                 "schema",
                 "composite",
                 "template",
                 "PRIMARY KEY",
                 "REFERENCES",
                 "UNIQUE",
                 "ENUM",
                 "CHECK",
                 "SELECT",
                 "UPDATE",
                 "WHERE",
                 "JOIN",
                 "GROUP BY",
                 "ALTER TABLE",
                 "entity",
                 "item",
                 "items",
                 "key",
                 "self",
                 "error",
                 "tables",
                 "table",
                 "index",
                 "model",
                 "pattern",
                 "id",
                 "Id",
                 "ID",
                 "a",
                 "A",
                 "é",
                 "true",
                 "null",
                 "has many",
                 "has one",
                 "belongs to",
                 "and back through",
                 "unbounded",
                 "at most",
                 "-- 4/s",
                 "$1",
                 "?",
                 "::text",
                 "*"},
  };
  return language;
}

}  // namespace
}  // namespace prejoin::draft

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned seed) {
  return prejoin::fuzz::MutateInLanguage(prejoin::draft::Language(), data, size, size_max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prejoin;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (!fuzz::InputCount::Get().IsNew(input)) {
    return 0;
  }
  const fuzz::InputLimits limits;
  const auto draft = draft::ReadInput(input);
  if (!draft) {
    PJ_CHECK(!draft.error().message.empty());
    return 0;
  }
  const std::string source = draft::PrintDraft(*draft);
  fuzz::CheckJson(draft::DraftJson(*draft));
  if (fuzz::Reads(source)) {
    fuzz::InputCount::Get().Accept();
  }
  return 0;
}
