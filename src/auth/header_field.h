// A header of an HTTP request.
#ifndef PREJOIN_AUTH_HEADER_FIELD_H_
#define PREJOIN_AUTH_HEADER_FIELD_H_

#include <string_view>

namespace prejoin::auth {

// Borrows from the request.
struct HeaderField {
  std::string_view name;
  std::string_view value;
};

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_HEADER_FIELD_H_
