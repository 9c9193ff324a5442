// Access control as the engine asks for it. The engine knows what a request is about to touch; the layer with policies answers. A request
// without an AccessControl may do everything: the library's own, sweeps, and a server that does not ask who is there.
#ifndef PREJOIN_ENGINE_ACCESS_H_
#define PREJOIN_ENGINE_ACCESS_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::engine {

struct Table;

enum class ItemAction { kGet, kQuery, kScan, kPut, kUpdate, kDelete, kCheck, kSearch };

// Items that are about to be read or written: what was planned, whatever the text of the request was. Borrows for one call.
struct ItemAccess {
  ItemAction action = ItemAction::kGet;
  const Table& table;
  std::string_view index_name = {};  // Empty: the table itself.
  // The values of the first partition key attribute; none if the request is not bound to any.
  std::span<const std::string> leading_keys = {};
  // For a query on an index with a partition key of several attributes: the values of the second and so on.
  std::span<const std::string> further_keys = {};
  // The attributes that the request names, at the top level; a read of whole items names only keys and what its conditions look at.
  std::span<const std::string> attributes = {};
  // For reads: "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES" or "COUNT".
  std::string_view select = {};
  // For writes and condition checks: the part of the item that the answer shows, whichever way it was asked for and
  // also if it is shown only when a condition fails: "NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW" or "UPDATED_NEW".
  std::string_view return_values = {};
};

// The description that a request gives of itself.
struct RequestTerms {
  std::string_view operation;               // "GetItem"
  std::string consumed_capacity;            // ReturnConsumedCapacity as sent; empty: nothing was.
  std::map<std::string, std::string> tags;  // That the request sets.
  std::vector<std::string> tag_keys;        // Keys of these tags, or of tags that it removes.
};

// One for each request. Single thread.
class AccessControl {
 public:
  virtual ~AccessControl() = default;

  // Before any question.
  virtual void Begin(RequestTerms terms) = 0;
  // kAccessDenied with AWS's text, or nothing.
  virtual Status CheckItems(const ItemAccess& access) = 0;
  // `action` without its service: "DescribeTable".
  virtual Status CheckResource(std::string_view action, const std::string& arn) = 0;
  // kValidation with the problem of a resource policy that is about to be stored.
  virtual Status CheckPolicyDocument(std::string_view document) = 0;
  // The error for a request that failed before its items were known. A caller who may not use the table does not learn from it whether there
  // is one, or how it is made. `table` is a name or an ARN, of an index too.
  virtual Error Refusal(ItemAction action, const std::string& table, Error error) = 0;
};

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_ACCESS_H_
