// Access to what a request names: tables, streams, backups. Access to items is checked by the engine, which knows what was planned.
#ifndef PREJOIN_WIRE_ACCESS_CHECK_H_
#define PREJOIN_WIRE_ACCESS_CHECK_H_

#include <string_view>

#include "engine/access.h"
#include "engine/engine.h"
#include "json/reader.h"
#include "prejoin/result.h"

namespace prejoin::wire {

// How an operation's request names the resource that it is about.
enum class Naming {
  kItems,      // The engine asks.
  kTable,      // By name or ARN.
  kArn,        // By ARN.
  kNewTable,   // In TableCreationParameters.
  kGlobal,     // A global table.
  kAllTables,  // The operation is about all there are.
  kAll,
};

// The resource of an operation: a column of the dispatch table.
struct NamedResource {
  Naming naming = Naming::kAll;
  std::string_view member = "";
  std::string_view second_member = "";  // Of restores: the table that is made.
};

struct NamedRequest {
  std::string_view operation;
  const NamedResource& resource;
  json::Value root;
};

// Before the operation runs. Asks nothing for operations on items.
Status CheckNamedResources(engine::AccessControl& access, const engine::Engine& engine,
                           const NamedRequest& request);

// The error of an operation on items that failed, as its caller may see it.
Error VisibleError(engine::AccessControl& access, const NamedRequest& request, Error error);

engine::RequestTerms TermsOf(std::string_view operation, json::Value root);

}  // namespace prejoin::wire

#endif  // PREJOIN_WIRE_ACCESS_CHECK_H_
