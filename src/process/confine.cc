#include "process/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

namespace prejoin::process {
namespace {

constexpr rlim_t kStackBytes = rlim_t{8} << 20;
constexpr std::size_t kThreadStackBytes = std::size_t{1} << 20;
constexpr rlim_t kOpenFilesMax = 16;
constexpr int kNice = 5;
constexpr std::size_t kWornBytes = std::size_t{96} << 20;

// A sanitizer maps terabytes, and looks at its own process through system calls that are refused here.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

std::size_t address_space_at_start = 0;

struct Pages {
  std::size_t total = 0;
  std::size_t resident = 0;
};

// Kept open, because the process cannot open it later.
int statm_fd = -1;

Pages PagesOfThisProcess() {
  char text[128];
  const ssize_t count = pread(statm_fd, text, sizeof text, 0);
  Pages pages;
  if (count <= 0) {
    return pages;
  }
  const char* const end = text + count;
  const auto [rest, error] = std::from_chars(text, end, pages.total);
  if (error == std::errc() && rest != end) {
    std::from_chars(rest + 1, end, pages.resident);
  }
  return pages;
}

std::size_t BytesOf(std::size_t pages) {
  return pages * static_cast<std::size_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
}

void SetLimit(__rlimit_resource resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) {
    return;
  }
  limit.rlim_cur = std::min(value, limit.rlim_max);
  setrlimit(resource, &limit);
}

// The database is worth more: when memory is short, the kernel ends the child.
void OfferToOomKiller() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  constexpr std::string_view kScore = "800";
  [[maybe_unused]] const ssize_t written = write(fd, kScore.data(), kScore.size());
  close(fd);
}

constexpr auto kRefusedCalls = std::to_array<int>({
    // Files.
    SYS_openat,
    SYS_openat2,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_truncate,
    SYS_mount,
    SYS_umount2,
    SYS_chroot,
    SYS_memfd_create,
    SYS_io_uring_setup,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
#ifdef SYS_open
    SYS_open,
    SYS_creat,
    SYS_unlink,
    SYS_rename,
    SYS_renameat,
    SYS_mkdir,
    SYS_rmdir,
    SYS_link,
    SYS_symlink,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
    // The network.
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    // Programs and other processes.
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_setpriority,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
});

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif
constexpr std::uint32_t kOtherAbi = 0x40000000;  // System calls of x86's x32.

sock_filter Statement(std::uint16_t code, std::uint32_t value) { return {code, 0, 0, value}; }
sock_filter Jump(std::uint16_t code, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
  return {code, yes, no, value};
}
sock_filter Refuse(int error) {
  return Statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
}
// The low half of an argument: flags and process ids have no other.
sock_filter LoadArgument(std::uint32_t number) {
  return Statement(BPF_LD | BPF_W | BPF_ABS,
                   static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + number * 8);
}

// Without it the child is still a process of its own with limits: a kernel that has no filters is no reason to fail.
void RefuseCalls() {
  if (kSanitized || kArchitecture == 0) {
    return;
  }
  const auto load_number = Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  std::vector<sock_filter> program = {
      Statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      Jump(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      Statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      load_number,
      Jump(BPF_JMP | BPF_JGE | BPF_K, kOtherAbi, 0, 1),
      Refuse(EPERM),
      // glibc then uses clone, whose flags can be looked at: a thread may start, a process may not.
      Jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      Refuse(ENOSYS),
      Jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      LoadArgument(0),
      Jump(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      Refuse(EPERM),
      load_number,
      // Limits of its own only.
      Jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4),
      LoadArgument(0),
      Jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      Refuse(EPERM),
      load_number,
  };
  for (const int call : kRefusedCalls) {
    program.push_back(Jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(Refuse(EPERM));
  }
  program.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

}  // namespace

bool Confine(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    return false;  // It ended before the line above.
  }
  // A Ctrl-C goes to every process of the terminal; the parent decides when its children end.
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  OfferToOomKiller();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0);  // The limit below does not hold where cores go to a program.
  SetLimit(RLIMIT_CORE, 0);
  SetLimit(RLIMIT_STACK, kStackBytes);
  SetLimit(RLIMIT_NOFILE, kOpenFilesMax);
  SetLimit(RLIMIT_FSIZE, 0);
  setpriority(PRIO_PROCESS, 0, kNice);
  // An arena for each thread would reserve 64 MB of the address space that is limited below.
  mallopt(M_ARENA_MAX, 1);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, kThreadStackBytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  statm_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  address_space_at_start = BytesOf(PagesOfThisProcess().total);
  RefuseCalls();
  return true;
}

void LimitTask(std::size_t memory_bytes, std::chrono::seconds processor_time) {
  if (!kSanitized && address_space_at_start > 0) {
    SetLimit(RLIMIT_AS, static_cast<rlim_t>(address_space_at_start + memory_bytes));
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = used.ru_utime.tv_sec + used.ru_stime.tv_sec + processor_time.count() + 1;
  SetLimit(RLIMIT_CPU, static_cast<rlim_t>(seconds));
}

bool IsWorn() {
  malloc_trim(0);
  return BytesOf(PagesOfThisProcess().resident) > kWornBytes;
}

}  // namespace prejoin::process
