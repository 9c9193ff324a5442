// Callbacks that one thread runs in a row, so that work which they share is done once at the end.
//
// A sync makes the commits of many connections durable. Each of them has a callback, which puts an answer into the mailbox of an event loop and
// wakes it. One after the other, that is a lock and a system call for each answer, and the loop, awake after the first, fights for its mailbox
// with whoever fills it. Inside a batch, callbacks collect what they have, and the batch delivers it at its end.
#ifndef PREJOIN_BASE_CALL_BATCH_H_
#define PREJOIN_BASE_CALL_BATCH_H_

namespace prejoin {

// Single thread: belongs to the one that made it. Batches nest; the outermost one delivers.
class CallBatch {
 public:
  // Delivers what the callbacks of this thread have collected. Must not block nor begin a batch.
  using Deliver = void (*)();

  CallBatch() : outer_(current_) {
    if (outer_ == nullptr) {
      current_ = this;
    }
  }
  ~CallBatch() {
    if (outer_ == nullptr) {
      current_ = nullptr;
      if (deliver_ != nullptr) {
        deliver_();
      }
    }
  }
  CallBatch(const CallBatch&) = delete;
  CallBatch& operator=(const CallBatch&) = delete;

  // True: `deliver` is called once on this thread when its batch ends. False: there is no batch, or it delivers something else already, and the
  // caller does its work now.
  static bool PutOff(Deliver deliver) {
    if (current_ == nullptr || (current_->deliver_ != nullptr && current_->deliver_ != deliver)) {
      return false;
    }
    current_->deliver_ = deliver;
    return true;
  }

 private:
  static inline constinit thread_local CallBatch* current_ = nullptr;

  CallBatch* const outer_;
  Deliver deliver_ = nullptr;  // Set only in the outermost batch.
};

}  // namespace prejoin

#endif  // PREJOIN_BASE_CALL_BATCH_H_
