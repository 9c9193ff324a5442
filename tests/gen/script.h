// A test of generated code for one model: calls of its functions with what they must answer. The same script is
// written in each language; every program prints one line for each call, and all of them must print the same.
#ifndef PREJOIN_TESTS_GEN_SCRIPT_H_
#define PREJOIN_TESTS_GEN_SCRIPT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gen/emit/names.h"
#include "gen/program.h"
#include "model/data/dataset.h"
#include "model/data/evaluate.h"

namespace prejoin::gen {

struct ReadCall {
  const PatternFunction* pattern = nullptr;
  model::Arguments arguments;
  std::vector<model::SectionAnswer> answers;
  std::string outcome = {};  // Not empty: it must be refused so, as "InvalidKeyPart".
};

struct WriteCall {
  const WriteFunction* write = nullptr;
  std::map<std::string, model::Row> rows;        // By the parameter of the step.
  std::map<std::string, model::Row> seconds;     // The second row, of a step with several.
  std::map<std::string, AttributeValue> copies;  // That the caller must give, by stored attribute.
  std::string outcome;  // "ok", "AlreadyExists", "NotFound", "InvalidKeyPart"
};

// The item of a row that is stored, put again as the entity's item function makes it: nothing changes.
struct ItemCall {
  const EntityCode* entity = nullptr;
  model::Row row;

  std::string name() const { return "put " + entity->name; }
};

// The rows of a step with several: one or two.
std::vector<model::Row> RowsOf(const WriteCall& call, const WriteStepCode& step);

struct Script {
  std::vector<ReadCall> reads;    // On the sample.
  std::vector<WriteCall> writes;  // After the reads.
  std::vector<ReadCall> reads_after;
  std::vector<ItemCall> items;  // At the end.
  model::Dataset before;
  model::Dataset after;
};

// What a count or a sum is called in the lines that the programs print.
inline const char* MeasureName(const Section& section) {
  return section.measure == model::Measure::kCount ? "count" : "sum";
}

// The parameters of a read as fields, and what is given for them as a row.
struct ReadArguments {
  std::vector<Field> fields;
  model::Row row;
};
ReadArguments ArgumentsOf(const ReadCall& call);

// `steps` writes, chosen by `seed`.
Script MakeScript(const Program& program, std::uint64_t seed, int steps);

// Adds calls with values that would make another key than their own.
void AddHostile(Script& script);

// What the programs must print, one JSON text for each line.
std::string ExpectedLines(const Program& program, const Script& script);
// All items of all tables in DynamoDB's JSON, by table, as one JSON text.
std::string TablesJson(const model::Model& model, const model::Dataset& data);

// What generated code of a program calls things in a language.
struct NamesIn {
  NamesIn(std::string_view language, const Program& named)
      : program(named), spelling(emit::SpellingFor(language, named)) {}
  std::string Name(const std::string& text) const { return spelling.Styled("name", text); }
  std::string Variable(const std::string& text) const { return spelling.Styled("variable", text); }
  std::string Type(const std::string& entity) const { return program.TypeName(entity); }
  std::string Words(const std::string& entity) const { return program.CodeName(entity); }

  const Program& program;
  const emit::Spelling spelling;
};

// The program in a language.
std::string TypeScriptScript(const Program& program, const Script& script);
std::string PythonScript(const Program& program, const Script& script);
std::string Boto3Script(const Program& program, const Script& script);
std::string PythonAsyncScript(const Program& program, const Script& script);
std::string CppScript(const Program& program, const Script& script);
std::string GoScript(const Program& program, const Script& script);
std::string RustScript(const Program& program, const Script& script);
std::string JavaScript(const Program& program, const Script& script);

}  // namespace prejoin::gen

#endif  // PREJOIN_TESTS_GEN_SCRIPT_H_
