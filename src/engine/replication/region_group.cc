#include "engine/replication/region_group.h"

namespace prejoin::engine {

RegionGroup::Place RegionGroup::PlaceOf(Engine& engine) {
  return {engine.options().region, engine.options().account_id};
}

void RegionGroup::Add(const std::shared_ptr<RegionGroup>& group, Engine& engine) {
  auto sender = std::make_unique<ReplicaSender>(engine, *group, *group, group->lag_);
  ReplicaSender& added = *sender;
  engine.JoinRegions(group);
  {
    const MutexLock lock(group->mutex_);
    group->senders_[&engine] = &added;
    group->members_[PlaceOf(engine)] = {&engine, std::move(sender)};
  }
  added.Start();
}

void RegionGroup::Stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  for (ReplicaSender* sender : Senders()) {
    sender->Stop();
  }
}

std::vector<ReplicaSender*> RegionGroup::Senders() const {
  const MutexLock lock(mutex_);
  std::vector<ReplicaSender*> senders;
  for (const auto& [engine, sender] : senders_) {
    senders.push_back(sender);
  }
  return senders;
}

Engine* RegionGroup::FindOpen(Engine& asking, const std::string& region) {
  const MutexLock lock(mutex_);
  const auto found = members_.find({region, asking.options().account_id});
  return found == members_.end() || stopped_ ? nullptr : found->second.engine;
}

Result<Engine*> RegionGroup::Find(Engine& asking, const std::string& region) {
  if (Engine* const known = FindOpen(asking, region)) {
    return known;
  }
  {
    const MutexLock lock(mutex_);
    if (stopped_) {
      return Error{ErrorCode::kUnavailable, "the server is stopping"};
    }
  }
  PJ_RETURN_IF_ERROR(open_(region, asking.options().account_id));
  if (Engine* const opened = FindOpen(asking, region)) {
    return opened;
  }
  return Error{ErrorCode::kUnavailable, "the region " + region + " cannot be opened"};
}

void RegionGroup::Wrote(Engine& engine) {
  ReplicaSender* sender = nullptr;
  {
    const MutexLock lock(mutex_);
    const auto found = senders_.find(&engine);
    sender = found == senders_.end() || stopped_ ? nullptr : found->second;
  }
  if (sender != nullptr) {
    sender->Wake();
  }
}

void RegionGroup::Changed() {
  for (ReplicaSender* sender : Senders()) {
    sender->Wake();
  }
}

void RegionGroup::FillAfter(Engine& engine, const std::string& table_name,
                            std::vector<std::shared_future<void>> older_writers) {
  ReplicaSender* sender = nullptr;
  {
    const MutexLock lock(mutex_);
    const auto found = senders_.find(&engine);
    sender = found == senders_.end() ? nullptr : found->second;
  }
  if (sender != nullptr) {
    sender->FillAfter(table_name, std::move(older_writers));
  }
}

void RegionGroup::Pause(std::set<std::string> regions) {
  {
    const MutexLock lock(mutex_);
    paused_ = std::move(regions);
  }
  Changed();
}

std::set<std::string> RegionGroup::paused() const {
  const MutexLock lock(mutex_);
  return paused_;
}

bool RegionGroup::IsCut(const std::string& from, const std::string& to) const {
  const MutexLock lock(mutex_);
  return paused_.contains(from) || paused_.contains(to);
}

std::size_t RegionGroup::waiting() const {
  std::size_t notes = 0;
  for (ReplicaSender* sender : Senders()) {
    notes += sender->CountNotes();
  }
  return notes;
}

}  // namespace prejoin::engine
