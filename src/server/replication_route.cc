#include "server/replication_route.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "json/reader.h"
#include "json/writer.h"

namespace prejoin::server {
namespace {

constexpr std::size_t kPausedMax = 64;

Result<std::set<std::string>> ReadPaused(std::string_view body) {
  const Error wrong =
      ValidationError("write {\"paused\": [REGION, ...]}; an empty list pauses none");
  const auto document = json::Document::Parse(body);
  if (!document) {
    return wrong;
  }
  const auto paused = document->root().Find("paused");
  if (!paused || paused->type() != json::Type::kArray) {
    return wrong;
  }
  std::set<std::string> regions;
  for (const json::Value region : paused->elements()) {
    if (region.type() != json::Type::kString || regions.size() == kPausedMax) {
      return wrong;
    }
    regions.emplace(region.string());
  }
  return regions;
}

void AppendReplicationState(const engine::RegionGroup& group, std::string& out) {
  json::ObjectWriter object(out);
  std::string& names = object.Name("paused");
  json::AppendArray(group.paused(), names,
                    [&](const std::string& region) { json::AppendString(region, names); });
  object.Integer("waiting", static_cast<std::int64_t>(group.waiting()));
}

}  // namespace

void AddReplicationRoutes(Dispatch& dispatch, engine::RegionGroup& group) {
  dispatch.AddRoute({Method::kGet, "/replication",
                     [&group](const HttpRequest&, Exchange& exchange, Completion) {
                       exchange.response.content_type = "application/json";
                       AppendReplicationState(group, exchange.response.body);
                       return Outcome::kDone;
                     },
                     true});
  dispatch.AddRoute({Method::kPost, "/replication",
                     [&group](const HttpRequest& request, Exchange& exchange, Completion) {
                       exchange.response.content_type = "application/json";
                       auto paused = ReadPaused(request.body);
                       if (!paused) {
                         exchange.response.status = 400;
                         json::ObjectWriter object(exchange.response.body);
                         object.String("message", paused.error().message);
                         return Outcome::kDone;
                       }
                       group.Pause(*std::move(paused));
                       AppendReplicationState(group, exchange.response.body);
                       return Outcome::kDone;
                     },
                     true});
}

}  // namespace prejoin::server
