// The server's HTTP names that every route of the studio uses.
#ifndef PREJOIN_STUDIO_HTTP_NAMES_H_
#define PREJOIN_STUDIO_HTTP_NAMES_H_

#include "server/handler.h"
#include "server/http/http.h"

namespace prejoin::studio {

using server::Completion;
using server::Exchange;
using server::HttpRequest;
using server::HttpResponse;
using server::Method;
using server::Outcome;

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_HTTP_NAMES_H_
