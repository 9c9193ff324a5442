// Access to what a request names: tables, streams, backups. Access to items is checked by the engine, which knows what was planned.
#ifndef PREJOIN_WIRE_ACCESS_CHECK_H_
#define PREJOIN_WIRE_ACCESS_CHECK_H_

#include <string_view>

#include "engine/access.h"
#include "engine/engine.h"
#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

// Before the operation runs. Asks nothing for operations on items.
Status CheckNamedResources(engine::AccessControl& access, const engine::Engine& engine,
                           std::string_view operation, json::Value root);

// The error of an operation on items that failed, as its caller may see it.
Error VisibleError(engine::AccessControl& access, std::string_view operation, json::Value root,
                   Error error);

engine::RequestTerms TermsOf(std::string_view operation, json::Value root);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ACCESS_CHECK_H_
