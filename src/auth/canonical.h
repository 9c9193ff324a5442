// The canonical request of Signature Version 4: the text in which client and server agree on what was sent.
#ifndef PREJOIN_AUTH_CANONICAL_H_
#define PREJOIN_AUTH_CANONICAL_H_

#include <span>
#include <string>
#include <string_view>

#include "auth/header_field.h"

namespace prejoin::auth {

// Dots and empty segments resolved, every byte but the unreserved ones and the slash encoded; what the sender encoded already is encoded
// once more, as all services but S3 have it.
std::string CanonicalPath(std::string_view path);

// The parameters in order, encoded in one way however they were sent; without the parameter called `left_out`, if that is not empty.
std::string CanonicalQuery(std::string_view query, std::string_view left_out);

// Appends "name:value\n" for each name of `signed_headers`, a list with semicolons. A header that came several times has its values joined
// by commas; spaces around a value are no part of it, and several inside count as one.
void AppendCanonicalHeaders(std::string_view signed_headers, std::span<const HeaderField> headers,
                            std::string& out);

// Returns true if `list`, separated by semicolons, has the name. Case-sensitive.
bool ListHas(std::string_view list, std::string_view name);

std::string PercentDecode(std::string_view text);

}  // namespace prejoin::auth

#endif  // PREJOIN_AUTH_CANONICAL_H_
