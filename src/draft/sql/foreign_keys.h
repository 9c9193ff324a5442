// Foreign keys of SQL tables as references and relationships.
#ifndef PREJOIN_DRAFT_SQL_FOREIGN_KEYS_H_
#define PREJOIN_DRAFT_SQL_FOREIGN_KEYS_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "draft/draft.h"

namespace prejoin::draft {

struct ForeignKey {
  std::string child;
  std::vector<std::string> columns;
  std::string parent;
  std::vector<std::string> targets;  // Empty: the parent's primary key.
  std::string on_delete;             // "CASCADE"; empty: nothing is said.
};

// Entity → sets of attributes that no two rows have alike.
using UniqueSets = std::map<std::string, std::vector<std::set<std::string>>>;

struct SqlTables {
  const std::map<std::string, std::string>& entity_names;  // By table.
  const UniqueSets& unique;
  const std::vector<ForeignKey>& foreign_keys;
};

// Adds `references` and relationships to the draft. Keys that have no form there become a note.
void SetForeignKeys(const SqlTables& tables, Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_SQL_FOREIGN_KEYS_H_
