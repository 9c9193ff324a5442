#include "process/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "process/serve_tasks.h"

namespace prejoin::process {
namespace {

// Time for a process that has closed its socket to end by itself, so that its exit code can be read.
constexpr int kEndMs = 1000;
constexpr std::size_t kWordsMax = 1000;

class OwnedFd {
 public:
  explicit OwnedFd(int fd) : fd_(fd) {}
  ~OwnedFd() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

Error CannotStart(int error) {
  return Error{ErrorCode::kUnavailable,
               "no process could be started: " + std::string(strerrordesc_np(error))};
}

// A copy above the descriptors that a child has, or the thing itself if there is none to be had: a server that was started
// without standard input would else give the child its socket in that place.
int AboveChildDescriptors(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, kParentSocket + 1);
  if (copy < 0) {
    return fd;
  }
  close(fd);
  return copy;
}

// The variables that a program needs to start at all. The rest, credentials among it, stays here.
std::vector<std::string> Environment() {
  std::vector<std::string> all;
  for (const char* name :
       {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) {
      all.push_back(std::string(name) + "=" + value);
    }
  }
  return all;
}

// The link stays right when the file is replaced by another version. Without /proc, as in an empty root, the path that this process was started by.
std::string ThisProgram() {
  constexpr const char* kLink = "/proc/self/exe";
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return access(kLink, X_OK) == 0 || started == nullptr ? kLink : started;
}

// posix_spawn shares the memory of this process with the child until exec: a fork would copy the page tables of a
// database of gigabytes.
int Spawn(const WorkerCommand& command, int socket, int words, pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (const int error = posix_spawn_file_actions_init(&files); error != 0) {
    return error;
  }
  if (const int error = posix_spawnattr_init(&attributes); error != 0) {
    posix_spawn_file_actions_destroy(&files);
    return error;
  }
  // Occupies standard input with a write-only descriptor, so that a read fails: an empty root has no /dev/null.
  posix_spawn_file_actions_adddup2(&files, words, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, words, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, words, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, socket, kParentSocket);
  posix_spawn_file_actions_addclosefrom_np(&files, kParentSocket + 1);
  // The server blocks the signals that stop it in all its threads.
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> texts = {"prejoin"};
  texts.insert(texts.end(), command.arguments.begin(), command.arguments.end());
  texts.push_back(std::to_string(getpid()));
  std::vector<char*> arguments;
  for (std::string& text : texts) {
    arguments.push_back(text.data());
  }
  arguments.push_back(nullptr);
  std::vector<std::string> settings = Environment();
  std::vector<char*> environment;
  for (std::string& one : settings) {
    environment.push_back(one.data());
  }
  environment.push_back(nullptr);
  const std::string program = command.executable.empty() ? ThisProgram() : command.executable;
  const int error = posix_spawn(&pid, program.c_str(), &files, &attributes,
                                arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(const WorkerCommand& command) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) != 0) {
    return CannotStart(errno);
  }
  OwnedFd ours(sockets[0]);
  const OwnedFd theirs(AboveChildDescriptors(sockets[1]));
  int words[2];
  // Neither end blocks: a child that says more than a pipe holds loses it.
  if (pipe2(words, O_CLOEXEC | O_NONBLOCK) != 0) {
    return CannotStart(errno);
  }
  OwnedFd listening(words[0]);
  const OwnedFd speaking(AboveChildDescriptors(words[1]));
  pid_t pid = 0;
  if (const int error = Spawn(command, theirs.get(), speaking.get(), pid); error != 0) {
    return CannotStart(error);
  }
  std::unique_ptr<WorkerProcess> process(
      new WorkerProcess(pid, ours.Release(), listening.Release()));
  process->channel_.Queue({.kind = FrameKind::kSettings, .body = command.settings});
  return process;
}

WorkerProcess::~WorkerProcess() {
  End(/*by_itself=*/false);
  close(words_);
}

std::chrono::nanoseconds WorkerProcess::ProcessorTime() const {
  clockid_t clock = 0;
  timespec time{};
  if (pid_ == 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return {};
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string WorkerProcess::LastWords() const {
  char text[kWordsMax];
  const ssize_t count = read(words_, text, sizeof text);
  std::string words(text, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  while (words.ends_with('\n')) {
    words.pop_back();
  }
  return words;
}

// True if it ends by itself within the time that a dying process needs.
bool WorkerProcess::EndsByItself() const {
  const OwnedFd handle(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd watched{.fd = handle.get(), .events = POLLIN, .revents = 0};
  return handle.get() >= 0 && poll(&watched, 1, kEndMs) > 0;
}

std::string WorkerProcess::End(bool by_itself) {
  if (pid_ == 0) {
    return {};
  }
  const bool ended = by_itself && EndsByItself();
  // The id is this process's until waitid takes it, so the signal cannot reach a stranger.
  if (!ended) {
    kill(pid_, SIGKILL);
  }
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  pid_ = 0;
  if (!ended) {
    return {};
  }
  std::string how = "exit code " + std::to_string(info.si_status);
  if (info.si_code != CLD_EXITED) {
    const char* const name = sigdescr_np(info.si_status);
    how = "signal " + std::to_string(info.si_status);
    if (name != nullptr) {
      how += " (" + std::string(name) + ")";
    }
  }
  const std::string words = LastWords();
  return words.empty() ? how : how + ": " + words;
}

}  // namespace prejoin::process
