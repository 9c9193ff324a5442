// Changes of a model file as rules propose them: existing statements, and their replacements.
#ifndef PREJOIN_MODEL_CHECK_FIX_LINES_H_
#define PREJOIN_MODEL_CHECK_FIX_LINES_H_

#include <string>
#include <vector>

#include "model/plan/propose.h"
#include "model/schema/model.h"

namespace prejoin::model {

// True if the line is in the file; keys that follow from the names of attributes do not.
bool IsWritten(const ItemLayout& layout, const StoredAttribute& stored);

// A statement of an item for another one.
LineEdit ReplaceStored(const ItemLayout& layout, const StoredAttribute& old,
                       const StoredAttribute& now);
LineEdit RemoveStored(const ItemLayout& layout, const StoredAttribute& stored);
// The statement at `at`, which reads `old`.
LineEdit RemoveFrom(std::string declaration, const SourceSpan& at, std::string old);
LineEdit ReplaceIn(std::string declaration, const SourceSpan& at, std::string old, std::string now);
// The statement that begins with `head` in the block of the declaration at `at`.
LineEdit ReplaceHead(std::string declaration, const SourceSpan& at, std::string head,
                     std::string now);

// The template with another word in front: CUSTOMER#{id} → ORDER#{id}, {id} → ORDER#{id}.
StoredAttribute WithPrefix(StoredAttribute stored, const std::string& prefix);
// The template with `#{attribute}` after it; `part` may also be `shard 8 of id`.
StoredAttribute WithPart(StoredAttribute stored, const std::string& part);

inline constexpr double kFastChangePerSecond = 1.0 / 3600;

// The work of keeping copies of an attribute right, in words.
struct CopyLoad {
  double changes_per_second = 0;
  double copies = 0;  // Copies of one original.

  bool TooMuch() const;
};
CopyLoad LoadOfCopy(const Model& model, const Reference<Entity>& holder, const Path& source);

// True if every collection of the table stays below the 10 GB that it may have with a local index.
bool CollectionsAreBounded(const Model& model, const Table& table);

// Removes the keys of `index` that are in the item and serve nothing else.
std::vector<LineEdit> RemoveOwnKeys(const Table& table, const ItemLayout& layout,
                                    const Index& index);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_CHECK_FIX_LINES_H_
