// The model for other tools: diagrams, schemas and documentation.
#ifndef PREJOIN_GEN_TOOLS_TOOLS_H_
#define PREJOIN_GEN_TOOLS_TOOLS_H_

#include <string>
#include <vector>

#include "gen/infra/infra.h"
#include "gen/program.h"
#include "gen/target.h"

namespace prejoin::gen {

std::vector<GeneratedFile> GenerateMermaid(const Program& program);
std::vector<GeneratedFile> GenerateDbml(const Program& program);
std::vector<GeneratedFile> GenerateJsonSchema(const Program& program);
std::vector<GeneratedFile> GenerateMarkdown(const Program& program);
std::vector<GeneratedFile> GenerateWorkbench(const Program& program);
std::vector<GeneratedFile> GenerateOneTable(const Program& program);
std::vector<GeneratedFile> GenerateElectroDb(const Program& program);
std::vector<GeneratedFile> GeneratePynamoDb(const Program& program);

// Fixtures for test frameworks.
std::vector<GeneratedFile> GeneratePytest(const Program& program);
std::vector<GeneratedFile> GenerateVitest(const Program& program);
std::vector<GeneratedFile> GenerateGoTest(const Program& program);
std::vector<GeneratedFile> GenerateJUnit(const Program& program);

namespace tools {

// The kinds of items in a table: its entities, and second layouts under their own names.
std::vector<const EntityCode*> ItemsOf(const Program& program, const std::string& table);
// Workbench and OneTable know one partition and one sort attribute for each index.
bool HasSeveralAttributes(const IndexSpecification& index);
// Returns true if items of the entity can be in the index: it stores all of its keys.
bool IsIn(const EntityCode& entity, const IndexSpecification& index);
// The header, and what such a format cannot say.
std::string DescriptionText(const Program& program, const std::vector<infra::TableSpec>& specs);

}  // namespace tools
}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_TOOLS_TOOLS_H_
