// Makes the test program its own worker: started with "worker PARENT", it serves tasks that do what their name says, and never
// comes to the tests.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/check.h"
#include "process/serve_tasks.h"

namespace prejoin::process {
namespace {

volatile int sink = 0;

int Recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? frame[0] : Recurse(depth - 1) + frame[0];
}

Answer DoTask(const std::string& settings, const std::string& route, const std::string& body,
              const Call& call) {
  if (route == "echo") {
    return {200, settings + body};
  }
  if (route == "pid") {
    return {200, std::to_string(getpid())};
  }
  if (route == "segfault") {
    raise(SIGSEGV);
  }
  if (route == "check") {
    PJ_CHECK(body == "never");
  }
  if (route == "exit") {
    _exit(7);
  }
  if (route == "throw") {
    throw std::runtime_error("thrown: " + body);
  }
  if (route == "throw number") {
    throw 5;
  }
  if (route == "loop") {
    while (true) {
      sink = sink + 1;
    }
  }
  if (route == "pause") {
    while (true) {
      pause();
    }
  }
  if (route == "recurse") {
    return {200, std::to_string(Recurse(100'000'000))};
  }
  if (route == "allocate") {
    std::vector<std::string> all;
    while (true) {
      all.emplace_back(1 << 20, 'x');
    }
  }
  if (route == "large answer") {
    return {200, std::string(std::stoul(body), 'x')};
  }
  if (route == "call") {
    const Answer answer = call("Query", body);
    return {answer.status, "called: " + answer.body};
  }
  if (route == "socket") {
    return {200, socket(AF_INET, SOCK_STREAM, 0) < 0 && socket(AF_UNIX, SOCK_STREAM, 0) < 0
                     ? "refused"
                     : "open"};
  }
  if (route == "file") {
    return {200, std::ifstream("/etc/passwd").good() ? "open" : "refused"};
  }
  if (route == "program") {
    return {200, std::system("true") == 0 ? "started" : "refused"};
  }
  if (route == "signal parent") {
    return {200, kill(getppid(), 0) == 0 ? "sent" : "refused"};
  }
  if (route == "thread") {
    std::string text;
    std::thread([&] { text = "ran"; }).join();
    return {200, text};
  }
  return {404, route};
}

__attribute__((constructor)) void ServeIfAsked(int argc, char** argv, char**) {
  if (argc != 3 || std::string_view(argv[1]) != "worker") {
    return;
  }
  const pid_t parent = std::atoi(argv[2]);
  _exit(ServeTasks(parent, [](const std::string& settings) -> Handle {
    return [settings](const std::string& route, const std::string& body, const Call& call) {
      return DoTask(settings, route, body, call);
    };
  }));
}

}  // namespace
}  // namespace prejoin::process
