// One function for each kind of statement; read_model.cc calls them. Each adds to the model what it
// could read and reports the rest.
#ifndef PREJOIN_MODEL_SCHEMA_READERS_H_
#define PREJOIN_MODEL_SCHEMA_READERS_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/schema/model.h"
#include "model/schema/token_cursor.h"
#include "model/syntax/statement.h"

namespace prejoin::model {

// Shared by all readers. Single thread.
struct ReadContext {
  ParsedModel& model;
  std::vector<Diagnostic>& diagnostics;
};

void ReadEntity(const Statement& statement, ReadContext& context);
void ReadRelationship(const Statement& statement, ReadContext& context);
void ReadHierarchy(const Statement& statement, ReadContext& context);
void ReadPattern(const Statement& statement, ReadContext& context);
void ReadWrite(const Statement& statement, ReadContext& context);
// One condition, without what joins it to the next. False, and reported, when it cannot be read.
bool ReadCondition(TokenCursor& cursor, Condition& condition);
// :parameter or a value.
std::optional<Operand> ReadOperand(TokenCursor& cursor);
// `"OPEN" 3%, "DONE" 97%`, the same in brackets, and `one of` with them in the place of a type.
void ReadValueList(TokenCursor& cursor, Attribute& attribute);
void ReadValues(TokenCursor& cursor, Attribute& attribute);
bool ReadTypeOfValues(TokenCursor& cursor, Attribute& attribute);
// `day distinct 90`
void ReadDerivedFigure(TokenCursor& cursor, Attribute& attribute);
// `day` or `first 5` after an attribute, where one of them comes next. False, and reported, when it cannot be read.
bool ReadDerivation(TokenCursor& cursor, Derivation& derivation);
// `pattern Name "title"`
bool ReadNameAndTitle(TokenCursor& cursor, const char* what, Name& name, std::string& title);
void ReadTable(const Statement& statement, ReadContext& context);
void ReadStrategy(const Statement& statement, ReadContext& context);
void ReadStoredItems(const Statement& statement, ReadContext& context);
void ReadSample(const Statement& statement, ReadContext& context);
void ReadTenant(const Statement& statement, ReadContext& context);
// `owner` is the statement whose block holds the `allow`, or null at the top of the file.
void ReadAllow(const Statement& statement, const Statement* owner, ReadContext& context);

// The last line that belongs to a statement.
int LastLine(const Statement& statement);

// Reports a word that starts no statement here.
void ReportUnknownStatement(const Statement& statement, const std::vector<std::string>& known,
                            std::string_view where, ReadContext& context);

// Reports a second declaration of the same name.
template <class T>
void AddNamed(std::vector<T>& all, T one, const char* what, ReadContext& context) {
  for (const T& other : all) {
    if (other.name.text == one.name.text) {
      context.diagnostics.push_back(
          {"PJ003", Severity::kError, one.name.at,
           std::string(what) + " `" + one.name.text + "` is declared twice",
           "the first is on line " + std::to_string(other.name.at.line) + "; rename one"});
      return;
    }
  }
  all.push_back(std::move(one));
}

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_SCHEMA_READERS_H_
