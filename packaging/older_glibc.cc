// Two functions of newer versions of glibc that g++ 12's own archives call, for the shared library of `make dist`: with them it requires glibc
// 2.34 instead of 2.36, and so runs on RHEL 9, Amazon Linux 2023 and Ubuntu 22.04. Both stay inside the library (src/capi/exports.map).
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

int LookAt(dl_phdr_info* module, std::size_t, void* argument) {
  const auto& search = *static_cast<Search*>(argument);
  bool contains = false;
  void* unwind_table = nullptr;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_EH_FRAME) {
      unwind_table = reinterpret_cast<void*>(begin);
    } else if (header.p_type == PT_LOAD && search.address >= begin &&
               search.address < begin + header.p_memsz) {
      contains = true;
      search.found->dlfo_map_start = reinterpret_cast<void*>(begin);
      search.found->dlfo_map_end = reinterpret_cast<void*>(begin + header.p_memsz);
    }
  }
  if (!contains || unwind_table == nullptr) {
    return 0;
  }
  search.found->dlfo_flags = 0;
  search.found->dlfo_link_map = nullptr;
  search.found->dlfo_eh_frame = unwind_table;
  return 1;
}

}  // namespace

extern "C" {

// std::random_device calls it.
std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    std::abort();
  }
  return number;
}

// The unwinder calls it, for exceptions.
int _dl_find_object(void* address, dl_find_object* found) noexcept {  // NOLINT(bugprone-reserved-identifier)
  Search search = {reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(LookAt, &search) == 1 ? 0 : -1;
}

}  // extern "C"
