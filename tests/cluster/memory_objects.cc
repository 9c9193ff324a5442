#include "tests/cluster/memory_objects.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>

#include "cluster/layout.h"
#include "cluster/lease.h"
#include "cluster/load_module.h"

namespace prejoin::cluster {

void MemoryObjects::Start(const std::string& object, const Change& change,
                          std::function<void(ObjectStatus)> done) {
  ObjectStatus status;
  {
    const MutexLock lock(mutex_);
    status = Do(object, change);
  }
  done(status);
}

ObjectStatus MemoryObjects::Do(const std::string& name, const Change& change) {
  const auto found = objects_.find(name);
  if (change.create && found != objects_.end()) {
    return {ObjectCode::kExists, "exists"};
  }
  if (found == objects_.end() && (!change.expected.empty() || change.remove)) {
    return {ObjectCode::kMissing, "missing"};
  }
  for (const auto& [attribute, value] : change.expected) {
    if (found->second.attributes[attribute] != value) {
      return {ObjectCode::kMismatch, attribute + " is another"};
    }
  }
  if (change.remove) {
    objects_.erase(found);
    return {};
  }
  Object& object = objects_[name];
  for (const auto& [attribute, value] : change.attributes) {
    object.attributes[attribute] = value;
  }
  for (const auto& [entry, value] : change.entries) {
    object.entries[entry] = value;
  }
  for (const std::string& entry : change.removed_entries) {
    object.entries.erase(entry);
  }
  if (!change.data.empty()) {
    object.data.resize(
        std::max<std::size_t>(object.data.size(), change.offset + change.data.size()));
    std::memcpy(object.data.data() + change.offset, change.data.data(), change.data.size());
  }
  return {};
}

ObjectStatus MemoryObjects::Read(const std::string& object, std::uint64_t offset, std::size_t bytes,
                                 char* out, std::size_t& got) {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  got = 0;
  if (found == objects_.end()) {
    return {ObjectCode::kMissing, "missing"};
  }
  const std::string& data = found->second.data;
  if (offset < data.size()) {
    got = std::min<std::size_t>(bytes, data.size() - offset);
    std::memcpy(out, data.data() + offset, got);
  }
  return {};
}

ObjectStatus MemoryObjects::Size(const std::string& object, std::uint64_t& bytes) {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) {
    return {ObjectCode::kMissing, "missing"};
  }
  bytes = found->second.data.size();
  return {};
}

ObjectStatus MemoryObjects::Attributes(const std::string& object, Map& attributes) {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) {
    return {ObjectCode::kMissing, "missing"};
  }
  attributes = found->second.attributes;
  return {};
}

ObjectStatus MemoryObjects::Entries(const std::string& object, Map& entries) {
  const MutexLock lock(mutex_);
  const auto found = objects_.find(object);
  if (found == objects_.end()) {
    return {ObjectCode::kMissing, "missing"};
  }
  entries = found->second.entries;
  return {};
}

ObjectStatus MemoryObjects::List(const std::function<void(const std::string&)>& visit) {
  for (const std::string& name : Names()) {
    visit(name);
  }
  return {};
}

std::vector<std::string> MemoryObjects::Names() {
  const MutexLock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, object] : objects_) {
    names.push_back(name);
  }
  return names;
}

void Client::DieAt(std::uint64_t count, bool last_one_applied) {
  const MutexLock lock(mutex_);
  dies_at_ = change_count_ + count;
  last_one_applied_ = last_one_applied;
}

bool Client::is_dead() {
  const MutexLock lock(mutex_);
  return dead_;
}

std::uint64_t Client::change_count() {
  const MutexLock lock(mutex_);
  return change_count_;
}

void Client::Sleep() {
  const MutexLock lock(mutex_);
  asleep_ = true;
}

void Client::Wake() {
  std::vector<Waiting> waiting;
  {
    const MutexLock lock(mutex_);
    asleep_ = false;
    waiting.swap(waiting_);
  }
  for (Waiting& one : waiting) {
    one.change.data = one.data;
    objects_.Start(one.object, one.change, std::move(one.done));
  }
}

void Client::FailData() {
  const MutexLock lock(mutex_);
  data_fails_ = true;
}

std::size_t Client::waiting_count() {
  const MutexLock lock(mutex_);
  return waiting_.size();
}

void Client::Start(const std::string& object, const Change& change,
                   std::function<void(ObjectStatus)> done) {
  bool pass_on = true;
  bool answer = true;
  bool fails = false;
  {
    const MutexLock lock(mutex_);
    ++change_count_;
    fails = data_fails_ && InodeOf(object).has_value();
    if (dies_at_ == change_count_ && !dead_) {
      dead_ = true;
      pass_on = last_one_applied_;
      answer = false;
    } else if (dead_) {
      pass_on = answer = false;
    } else if (asleep_) {
      waiting_.push_back({object, change, std::string(change.data), std::move(done)});
      return;
    }
  }
  if (fails && answer) {
    done({ObjectCode::kFailed, "no space left"});
    return;
  }
  if (pass_on && answer) {
    objects_.Start(object, change, std::move(done));
    return;
  }
  if (pass_on) {
    objects_.Apply(object, change);
  }
  done(Dead());
}

bool OnRados() { return getenv("PREJOIN_TEST_RADOS") != nullptr; }

ObjectStore& ObjectsNamed(const std::string& name) {
  // Never destroyed: librados is gone by then.
  static auto& objects = *new std::map<std::string, std::unique_ptr<ObjectStore>>;
  std::unique_ptr<ObjectStore>& found = objects[name];
  if (found == nullptr && OnRados()) {
    const std::string where = getenv("PREJOIN_TEST_RADOS");
    const std::size_t colon = where.rfind(':');
    auto opened = OpenRados({.configuration = where.substr(0, colon),
                             .user = "",
                             .pool = where.substr(colon + 1),
                             .space = name});
    if (!opened) {
      ADD_FAILURE() << opened.error().message;
      abort();
    }
    found = *std::move(opened);
  } else if (found == nullptr) {
    found = std::make_unique<MemoryObjects>();
  }
  return *found;
}

std::uint64_t TakeLead(ObjectStore& objects) {
  LeaseOptions options;
  options.self = {"test", "127.0.0.1:1", ""};
  // A clock on which a whole lease passes between two looks at it.
  const Instant step = options.duration * 2;
  Instant now(0);
  options.now = [&now, step] { return now += step; };
  Lease lease(objects, options);
  while (true) {
    const auto taken = lease.TryTake();
    if (!taken) {
      ADD_FAILURE() << taken.error().message;
      return 0;
    }
    if (*taken) {
      return **taken;
    }
  }
}

}  // namespace prejoin::cluster
