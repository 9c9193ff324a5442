// ObjectStore on Ceph RADOS, by librados' C interface. Built as a module of its own, so that the
// program neither needs nor loads Ceph's libraries unless somebody asks for them.
#include <errno.h>
#include <rados/librados.h>
#include <string.h>

#include <array>
#include <memory>
#include <random>

#include "cluster/layout.h"
#include "cluster/object_store.h"
#include "rados/lock_end.h"

namespace prejoin::rados {
namespace {

constexpr char kClockLock[] = "clock";
constexpr std::size_t kLockInfoBytesMax = 64 * 1024;  // An OSD keeps no longer attributes.

// Tells this process' locks from those of others, and of earlier lives.
std::string NewCookie() {
  std::random_device random;
  return std::to_string(random()) + "." + std::to_string(random());
}

using cluster::Change;
using cluster::ObjectCode;
using cluster::ObjectStatus;

ObjectStatus ToStatus(int result) {
  if (result >= 0) {
    return {};
  }
  std::array<char, 128> text;
  const std::string what = strerror_r(-result, text.data(), text.size());
  switch (-result) {
    case ENOENT:
      return {ObjectCode::kMissing, what};
    case EEXIST:
      return {ObjectCode::kExists, what};
    case ECANCELED:
      return {ObjectCode::kMismatch, what};
    case ESHUTDOWN:  // The cluster has blocklisted this client.
      return {ObjectCode::kFenced, what};
    default:
      return {ObjectCode::kFailed, what};
  }
}

void AddEntries(rados_write_op_t op, const Change& change) {
  std::vector<const char*> names;
  std::vector<const char*> values;
  std::vector<std::size_t> name_bytes;
  std::vector<std::size_t> value_bytes;
  for (const auto& [name, value] : change.entries) {
    names.push_back(name.data());
    name_bytes.push_back(name.size());
    values.push_back(value.data());
    value_bytes.push_back(value.size());
  }
  if (!names.empty()) {
    rados_write_op_omap_set2(op, names.data(), values.data(), name_bytes.data(), value_bytes.data(),
                             names.size());
  }
  std::vector<const char*> removed;
  std::vector<std::size_t> removed_bytes;
  for (const std::string& name : change.removed_entries) {
    removed.push_back(name.data());
    removed_bytes.push_back(name.size());
  }
  if (!removed.empty()) {
    rados_write_op_omap_rm_keys2(op, removed.data(), removed_bytes.data(), removed.size());
  }
}

void AddChange(rados_write_op_t op, const Change& change) {
  for (const auto& [name, value] : change.expected) {
    rados_write_op_cmpxattr(op, name.c_str(), LIBRADOS_CMPXATTR_OP_EQ, value.data(), value.size());
  }
  if (change.create) {
    rados_write_op_create(op, LIBRADOS_CREATE_EXCLUSIVE, nullptr);
  }
  for (const auto& [name, value] : change.attributes) {
    rados_write_op_setxattr(op, name.c_str(), value.data(), value.size());
  }
  AddEntries(op, change);
  if (!change.data.empty()) {
    rados_write_op_write(op, change.data.data(), change.data.size(), change.offset);
  }
  if (change.remove) {
    rados_write_op_remove(op);
  }
}

// Thread-safe.
class LibradosStore final : public cluster::ObjectStore {
 public:
  ~LibradosStore() override {
    if (pool_ != nullptr) {
      rados_aio_flush(pool_);
      rados_ioctx_destroy(pool_);
    }
    if (cluster_ != nullptr) {
      rados_shutdown(cluster_);
    }
  }

  // An empty text if that went well.
  std::string Connect(const cluster::ObjectStoreOptions& options) {
    const char* user = options.user.empty() ? "admin" : options.user.c_str();
    int result = rados_create(&cluster_, user);
    if (result < 0) {
      cluster_ = nullptr;
      return "cannot start librados: " + ToStatus(result).what;
    }
    result = rados_conf_read_file(cluster_, options.configuration.c_str());
    if (result < 0) {
      return "cannot read " + options.configuration + ": " + ToStatus(result).what;
    }
    // Operations on objects wait as long as it takes, whatever the file says: one that is given up may be applied
    // all the same, and a log with a write like that is lost for its leader. A caller that must not wait uses a
    // thread that nobody waits for, and the lease ends the rest. Requests to the monitors must not wait.
    rados_conf_set(cluster_, "rados_osd_op_timeout", "0");
    rados_conf_set(cluster_, "rados_mon_op_timeout", "10");
    rados_conf_set(cluster_, "client_mount_timeout", "20");
    result = rados_connect(cluster_);
    if (result < 0) {
      const std::string what = ToStatus(result).what;
      rados_shutdown(cluster_);
      cluster_ = nullptr;
      return "cannot reach the Ceph cluster of " + options.configuration + ": " + what;
    }
    result = rados_ioctx_create(cluster_, options.pool.c_str(), &pool_);
    if (result < 0) {
      pool_ = nullptr;
      return "cannot open the pool " + options.pool + ": " + ToStatus(result).what;
    }
    rados_ioctx_set_namespace(pool_, options.space.c_str());
    return {};
  }

  void Start(const std::string& object, const Change& change,
             std::function<void(ObjectStatus)> done) override {
    auto waiting = std::make_unique<Waiting>(Waiting{std::move(done), nullptr});
    rados_aio_create_completion2(
        waiting.get(),
        [](rados_completion_t completion, void* argument) {
          const std::unique_ptr<Waiting> ended(static_cast<Waiting*>(argument));
          ended->done(ToStatus(rados_aio_get_return_value(completion)));
          rados_aio_release(completion);
        },
        &waiting->completion);
    const rados_write_op_t op = rados_create_write_op();
    AddChange(op, change);
    const rados_completion_t completion = waiting->completion;
    const int result =
        rados_aio_write_op_operate(op, pool_, completion, object.c_str(), nullptr, 0);
    rados_release_write_op(op);
    if (result < 0) {
      waiting->done(ToStatus(result));
      rados_aio_release(completion);
    } else {
      (void)waiting.release();  // The callback has it.
    }
  }

  ObjectStatus Read(const std::string& object, std::uint64_t offset, std::size_t bytes, char* out,
                    std::size_t& got) override {
    const int result = rados_read(pool_, object.c_str(), out, bytes, offset);
    got = result < 0 ? 0 : static_cast<std::size_t>(result);
    return ToStatus(result);
  }

  ObjectStatus Size(const std::string& object, std::uint64_t& bytes) override {
    time_t ignored = 0;
    return ToStatus(rados_stat(pool_, object.c_str(), &bytes, &ignored));
  }

  ObjectStatus Attributes(const std::string& object, Map& attributes) override {
    attributes.clear();
    rados_xattrs_iter_t at = nullptr;
    const int result = rados_getxattrs(pool_, object.c_str(), &at);
    if (result < 0) {
      return ToStatus(result);
    }
    const char* name = nullptr;
    const char* value = nullptr;
    std::size_t bytes = 0;
    int next = 0;
    while ((next = rados_getxattrs_next(at, &name, &value, &bytes)) == 0 && name != nullptr) {
      attributes.emplace(name, std::string(value, bytes));
    }
    rados_getxattrs_end(at);
    return ToStatus(next);
  }

  // By pages: the server ends one after at most 1,024 entries, whatever is asked for.
  ObjectStatus Entries(const std::string& object, Map& entries) override {
    constexpr std::uint64_t kPageEntries = 1024;
    entries.clear();
    std::string after;
    unsigned char more = 1;
    while (more != 0) {
      const rados_read_op_t op = rados_create_read_op();
      rados_omap_iter_t at = nullptr;
      int page = 0;
      rados_read_op_omap_get_vals2(op, after.c_str(), "", kPageEntries, &at, &more, &page);
      int result = rados_read_op_operate(op, pool_, object.c_str(), 0);
      rados_release_read_op(op);
      result = result < 0 ? result : page;
      if (result < 0) {
        rados_omap_get_end(at);
        return ToStatus(result);
      }
      char* name = nullptr;
      char* value = nullptr;
      std::size_t name_bytes = 0;
      std::size_t bytes = 0;
      while (rados_omap_get_next2(at, &name, &value, &name_bytes, &bytes) == 0 && name != nullptr) {
        after.assign(name, name_bytes);
        entries.emplace(after, std::string(value, bytes));
      }
      rados_omap_get_end(at);
    }
    return {};
  }

  ObjectStatus List(const std::function<void(const std::string&)>& visit) override {
    rados_list_ctx_t at = nullptr;
    int result = rados_nobjects_list_open(pool_, &at);
    if (result < 0) {
      return ToStatus(result);
    }
    const char* name = nullptr;
    while ((result = rados_nobjects_list_next(at, &name, nullptr, nullptr)) == 0) {
      visit(name);
    }
    rados_nobjects_list_close(at);
    return result == -ENOENT ? ObjectStatus() : ToStatus(result);  // The end.
  }

  std::string OwnAddress() override {
    char* text = nullptr;
    if (rados_getaddrs(cluster_, &text) < 0 || text == nullptr) {
      return {};
    }
    std::string addresses(text);
    rados_buffer_free(text);
    return addresses;
  }

  // The servers learn of it from the monitors, a moment later. To wait for that could take for ever.
  ObjectStatus Fence(const std::string& address) override {
    std::string copy = address;
    return ToStatus(rados_blocklist_add(cluster_, copy.data(), 0));
  }

  // Asks for a lock of a known length, which nobody else can have, and reads when it ends.
  ObjectStatus Time(std::int64_t& ms) override {
    constexpr std::int64_t kLockSeconds = 5;
    timeval length{kLockSeconds, 0};
    const int locked =
        rados_lock_shared(pool_, cluster::kClockObject, kClockLock, clock_cookie_.c_str(),
                          kClockLock, "", &length, LIBRADOS_LOCK_FLAG_MAY_RENEW);
    if (locked < 0) {
      return ToStatus(locked);
    }
    std::string info(kLockInfoBytesMax, '\0');
    const std::string attribute = std::string("lock.") + kClockLock;
    const int bytes =
        rados_getxattr(pool_, cluster::kClockObject, attribute.c_str(), info.data(), info.size());
    if (bytes < 0) {
      return ToStatus(bytes);
    }
    info.resize(static_cast<std::size_t>(bytes));
    const auto end_ms = LockEndMs(info, clock_cookie_);
    if (!end_ms) {
      return {ObjectCode::kFailed, "the object store's clock cannot be read"};
    }
    ms = *end_ms - kLockSeconds * 1000;
    return {};
  }

 private:
  struct Waiting {
    std::function<void(ObjectStatus)> done;
    rados_completion_t completion;
  };

  rados_t cluster_ = nullptr;
  rados_ioctx_t pool_ = nullptr;
  const std::string clock_cookie_ = NewCookie();
};

}  // namespace
}  // namespace prejoin::rados

extern "C" __attribute__((visibility("default"))) prejoin::cluster::ObjectStore*
PrejoinOpenObjectStore(int interface, const prejoin::cluster::ObjectStoreOptions& options,
                       std::string* error) {
  if (interface != prejoin::cluster::kObjectStoreInterface) {
    *error = "the module for RADOS belongs to another version of this program";
    return nullptr;
  }
  auto store = std::make_unique<prejoin::rados::LibradosStore>();
  *error = store->Connect(options);
  return error->empty() ? store.release() : nullptr;
}
