// Shared objects in memory, and clients of them that die, sleep and lose answers.
#ifndef PREJOIN_TESTS_CLUSTER_MEMORY_OBJECTS_H_
#define PREJOIN_TESTS_CLUSTER_MEMORY_OBJECTS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cluster/object_store.h"

namespace prejoin::cluster {

// Thread-safe. Does what object_store.h says.
class MemoryObjects final : public ObjectStore {
 public:
  void Start(const std::string& object, const Change& change,
             std::function<void(ObjectStatus)> done) override;
  ObjectStatus Read(const std::string& object, std::uint64_t offset, std::size_t bytes, char* out,
                    std::size_t& got) override;
  ObjectStatus Size(const std::string& object, std::uint64_t& bytes) override;
  ObjectStatus Attributes(const std::string& object, Map& attributes) override;
  ObjectStatus Entries(const std::string& object, Map& entries) override;
  ObjectStatus List(const std::function<void(const std::string&)>& visit) override;
  ObjectStatus Time(std::int64_t& ms) override {
    ms = time_ms;
    return {};
  }
  std::string OwnAddress() override { return {}; }
  ObjectStatus Fence(const std::string&) override { return {}; }

  std::vector<std::string> Names();

  std::atomic<std::int64_t> time_ms = 1'700'000'000'000;

 private:
  struct Object {
    std::string data;
    Map attributes;
    Map entries;
  };
  ObjectStatus Do(const std::string& name, const Change& change) PJ_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::string, Object> objects_ PJ_GUARDED_BY(mutex_);
};

// One process' way to the objects. Thread-safe.
class Client final : public ObjectStore {
 public:
  explicit Client(ObjectStore& objects) : objects_(objects) {}
  ~Client() override { Wake(); }

  // The process dies with its change number `count` from now on, 1 being the next: that one is
  // still applied or not, as `last_one_applied` has it, but never answered. The dead get errors.
  void DieAt(std::uint64_t count, bool last_one_applied) PJ_EXCLUDES(mutex_);
  bool is_dead() PJ_EXCLUDES(mutex_);
  std::uint64_t change_count() PJ_EXCLUDES(mutex_);

  // From now on changes wait on their way; Wake lets them go, in their order.
  void Sleep() PJ_EXCLUDES(mutex_);
  void Wake() PJ_EXCLUDES(mutex_);
  std::size_t waiting_count() PJ_EXCLUDES(mutex_);

  void Start(const std::string& object, const Change& change,
             std::function<void(ObjectStatus)> done) override;
  ObjectStatus Read(const std::string& object, std::uint64_t offset, std::size_t bytes, char* out,
                    std::size_t& got) override {
    ++read_count_;
    return is_dead() ? Dead() : objects_.Read(object, offset, bytes, out, got);
  }
  ObjectStatus Size(const std::string& object, std::uint64_t& bytes) override {
    return is_dead() ? Dead() : objects_.Size(object, bytes);
  }
  ObjectStatus Attributes(const std::string& object, Map& attributes) override {
    return is_dead() ? Dead() : objects_.Attributes(object, attributes);
  }
  ObjectStatus Entries(const std::string& object, Map& entries) override {
    return is_dead() ? Dead() : objects_.Entries(object, entries);
  }
  ObjectStatus List(const std::function<void(const std::string&)>& visit) override {
    return objects_.List(visit);
  }
  ObjectStatus Time(std::int64_t& ms) override { return is_dead() ? Dead() : objects_.Time(ms); }
  // Nobody is fenced here: the epochs have to do it alone.
  std::string OwnAddress() override { return address; }
  ObjectStatus Fence(const std::string& former) override {
    if (on_fence) {
      on_fence(former);
    }
    return {};
  }

  // Set before the client is used.
  std::string address;
  std::function<void(const std::string& former)> on_fence;

  // From now on every write into a chunk fails, and nothing else does.
  void FailData() PJ_EXCLUDES(mutex_);
  // Reads of bytes.
  std::uint64_t read_count() const { return read_count_; }

 private:
  struct Waiting {
    std::string object;
    Change change;
    std::string data;
    std::function<void(ObjectStatus)> done;
  };
  static ObjectStatus Dead() { return {ObjectCode::kFailed, "this process is dead"}; }

  ObjectStore& objects_;
  Mutex mutex_;
  std::uint64_t change_count_ PJ_GUARDED_BY(mutex_) = 0;
  std::optional<std::uint64_t> dies_at_ PJ_GUARDED_BY(mutex_);
  bool last_one_applied_ PJ_GUARDED_BY(mutex_) = false;
  bool dead_ PJ_GUARDED_BY(mutex_) = false;
  bool asleep_ PJ_GUARDED_BY(mutex_) = false;
  bool data_fails_ PJ_GUARDED_BY(mutex_) = false;
  std::atomic<std::uint64_t> read_count_ = 0;
  std::vector<Waiting> waiting_ PJ_GUARDED_BY(mutex_);
};

// The objects under test: in memory, or, with PREJOIN_TEST_RADOS=CEPH_CONF:POOL, on RADOS, where
// each name is a space of its own. Kept until the program ends.
ObjectStore& ObjectsNamed(const std::string& name);
bool OnRados();

// Takes the lead without waiting for anybody's lease. The epoch.
std::uint64_t TakeLead(ObjectStore& objects);

}  // namespace prejoin::cluster

#endif  // PREJOIN_TESTS_CLUSTER_MEMORY_OBJECTS_H_
