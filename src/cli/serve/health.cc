// `prejoin health`: whether a server can write. For health checks of containers, which have no curl.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/new_verb.h"
#include "cli/usage_error.h"
#include "cli/verb.h"
#include "client/http_endpoint.h"

namespace prejoin::cli {
namespace {

struct HealthArguments {
  std::string endpoint = "http://127.0.0.1:8000";
};

ExitCode Health(const HealthArguments& arguments) {
  auto endpoint = client::HttpEndpoint::Parse(arguments.endpoint);
  if (!endpoint) {
    return CouldNotRun("health", endpoint.error());
  }
  const auto answer = endpoint->Get("/healthz");
  if (!answer) {
    std::fprintf(stderr, "prejoin health: %s\n", answer.error().message.c_str());
    return kAnswerIsNo;
  }
  std::fputs(answer->body.c_str(), answer->status == 200 ? stdout : stderr);
  return answer->status == 200 ? kFine : kAnswerIsNo;
}

}  // namespace

void AddHealth(CLI::App& program, ExitCode& exit_code) {
  const auto [verb, arguments] = NewVerb(
      program, exit_code, Health,
      {"health", "Ask a server whether it can write.",
       "Exit codes: 0 it can, 1 it cannot or does not answer, 2 could not run.\n\nExample:\n"
       "  prejoin health --endpoint http://127.0.0.1:8000\n"});
  verb->add_option("--endpoint", arguments->endpoint, "Endpoint of the server")
      ->capture_default_str();
}

}  // namespace prejoin::cli
