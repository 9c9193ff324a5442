#include "wire/write_item_json.h"

#include "wire/capacity_json.h"
#include "wire/item_json.h"
#include "wire/json_writer.h"

namespace prejoin::wire {

void AppendWriteItemOutput(const WriteItemOutput& output, std::string& out) {
  ObjectWriter answer(out);
  if (output.attributes.has_value()) {
    AppendItem(*output.attributes, answer.Name("Attributes"));
  }
  WriteCapacity(output.consumed_capacity, answer);
  WriteCollectionMetrics(output.item_collection_metrics, answer);
}

}  // namespace prejoin::wire
