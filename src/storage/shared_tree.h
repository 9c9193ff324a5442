// A tree that forks of a memory store share until one of them changes it.
#ifndef PREJOIN_STORAGE_SHARED_TREE_H_
#define PREJOIN_STORAGE_SHARED_TREE_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "storage/memory_tree.h"

namespace prejoin::storage {

// A handle to a tree; its copies share the tree. Thread-compatible, while other handles to the same tree may be used on other threads.
//
// Not a shared_ptr: its use_count() orders nothing, so a handle that finds itself alone could change the tree while the last reader of a
// dropped handle still looks at it.
class SharedTree {
 public:
  SharedTree() : node_(new Node) {}
  SharedTree(const SharedTree& other) : node_(other.node_) {
    node_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedTree(SharedTree&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  SharedTree& operator=(SharedTree other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~SharedTree() {
    if (node_ != nullptr && node_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete node_;
    }
  }

  const MemoryTree& operator*() const { return node_->tree; }

  // The tree, for changes: copied before, if others share it.
  MemoryTree& Own() {
    if (node_->owners.load(std::memory_order_acquire) != 1) {
      *this = SharedTree(node_->tree);
    }
    return node_->tree;
  }

 private:
  struct Node {
    std::atomic<std::uint32_t> owners = 1;
    MemoryTree tree;
  };
  explicit SharedTree(const MemoryTree& tree) : node_(new Node{1, tree}) {}

  Node* node_;
};

}  // namespace prejoin::storage

#endif  // PREJOIN_STORAGE_SHARED_TREE_H_
