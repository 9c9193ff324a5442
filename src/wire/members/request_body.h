// The JSON of a request together with the meaning of its names.
#ifndef PREJOIN_WIRE_MEMBERS_REQUEST_BODY_H_
#define PREJOIN_WIRE_MEMBERS_REQUEST_BODY_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "json/reader.h"
#include "prejoin/options.h"

namespace prejoin::wire {

// The resources that a request may name.
struct NameScope {
  const Options& options;  // The region and account that ARNs must have.
  // The ARNs that policies were asked about before the request is read: names of anything else are refused, so that an operation can
  // only act on what was decided about. Null where nobody has to be asked, or where the engine asks for each item.
  const std::vector<std::string>* asked = nullptr;

  bool WasAsked(std::string_view arn) const {
    return asked == nullptr || std::ranges::find(*asked, arn) != asked->end();
  }
};

struct RequestBody {
  json::Value root;
  const NameScope* names = nullptr;  // Null: tables have names and no ARNs.

  RequestBody(json::Value value, const NameScope* scope = nullptr)  // Implicit: JSON is a body.
      : root(value), names(scope) {}
};

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_MEMBERS_REQUEST_BODY_H_
