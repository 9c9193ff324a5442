// One line of an HTTP header.
#ifndef PREJOIN_SERVER_HTTP_FIELD_LINE_H_
#define PREJOIN_SERVER_HTTP_FIELD_LINE_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace prejoin::server {

struct FieldLine {
  std::string_view name;
  std::string_view value;  // Without the blanks around it.
  std::size_t bytes = 0;   // The length of the whole line, CRLF included.
};

// Reads `name: value CRLF` from the front of `data`. Nothing if the line is not all there with the byte after it, if it is folded, or if it
// is anything but the plainest form of a field: a token, a colon, and a value without control characters, tabs included.
std::optional<FieldLine> ReadFieldLine(std::string_view data);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_FIELD_LINE_H_
