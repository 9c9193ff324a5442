// Both writers take their parameters, and whatever they compute from a read, before either of them writes: the worst moment. Then their
// requests run in every order. A transaction, and a request that reads and writes under the condition that what it read still holds, is
// one point in time, so only requests are interleaved.
//
// The writers meet twice: on the same rows with different values (one seat for two guests), and on different new rows under the same
// parents (two likes of one photo).
#include "model/prove/trial/interleave.h"

#include <algorithm>
#include <set>

#include "model/prove/trial/write_trial.h"

namespace prejoin::model {
namespace {

// The entities whose items a write may touch: its own, and those that hold copies, totals or lists of them.
std::set<std::string> Touched(const Model& model, const Write& write) {
  std::set<std::string> entities;
  for (const WriteStep& step : write.steps) {
    entities.insert(step.entity.text);
    for (const Name& child : step.cascade) {
      entities.insert(child.text);
    }
  }
  const std::set<std::string> own = entities;
  for (const Table& table : model.tables) {
    for (const ItemLayout& layout : table.items) {
      for (const StoredAttribute& stored : layout.attributes) {
        if (own.contains(stored.copy.entity.text) || own.contains(stored.embedded.text)) {
          entities.insert(model.RowsOf(layout.entity.text));
        }
      }
    }
  }
  return entities;
}

using Schedule = std::vector<std::size_t>;  // 0 or 1: whose request is next.

void AllSchedules(std::size_t first, std::size_t second, Schedule& so_far,
                  std::vector<Schedule>& all) {
  if (all.size() >= kSchedulesMax) {
    return;
  }
  if (first == 0 && second == 0) {
    all.push_back(so_far);
    return;
  }
  for (const std::size_t who : {0u, 1u}) {
    if ((who == 0 ? first : second) == 0) {
      continue;
    }
    so_far.push_back(who);
    AllSchedules(first - (who == 0 ? 1 : 0), second - (who == 1 ? 1 : 0), so_far, all);
    so_far.pop_back();
  }
}

class PairTryer {
 public:
  PairTryer(const Model& model, const Dataset& data, ProofReport& report)
      : model_(model), data_(data), report_(report) {}

  // Empty, or what goes wrong.
  std::string Run(const Write& first, const Write& second) {
    const Write* const writes[] = {&first, &second};
    std::vector<Schedule> schedules;
    Schedule none;
    AllSchedules(RequestsOf(model_, first).size(), RequestsOf(model_, second).size(), none,
                 schedules);
    if (schedules.size() >= kSchedulesMax) {
      ++report_.schedules_cut;
    }
    ++report_.schedule_pairs;
    for (const bool apart : {false, true}) {
      BoundWrite one = BindWrite(model_, first, data_);
      BoundWrite other = BindWrite(model_, second, data_, {1, false, apart ? &one : nullptr});
      if (!one.impossible.empty() || !other.impossible.empty()) {
        return {};
      }
      const WriteTrial start(model_, RowsNear(model_, data_, {&one, &other}));
      start.Compute(one);
      start.Compute(other);
      for (const Schedule& schedule : schedules) {
        ++report_.schedules;
        std::string problem = Try(start, schedule, {&one, &other}, writes);
        if (!problem.empty()) {
          return problem;
        }
      }
    }
    return {};
  }

 private:
  std::string Try(const WriteTrial& start, const Schedule& schedule,
                  const std::vector<const BoundWrite*>& bound, const Write* const* writes) const {
    WriteTrial trial = start;
    std::size_t next[] = {0, 0};
    bool stopped[] = {false, false};
    std::string text;
    for (const std::size_t who : schedule) {
      const std::vector<WriteRequest> requests = RequestsOf(model_, *writes[who]);
      if (stopped[who]) {
        continue;
      }
      const WriteRequest& request = requests[next[who]++];
      stopped[who] = trial.Send(*bound[who], request) == WriteTrial::Outcome::kRefused;
      text += std::string(text.empty() ? "" : "; ") + (who == 0 ? "A " : "B ") +
              RequestText(*writes[who], request) + (stopped[who] ? " (refused)" : "");
    }
    std::vector<std::string> wrong = trial.faults();
    for (std::string& difference : trial.Differences()) {
      wrong.push_back(std::move(difference));
    }
    if (wrong.empty()) {
      return {};
    }
    return "two writers, A " + writes[0]->name.text + " and B " + writes[1]->name.text +
           ": both read; " + text + ". In the end " + wrong[0];
  }

  const Model& model_;
  const Dataset& data_;
  ProofReport& report_;
};

bool Meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& one) { return b.contains(one); });
}

}  // namespace

Status TryInterleavings(const Model& model, const Dataset& data,
                        const std::function<bool()>& give_up, ProofReport& report) {
  std::vector<std::set<std::string>> touched;
  for (const Write& write : model.writes) {
    touched.push_back(Touched(model, write));
  }
  PairTryer tryer(model, data, report);
  for (std::size_t i = 0; i < model.writes.size(); ++i) {
    for (std::size_t j = i; j < model.writes.size(); ++j) {
      WriteProof& proof = report.writes[i];
      if (!proof.problems.empty() || !report.writes[j].problems.empty() ||
          !Meet(touched[i], touched[j])) {
        continue;
      }
      if (give_up && give_up()) {
        return Error{ErrorCode::kUnavailable, "the proof was cancelled"};
      }
      if (std::string problem = tryer.Run(model.writes[i], model.writes[j]); !problem.empty()) {
        proof.problems.push_back(std::move(problem));
        proof.right = false;
        report.all_right = false;
      }
    }
  }
  return {};
}

}  // namespace prejoin::model
