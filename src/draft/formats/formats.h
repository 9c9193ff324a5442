// One function for each format that is JSON. Each gives what the file says; read_foreign.cc adds the
// rest.
#ifndef PREJOIN_DRAFT_FORMATS_FORMATS_H_
#define PREJOIN_DRAFT_FORMATS_FORMATS_H_

#include "draft/draft.h"
#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::draft {

Result<Draft> ReadWorkbench(json::Value root);
Result<Draft> ReadTableJson(json::Value root);
Result<Draft> ReadOneTable(json::Value root);
Result<Draft> ReadElectroDb(json::Value root);
Result<Draft> ReadToolbox(json::Value root);
Result<Draft> ReadAwsSchema(json::Value root);

// The keys and indexes of a CreateTable request or a table description, and the types of the key
// attributes as an entity without a name.
struct TableKeys {
  DraftTable table;
  DraftEntity entity;
};
TableKeys ReadTableKeys(json::Value description);

// The entity of a table of which only the keys are known.
void AddEntityOfKeys(TableKeys keys, Draft& draft);

// "S" → text, "N" → number, "B" → binary; the long names too.
std::string TypeOfLetter(std::string_view letter);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_FORMATS_H_
