// A ticket of a commit says in its upper bits which database it is of: 0 is home.
#include "server/region_backends.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "auth/credential_scope.h"
#include "base/patience.h"

namespace prejoin::server {
namespace {

namespace fs = std::filesystem;

constexpr int kTicketBits = 48;
constexpr storage::Ticket kTicketMask = (storage::Ticket{1} << kTicketBits) - 1;
constexpr std::size_t kRegionBytesMax = 32;
constexpr std::size_t kCacheBytes = 32u << 20;  // Home has most of the memory.

bool IsRegion(std::string_view name) {
  return !name.empty() && name.size() <= kRegionBytesMax && name.front() != '-' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

// "eu-west-1", "us-gov-east-1", and those that AWS may still open.
bool IsAwsRegion(std::string_view name) {
  static constexpr std::string_view kAreas[] = {
      "af", "ap", "ca", "cn", "eu", "il", "me", "mx", "sa", "us", "us-gov", "us-iso", "us-isob"};
  static constexpr std::string_view kPlaces[] = {"central",   "north",     "south",
                                                 "east",      "west",      "northeast",
                                                 "northwest", "southeast", "southwest"};
  const std::size_t last = name.rfind('-');
  if (last == std::string_view::npos || last + 2 != name.size() || name[last + 1] < '1' ||
      name[last + 1] > '9') {
    return false;
  }
  const std::size_t middle = name.rfind('-', last - 1);
  if (last == 0 || middle == std::string_view::npos) {
    return false;
  }
  return std::ranges::find(kAreas, name.substr(0, middle)) != std::end(kAreas) &&
         std::ranges::find(kPlaces, name.substr(middle + 1, last - middle - 1)) !=
             std::end(kPlaces);
}

bool IsAccount(std::string_view name) {
  return name.size() == 12 &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

wire::Answer Unavailable(const std::string& reason) {
  wire::Answer answer;
  answer.status = 400;
  answer.body =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":")" +
      reason + "\"}";
  return answer;
}

}  // namespace

RegionBackends::RegionBackends(EngineBackend& home, Options options, std::string bucket_root,
                               Log& log, IndexLag replication_lag)
    : home_(home),
      options_(std::move(options)),
      bucket_root_(std::move(bucket_root)),
      log_(log),
      group_(std::make_shared<engine::RegionGroup>(
          [this](const std::string& region, const std::string& account) {
            return OpenFor(region, account);
          },
          replication_lag)) {}

RegionBackends::~RegionBackends() { group_->Stop(); }

Status RegionBackends::OpenExisting() {
  engine::RegionGroup::Add(group_, home_.engine());
  if (options_.path.empty()) {
    return {};
  }
  std::error_code ignored;
  for (const auto& region : fs::directory_iterator(options_.path + "/regions", ignored)) {
    for (const auto& account : fs::directory_iterator(region.path(), ignored)) {
      Place place(region.path().filename(), account.path().filename());
      if (!IsRegion(place.first) || !IsAccount(place.second)) {
        continue;
      }
      PJ_RETURN_IF_ERROR(NumberOf(place, std::numeric_limits<std::size_t>::max()));
    }
  }
  return {};
}

void RegionBackends::Stop() {
  group_->Stop();
  const MutexLock lock(mutex_);
  for (Opened& opened : opened_) {
    opened.backend->Stop();
  }
}

wire::Answer RegionBackends::Handle(std::string_view target, const HttpRequest& request,
                                    const RequestBudget& budget, engine::AccessControl* access) {
  const auto place = PlaceOf(request);
  if (!place) {
    return home_.Handle(target, request, budget, access);
  }
  const auto known = FindNumber(*place);
  if (!known && budget.is_trial()) {
    wire::Answer answer;
    answer.abandoned = true;
    return answer;
  }
  const auto number = known ? Result<std::size_t>(*known) : NumberOf(*place);
  if (!number) {
    log_.Error("a region cannot be opened",
               {{"region", place->first}, {"reason", number.error().message}});
    return Unavailable("The tables of this region and account cannot be opened.");
  }
  wire::Answer answer = At(*number).Handle(target, request, budget, access);
  if (answer.ticket != 0) {
    answer.ticket |= storage::Ticket{*number} << kTicketBits;
  }
  return answer;
}

Status RegionBackends::Health() const {
  PJ_RETURN_IF_ERROR(home_.Health());
  const MutexLock lock(mutex_);
  for (const Opened& opened : opened_) {
    PJ_RETURN_IF_ERROR(opened.backend->Health());
  }
  return {};
}

bool RegionBackends::IsDurable(storage::Ticket ticket) const {
  return At(ticket >> kTicketBits).IsDurable(ticket & kTicketMask);
}

void RegionBackends::WhenDurable(storage::Ticket ticket, std::function<void(Status)> done) {
  At(ticket >> kTicketBits).WhenDurable(ticket & kTicketMask, std::move(done));
}

std::optional<RegionBackends::Place> RegionBackends::PlaceOf(const HttpRequest& request) const {
  const auto scope =
      auth::ScopeOf({"POST", request.path(), request.query(), request.fields, request.body});
  if (!scope || !IsRegion(scope->region)) {
    return std::nullopt;
  }
  Place place(scope->region, auth::AccountOf(scope->access_key_id).value_or(options_.account_id));
  if (place == Place(options_.region, options_.account_id)) {
    return std::nullopt;
  }
  // Other names have a database only if an earlier version has made it.
  if (!IsAwsRegion(place.first) && !FindNumber(place)) {
    return std::nullopt;
  }
  return place;
}

std::optional<std::size_t> RegionBackends::FindNumber(const Place& place) const {
  const MutexLock lock(mutex_);
  const auto known = numbers_.find(place);
  return known == numbers_.end() ? std::nullopt : std::optional(known->second);
}

Result<std::size_t> RegionBackends::NumberOf(const Place& place, std::size_t places_max) {
  const WaitingScope waiting(true);
  const MutexLock opening(opening_);
  if (const auto known = FindNumber(place)) {
    return *known;
  }
  {
    const MutexLock lock(mutex_);
    if (opened_.size() >= places_max) {
      return Error{ErrorCode::kLimitExceeded, "there are too many already"};
    }
  }
  Options options = options_;
  options.region = place.first;
  options.account_id = place.second;
  options.block_cache_bytes = std::min(options.block_cache_bytes, kCacheBytes);
  if (!options.path.empty()) {
    options.path += "/regions/" + place.first + "/" + place.second;
    std::error_code failed;
    fs::create_directories(options.path, failed);
    if (failed) {
      return Error{ErrorCode::kIo, options.path + ": " + failed.message()};
    }
  }
  PJ_ASSIGN_OR_RETURN(auto engine, engine::Engine::Open(options));
  auto backend = std::make_unique<EngineBackend>(*engine, bucket_root_);
  backend->LogFaults(log_);
  engine::RegionGroup::Add(group_, *engine);
  log_.Info("region opened", {{"region", place.first}, {"account", place.second}});
  const MutexLock lock(mutex_);
  opened_.push_back({std::move(engine), std::move(backend)});
  return numbers_[place] = opened_.size();
}

Status RegionBackends::OpenFor(const std::string& region, const std::string& account) {
  if (!IsRegion(region) || !IsAwsRegion(region)) {
    return ValidationError("Region " + region + " is not supported.");
  }
  PJ_RETURN_IF_ERROR(NumberOf(Place(region, account)));
  return {};
}

EngineBackend& RegionBackends::At(std::size_t number) const {
  if (number == 0) {
    return home_;
  }
  const MutexLock lock(mutex_);
  return *opened_[number - 1].backend;
}

}  // namespace prejoin::server
