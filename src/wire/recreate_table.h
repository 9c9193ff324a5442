// From a table's description to the request that makes such a table again.
#ifndef PREJOIN_WIRE_RECREATE_TABLE_H_
#define PREJOIN_WIRE_RECREATE_TABLE_H_

#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::wire {

// `described` is an answer of DescribeTable. The request has schema, indexes, billing, stream and
// class; not tags, time to live or what else is set by requests of its own.
Result<std::string> RecreateTableJson(std::string_view described);

// A CreateTable request with another table name.
Result<std::string> RenameTableJson(std::string_view request, std::string_view table_name);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_RECREATE_TABLE_H_
