#include "wire/answers/write_item_json.h"

#include "json/item_json.h"
#include "json/writer.h"
#include "wire/answers/capacity_json.h"

namespace prejoin::wire {

void AppendWriteItemOutput(const WriteItemOutput& output, std::string& out) {
  json::ObjectWriter answer(out);
  if (output.attributes.has_value()) {
    json::AppendItem(*output.attributes, answer.Name("Attributes"));
  }
  WriteCapacity(output.consumed_capacity, answer);
  WriteCollectionMetrics(output.item_collection_metrics, answer);
}

}  // namespace prejoin::wire
