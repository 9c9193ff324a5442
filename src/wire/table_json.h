// Printing a table's description.
#ifndef PREJOIN_WIRE_TABLE_JSON_H_
#define PREJOIN_WIRE_TABLE_JSON_H_

#include <string>

#include "prejoin/table.h"
#include "wire/json_writer.h"

namespace prejoin::wire {

void AppendTable(const TableDescription& table, std::string& out);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_TABLE_JSON_H_
