// A writer that stops on its way, for races that a test decides.
#ifndef PREJOIN_TESTS_ENGINE_SLOW_WRITER_H_
#define PREJOIN_TESTS_ENGINE_SLOW_WRITER_H_

#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "tests/engine/test_database.h"

namespace prejoin {

// Puts an item into table T and is held up in a hook of the store, knowing the table as it was.
class SlowWriter {
 public:
  // `hook` is one of the store's. Returns when the writer has come to it.
  template <class Hook>
  SlowWriter(Database& database, Hook& hook, Item item) {
    hook = [this](auto&&...) {
      if (std::this_thread::get_id() == thread_id_) {
        arrived_.set_value();
        gate_.get_future().wait();
      }
    };
    thread_ = std::thread([this, &database, item = std::move(item)] {
      thread_id_ = std::this_thread::get_id();
      Put(database, "T", item);
    });
    arrived_.get_future().wait();
  }
  void Finish() {
    gate_.set_value();
    thread_.join();
  }

 private:
  std::atomic<std::thread::id> thread_id_;
  std::promise<void> arrived_;
  std::promise<void> gate_;
  std::thread thread_;
};

}  // namespace prejoin

#endif  // PREJOIN_TESTS_ENGINE_SLOW_WRITER_H_
