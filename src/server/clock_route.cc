#include "server/clock_route.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "json/reader.h"
#include "json/writer.h"

namespace prejoin::server {
namespace {

constexpr double kSecondsMax = 253'402'300'799;  // The end of the year 9999.
constexpr double kRateMax = 1'000'000;

// The members of a POST; exactly one is there.
struct ClockChange {
  std::optional<double> advance;  // Seconds.
  std::optional<double> set;      // Seconds since 1970.
  std::optional<double> rate;     // Seconds for each second of the machine.
};

Result<ClockChange> ReadChange(std::string_view body) {
  const Error wrong = ValidationError(
      "write one of {\"advance\": SECONDS}, {\"set\": SECONDS_SINCE_1970} and {\"rate\": "
      "SECONDS_PER_SECOND}, with a number that is not negative");
  const auto document = json::Document::Parse(body);
  if (!document) {
    return wrong;
  }
  ClockChange change;
  const std::pair<std::string_view, std::optional<double>*> members[] = {
      {"advance", &change.advance}, {"set", &change.set}, {"rate", &change.rate}};
  std::size_t found = 0;
  for (const auto& [name, value] : members) {
    const auto member = document->root().Find(name);
    if (!member) {
      continue;
    }
    const bool is_number =
        member->type() == json::Type::kInteger || member->type() == json::Type::kDecimal;
    const double number = is_number ? member->number() : -1;
    if (!(number >= 0 && number <= kSecondsMax)) {
      return wrong;
    }
    *value = number;
    ++found;
  }
  if (found != 1 || change.rate.value_or(0) > kRateMax) {
    return wrong;
  }
  return change;
}

std::int64_t Milliseconds(double seconds) { return std::llround(seconds * 1'000); }

void Move(const ClockChange& change, VirtualClock& clock) {
  if (change.advance) {
    clock.Advance(Milliseconds(*change.advance));
  }
  if (change.set) {
    clock.Set(Milliseconds(*change.set));
  }
  if (change.rate) {
    clock.SetRate(*change.rate);
  }
}

void Show(const VirtualClock& clock, HttpResponse& response) {
  response.content_type = "application/json";
  json::ObjectWriter object(response.body);
  object.Time("now", clock.NowMs());
  object.Double("rate", clock.rate());
}

}  // namespace

void AddClockRoutes(Dispatch& dispatch, VirtualClock& clock, std::function<void()> catch_up) {
  dispatch.AddRoute(
      {Method::kGet, "/clock", [&clock](const HttpRequest&, Exchange& exchange, Completion) {
         Show(clock, exchange.response);
         return Outcome::kDone;
       }});
  dispatch.AddRoute({Method::kPost, "/clock",
                     [&clock, catch_up = std::move(catch_up)](const HttpRequest& request,
                                                              Exchange& exchange, Completion) {
                       const auto change = ReadChange(request.body);
                       if (!change) {
                         exchange.response.status = 400;
                         exchange.response.content_type = "application/json";
                         json::ObjectWriter object(exchange.response.body);
                         object.String("message", change.error().message);
                         return Outcome::kDone;
                       }
                       Move(*change, clock);
                       catch_up();
                       Show(clock, exchange.response);
                       return Outcome::kDone;
                     },
                     true});
}

}  // namespace prejoin::server
