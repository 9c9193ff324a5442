#include "cluster/load_module.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace prejoin::cluster {
namespace {

constexpr char kModuleName[] = "prejoin_rados.so";

// Beside the program, as it is built; where it is installed; beside a test's folder.
std::vector<std::filesystem::path> ModulePlaces() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / kModuleName, folder / ".." / "lib" / "prejoin" / kModuleName,
          folder / ".." / kModuleName};
}

}  // namespace

Result<std::unique_ptr<ObjectStore>> OpenRados(const ObjectStoreOptions& options) {
  std::string reason = "the module is not installed";
  for (const std::filesystem::path& place : ModulePlaces()) {
    std::error_code ignored;
    if (!std::filesystem::exists(place, ignored)) {
      continue;
    }
    void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);  // Never closed.
    void* symbol = module != nullptr ? dlsym(module, kOpenObjectStore) : nullptr;
    if (symbol == nullptr) {
      const char* error = dlerror();
      reason = error != nullptr ? error : "unknown reason";
      continue;
    }
    std::string error;
    std::unique_ptr<ObjectStore> store(
        reinterpret_cast<OpenObjectStoreFunction*>(symbol)(kObjectStoreInterface, options, &error));
    if (store == nullptr) {
      return Error{ErrorCode::kUnavailable, error};
    }
    return store;
  }
  return Error{ErrorCode::kValidation,
               std::string("cannot load ") + kModuleName + " (" + reason +
                   "). It is built if Debian's librados-dev is installed, and requires librados2 "
                   "at run time: scripts/setup rados, then build again"};
}

}  // namespace prejoin::cluster
