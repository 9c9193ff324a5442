// The names of things in generated code, decided only here.
//
// Names of a whole package (types, functions, key functions) are the same words in every language: those of the model, except where some
// language needs a name itself (`reserved` in its table) or two things would share one (`declares_…` says what a thing is called there).
// Names inside something (members of a row, parameters and variables of a function) are decided for each language, so that only names that
// meet in one place differ from what the model says.
#ifndef PREJOIN_GEN_EMIT_NAMES_H_
#define PREJOIN_GEN_EMIT_NAMES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gen/emit/spelling.h"
#include "gen/program.h"

namespace prejoin::gen::emit {

// True if some language needs the name itself.
bool IsReserved(const std::string& name);

// Names entities, key functions, tables, patterns and writes. Comes last in building a program.
void DecideNames(Program& program);

// The table of a language, in which the styles `name` (members) and `variable` (parameters, variables) know the names of this program.
Spelling SpellingFor(std::string_view language, const Program& program);

// The names of variables in generated functions, in words.
std::string SectionItemsWords(const Spelling& spelling, const Program& program,
                              const PatternFunction& pattern, std::size_t section);
std::string SectionRowsWords(const PatternFunction& pattern, std::size_t section);
std::string JoinWords(const Program& program, const PatternFunction& pattern, std::size_t section,
                      std::size_t join);
std::string OriginalWords(const Program& program, const std::string& entity);
// Names the parameter with several rows, and each of them.
std::string StepRowsWords(const WriteStepCode& step);
std::string StepEachWords(const WriteStepCode& step);
std::string CopiesWords(const CopyRefresh& refresh);
// The function that finds the items with a copy.
std::string FinderName(const CopyRefresh& refresh);
// A part of the row of a step, where the function takes the parts of several.
std::string StepMemberWords(const WriteFunction& function, const WriteStepCode& step,
                            const std::string& field);
// A copy whose original is stored nowhere, which the caller gives.
std::string GivenCopyWords(const WriteFunction& function, const StoredCopy& copy);

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_NAMES_H_
