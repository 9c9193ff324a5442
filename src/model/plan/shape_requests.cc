#include "model/plan/shape_requests.h"

#include <algorithm>
#include <set>
#include <string>

#include "model/plan/between_keys.h"

namespace prejoin::model {
namespace {

class Shaper {
 public:
  Shaper(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan)
      : figures_(figures), model_(figures.model()), accesses_(accesses), plan_(plan) {}

  void Run() {
    for (Request& request : plan_.requests) {
      DropNeedlessRanges(request);
      SetLimit(request);
    }
  }

 private:
  // True if a section wants all of its entity that a partition holds.
  bool WantsAllOfItsEntity(std::size_t i) const {
    if (accesses_[i]->exact) {
      return true;
    }
    const SortRange& range = accesses_[i]->request.ranges[0];
    if (range.kind == RangeKind::kAll) {
      return true;
    }
    return range.kind == RangeKind::kBeginsWith && range.equal.empty() &&
           std::all_of(range.low.parts.begin(), range.low.parts.end(),
                       [](const BoundPart& bound) { return bound.part.is_literal(); });
  }

  bool CanHold(const Request& request, const ItemLayout& layout) const {
    return AppearsIn(model_, layout.entity, request.view) &&
           KeysInPartition(layout, request, {}, {}).fits();
  }

  // When the sections together want everything that the partition can hold, the Query needs no sort
  // condition.
  void DropNeedlessRanges(Request& request) const {
    if (request.kind != RequestKind::kQuery || request.sections.size() < 2) {
      return;
    }
    std::set<std::string> wanted;
    for (const std::size_t i : request.sections) {
      if (!WantsAllOfItsEntity(i)) {
        return;
      }
      // One row of an entity is all of it only when the partition has no more.
      if (accesses_[i]->exact &&
          figures_.Rows(accesses_[i]->plan.item_entity, accesses_[i]->partition_bound) > 1) {
        return;
      }
      wanted.insert(accesses_[i]->plan.item_entity.text);
    }
    for (const ItemLayout& layout : request.view.table->items) {
      if (!wanted.contains(layout.entity.text) && CanHold(request, layout)) {
        return;
      }
    }
    for (SortRange& range : request.ranges) {
      range = SortRange{};
    }
  }

  // A Limit is set when every section of the request stops early: it has a limit that its keys
  // serve, or one row.
  void SetLimit(Request& request) const {
    if (request.kind != RequestKind::kQuery) {
      return;
    }
    int total = 0;
    bool limited = false;
    for (const std::size_t i : request.sections) {
      const Section& section = plan_.pattern->sections[i];
      if (section.limit && section.via.text.empty() && !plan_.sections[i].client_sort) {
        total += *section.limit;
        limited = true;
      } else if (accesses_[i]->exact) {
        total += 1;
      } else {
        return;
      }
    }
    if (limited) {
      request.limit = total;
    }
  }

  Expectations& figures_;
  const Model& model_;
  const std::vector<const Access*>& accesses_;
  Plan& plan_;
};

}  // namespace

void ShapeRequests(Expectations& figures, const std::vector<const Access*>& accesses, Plan& plan) {
  Shaper(figures, accesses, plan).Run();
}

}  // namespace prejoin::model
