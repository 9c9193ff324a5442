// Lines of a model file as rules print them in their helps: what stands there, and what should.
#ifndef PREJOIN_MODEL_CHECK_MEND_H_
#define PREJOIN_MODEL_CHECK_MEND_H_

#include <string>
#include <vector>

#include "model/plan/propose.h"
#include "model/schema/model.h"

namespace prejoin::model {

// `SK = "ORDER#{id}"`; `name = copy of Customer.name kept by stream`; `links = list of Link (b)`.
std::string StoredLine(const StoredAttribute& stored);

// Whether the line stands in the file; keys that follow from the names of attributes do not.
bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored);

// A line of an item for another one.
Edit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                   const StoredAttribute& now);
Edit ReplaceIndex(const Table& table, const Index& old, const Index& now);
Edit RemoveFrom(const std::string& declaration, std::vector<std::string> lines);

// The template with another word in front: CUSTOMER#{id} → ORDER#{id}, {id} → ORDER#{id}.
StoredAttribute WithPrefix(StoredAttribute stored, const std::string& prefix);
// The template with `#{attribute}` behind it; `part` may also be `shard 8 of id`.
StoredAttribute WithPart(StoredAttribute stored, const std::string& part);

inline constexpr double kFastChangePerSecond = 1.0 / 3600;

// The work of keeping copies of an attribute right, in words.
struct CopyLoad {
  double changes_per_second = 0;
  double copies = 0;  // Of one original.

  bool TooMuch() const;
};
CopyLoad LoadOfCopy(const Model& model, const std::string& holder, const Path& source);

// Whether every collection of the table stays below the 10 GB that it may have with a local index.
bool CollectionsAreBounded(const Model& model, const Table& table);

// The keys of `index` that stand in the item and serve nothing else.
std::vector<std::string> OwnKeyLines(const Table& table, const ItemLayout& layout,
                                     const Index& index);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_MEND_H_
