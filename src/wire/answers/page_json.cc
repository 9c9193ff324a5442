#include "wire/answers/page_json.h"

#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"

namespace prejoin::wire {
namespace {

// A page holds up to 1 MB of items; growing the answer by doubling would copy it several times
// over. JSON needs roughly twice the room of small stored attributes.
void ReserveFor(const PageOutput& page, std::string& out) {
  std::size_t stored_bytes = 0;
  for (const StoredItem& item : page.items) {
    stored_bytes += item.body().size();
  }
  out.reserve(out.size() + stored_bytes * 2 + 256);
}

}  // namespace

void AppendPage(const PageOutput& page, std::string& out) {
  ReserveFor(page, out);
  json::ObjectWriter answer(out);
  if (!page.count_only) {
    json::AppendArray(page.items, answer.Name("Items"),
                      [&](const StoredItem& item) { json::AppendItem(item, out); });
  }
  answer.Integer("Count", page.count);
  answer.Integer("ScannedCount", page.scanned_count);
  if (page.last_evaluated_key.has_value()) {
    json::AppendItem(*page.last_evaluated_key, answer.Name("LastEvaluatedKey"));
  }
  WriteCapacity(page.consumed_capacity, answer);
}

}  // namespace prejoin::wire
