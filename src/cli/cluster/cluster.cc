// `prejoin cluster`: what there is of a cluster, whether it is sound, and how to sweep up after it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/cluster/cluster_node.h"
#include "cli/cluster/heartbeat.h"
#include "cli/cluster/rebalance.h"
#include "cli/verb.h"
#include "cluster/choose_heir.h"
#include "cluster/cluster_clock.h"
#include "cluster/layout.h"
#include "cluster/lease.h"
#include "cluster/load_module.h"

namespace prejoin::cli {
namespace {

using cluster::ObjectStatus;
using cluster::ObjectStore;

using cluster::kGoneAfterMs;

// Shows the content of the shared objects without changing anything.
struct ClusterFindings {
  cluster::LeaseState lease;
  std::map<std::string, cluster::FileEntry> files;
  std::set<std::string> chunks;
  std::vector<std::string> orphans;   // Chunks of no file.
  std::vector<std::string> problems;  // Missing bytes of files.
};

ExitCode CannotLook(const std::string& message) {
  std::fprintf(stderr, "prejoin cluster: %s\n", message.c_str());
  return kCouldNotRun;
}

Status CheckSharedFile(ObjectStore& objects, const std::string& name,
                       const cluster::FileEntry& entry, ClusterFindings& found) {
  if (!entry.bytes) {
    return {};  // Being written.
  }
  for (std::uint64_t at = 0; at < *entry.bytes; at += cluster::kChunkBytes) {
    const std::string object = cluster::ChunkObject(entry.inode, at / cluster::kChunkBytes);
    const std::uint64_t wanted = std::min(cluster::kChunkBytes, *entry.bytes - at);
    std::uint64_t bytes = 0;
    const ObjectStatus read = objects.Size(object, bytes);
    if (read.code == cluster::ObjectCode::kMissing || (read.ok() && bytes < wanted)) {
      found.problems.push_back(name + ": " + object + " has " + std::to_string(bytes) + " of " +
                               std::to_string(wanted) + " bytes");
    } else if (!read.ok()) {
      return Error{ErrorCode::kIo, object + ": " + read.what};
    }
  }
  return {};
}

Result<ClusterFindings> LookAtCluster(ObjectStore& objects) {
  ClusterFindings found;
  // Before the files: what is written meanwhile is then no orphan, because its file is seen.
  ObjectStatus read = objects.List([&](const std::string& name) {
    if (cluster::InodeOf(name)) {
      found.chunks.insert(name);
    }
  });
  if (!read.ok()) {
    return Error{ErrorCode::kIo, "cannot list the objects: " + read.what};
  }
  PJ_ASSIGN_OR_RETURN(const auto lease, cluster::ReadLease(objects));
  if (!lease) {
    return Error{ErrorCode::kValidation, "there is no cluster of that name in the pool"};
  }
  found.lease = *lease;
  ObjectStore::Map entries;
  read = objects.Entries(cluster::kDirectoryObject, entries);
  if (!read.ok()) {
    return Error{ErrorCode::kIo, "cannot read the directory: " + read.what};
  }
  std::set<std::uint64_t> inodes;
  for (const auto& [name, text] : entries) {
    const auto entry = cluster::ParseFileEntry(text);
    if (!entry) {
      found.problems.push_back(name + ": its entry in the directory is damaged");
      continue;
    }
    inodes.insert(entry->inode);
    found.files[name] = *entry;
    PJ_RETURN_IF_ERROR(CheckSharedFile(objects, name, *entry, found));
  }
  for (const std::string& chunk : found.chunks) {
    if (!inodes.contains(*cluster::InodeOf(chunk))) {
      found.orphans.push_back(chunk);
    }
  }
  return found;
}

ExitCode ShowClusterStatus(ObjectStore& objects) {
  const auto found = LookAtCluster(objects);
  if (!found) {
    return CannotLook(found.error().message);
  }
  const auto heartbeats = ReadHeartbeats(objects);
  if (!heartbeats) {
    return CannotLook(heartbeats.error().message);
  }
  const auto& leader = found->lease.leader;
  std::printf("leader   %s\n", leader ? leader->gateway.c_str() : "none");
  std::printf("epoch    %" PRIu64 "\n", found->lease.epoch);
  std::uint64_t bytes = 0;
  for (const auto& [name, entry] : found->files) {
    bytes += entry.bytes.value_or(0);
  }
  std::printf("files    %zu, %" PRIu64 " bytes, %zu objects, %zu of them orphans\n",
              found->files.size(), bytes, found->chunks.size(), found->orphans.size());
  const std::int64_t now = HeartbeatTimeMs(objects);
  for (const Heartbeat& heartbeat : *heartbeats) {
    // One of an earlier version goes by its machine's clock.
    const std::int64_t age = std::max<std::int64_t>(0, now - heartbeat.time_ms);
    std::printf("gateway  %s, %s, heard of %.1f s ago%s", heartbeat.gateway.c_str(),
                heartbeat.leads ? "leads" : "hands requests on", static_cast<double>(age) / 1000,
                age > kGoneAfterMs ? " (gone)" : "");
    if (heartbeat.load) {
      std::printf(", load %.2f a core", *heartbeat.load);
    }
    if (HasWrongClock(heartbeat)) {
      std::printf(", clock %s the cluster's: does not take the lead",
                  cluster::PrintClockDifference(*heartbeat.clock_ahead_ms).c_str());
    }
    std::printf("\n");
  }
  return kFine;
}

ExitCode CheckCluster(ObjectStore& objects) {
  const auto found = LookAtCluster(objects);
  if (!found) {
    return CannotLook(found.error().message);
  }
  for (const std::string& problem : found->problems) {
    std::printf("%s\n", problem.c_str());
  }
  std::printf("%zu files, %zu problems, %zu orphans\n", found->files.size(), found->problems.size(),
              found->orphans.size());
  return found->problems.empty() ? kFine : kAnswerIsNo;
}

// Only chunks of earlier epochs: a file of the leader's may have been made since the directory was
// read, but an inode of an earlier epoch can come to no file any more.
ExitCode SweepCluster(ObjectStore& objects) {
  const auto found = LookAtCluster(objects);
  if (!found) {
    return CannotLook(found.error().message);
  }
  std::size_t removed = 0;
  for (const std::string& orphan : found->orphans) {
    if (cluster::EpochOf(*cluster::InodeOf(orphan)) >= found->lease.epoch) {
      continue;
    }
    cluster::Change removal;
    removal.remove = true;
    const ObjectStatus done = objects.Apply(orphan, removal);
    if (!done.ok() && done.code != cluster::ObjectCode::kMissing) {
      return CannotLook(orphan + ": " + done.what);
    }
    ++removed;
  }
  const auto heartbeats = ReadHeartbeats(objects);
  if (!heartbeats) {
    return CannotLook(heartbeats.error().message);
  }
  std::size_t forgotten = 0;
  const std::int64_t now = HeartbeatTimeMs(objects);
  for (const Heartbeat& heartbeat : *heartbeats) {
    if (now - heartbeat.time_ms > kGoneAfterMs) {
      ForgetHeartbeat(objects, heartbeat.gateway);
      ++forgotten;
    }
  }
  std::printf("%zu of %zu orphans removed, %zu gateways forgotten\n", removed,
              found->orphans.size(), forgotten);
  if (!found->problems.empty()) {
    std::printf("%zu files lack bytes, which cannot be repaired: prejoin cluster check\n",
                found->problems.size());
    return kAnswerIsNo;
  }
  return kFine;
}

CLI::App* AddClusterPart(CLI::App& verb, const char* name, const char* help, ExitCode& exit_code,
                         std::function<ExitCode(ObjectStore&)> work) {
  CLI::App* part = verb.add_subcommand(name, help);
  auto arguments = std::make_shared<ClusterArguments>();
  AddClusterPlace(*part, *arguments);
  part->callback([arguments, work, &exit_code] {
    if (arguments->configuration.empty()) {
      exit_code = CannotLook("name the cluster with --rados CEPH_CONF");
      return;
    }
    const auto objects = cluster::OpenRados(ObjectsOf(*arguments));
    exit_code = objects ? work(**objects) : CannotLook(objects.error().message);
  });
  return part;
}

void AddRebalance(CLI::App& verb, ExitCode& exit_code) {
  const auto heir = std::make_shared<std::string>();
  CLI::App* part = AddClusterPart(
      verb, "rebalance",
      "Move the lead to another gateway: the one named, or the one on the least busy machine.",
      exit_code, [heir](ObjectStore& objects) { return MoveLead(objects, *heir); });
  part->add_option("--to", *heir, "Gateway, as `cluster status` names it. Default: the least busy")
      ->option_text("HOST:PORT");
  part->footer(
      "Ceph distributes the data. The leader processes all requests, so rebalancing moves the "
      "lead:\nthe leader closes the store and hands it over. Requests wait meanwhile; none is "
      "lost.\nWithout --to, the lead moves only to a machine whose load per core is lower by at "
      "least 0.5.\n");
}

}  // namespace

void AddCluster(CLI::App& program, ExitCode& exit_code) {
  CLI::App* verb = program.add_subcommand(
      "cluster", "Inspect and maintain a database that several gateways share (serve --rados).");
  verb->require_subcommand(1);
  verb->footer("Example:\n  prejoin cluster status --rados /etc/ceph/ceph.conf --pool prejoin");
  AddClusterPart(*verb, "status", "Show the leader, the gateways and the amount of data stored.",
                 exit_code, ShowClusterStatus);
  AddClusterPart(*verb, "check", "Verify that every byte of every file is present.", exit_code,
                 CheckCluster);
  AddRebalance(*verb, exit_code);
  AddClusterPart(*verb, "repair",
                 "Remove objects that belong to no file, and gateways that no longer exist.",
                 exit_code, SweepCluster);
}

}  // namespace prejoin::cli
