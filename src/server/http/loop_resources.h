// The things that all connections of one loop share.
#ifndef PREJOIN_SERVER_HTTP_LOOP_RESOURCES_H_
#define PREJOIN_SERVER_HTTP_LOOP_RESOURCES_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "server/handler.h"
#include "server/http/gzip.h"
#include "server/http/memory_budget.h"
#include "server/http/request_parser.h"
#include "server/http/response_head.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/worker_pool.h"

namespace prejoin::server {

// Single thread, except for the objects that the references point to.
struct LoopResources {
  LoopResources(const ServerOptions& server_options, Handler& request_handler,
                Metrics& server_metrics, MemoryBudget& memory_budget, WorkerPool& worker_pool,
                WaitingLanes& waiting_lanes, Log& event_log, int epoll, std::uint64_t seed)
      : options(server_options),
        handler(request_handler),
        all_metrics(server_metrics),
        metrics(server_metrics.AddThread()),
        budget(memory_budget),
        workers(worker_pool),
        lanes(waiting_lanes),
        log(event_log),
        epoll_fd(epoll),
        response_head(seed),
        read_buffer(std::make_unique_for_overwrite<char[]>(kReadBytes)) {}

  static constexpr std::size_t kReadBytes = 64 * 1024;
  static constexpr std::size_t kFieldsMax = 100;

  const ServerOptions& options;
  Handler& handler;
  const Metrics& all_metrics;
  ThreadMetrics& metrics;
  MemoryBudget& budget;
  WorkerPool& workers;
  WaitingLanes& lanes;
  Log& log;
  const int epoll_fd;

  // When the loop last woke up: good enough for deadlines.
  std::chrono::steady_clock::time_point now;
  bool draining = false;

  // Scratch, free between two calls on connections.
  ResponseHead response_head;
  Deflater deflater;
  std::string head;
  std::optional<RequestParser> parser;
  std::array<HeaderField, kFieldsMax> fields;
  std::unique_ptr<char[]> read_buffer;
};

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_LOOP_RESOURCES_H_
