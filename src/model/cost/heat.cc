// How hot the hottest key of each view gets, at the peak. Requests spread over the partition keys as the file
// says (evenly, by Zipf's law, with a stated hottest value); of a growing date, today's value takes all.
#include <algorithm>
#include <map>
#include <set>

#include "model/cost/cost.h"
#include "model/plan/expectation.h"

namespace prejoin::model {
namespace {

constexpr double kPartitionReadUnits = 3000;
constexpr double kPartitionWriteUnits = 1000;
constexpr int kReferenceHopsMax = 8;

// The meaning of a part of a key template, whatever the attribute is called here: the id of a student
// is one thing in the student's key and in an enrolment's.
std::string MeaningOf(const Model& model, const std::string& entity, const TemplatePart& part) {
  if (part.is_literal()) return part.literal;
  const Entity* owner = model.FindEntity(entity);
  std::string attribute = part.attribute;
  for (int hop = 0; hop < kReferenceHopsMax && owner != nullptr; ++hop) {
    const Attribute* found = owner->Find(attribute);
    if (found == nullptr || !found->references) break;
    attribute = found->references->attribute.text;
    owner = model.FindEntity(found->references->entity.text);
  }
  return "{" + (owner != nullptr ? owner->name.text : entity) + "." + attribute + " " +
         std::to_string(static_cast<int>(part.transform)) + "}";
}

struct KeyPlace {
  std::string view;
  std::string key;
  std::string meaning;  // Equal for templates whose values share partitions.
  SourceSpan at;
  double share = 0;
};

KeyPlace PlaceOf(Expectations& figures, const std::string& entity, const View& view) {
  const Model& model = figures.model();
  KeyPlace place;
  place.view = view.Label();
  const ItemLayout& layout = *model.FindPlacement(entity).layout;
  std::set<std::string> attributes;
  double shards = 1;
  for (const Name& name : view.PartitionKeys()) {
    const StoredAttribute& stored = *layout.Find(name.text);
    place.key += (place.key.empty() ? "" : " + ") + stored.key.ToString();
    place.at = stored.key.at;
    for (const TemplatePart& part : stored.key.parts) {
      place.meaning += MeaningOf(model, entity, part);
      if (part.is_literal()) continue;
      if (part.transform == TemplateTransform::kShard) {
        shards *= part.argument;
      } else {
        attributes.insert(part.attribute);
      }
    }
  }
  place.share = figures.HottestShare(entity, attributes) / shards;
  return place;
}

class HeatMap {
 public:
  HeatMap(Expectations& figures, double scale)
      : figures_(figures), model_(figures.model()), scale_(scale) {}

  void AddRead(const Plan& plan) {
    if (!plan.served || plan.estimate.requests <= 0) return;
    for (const Request& request : plan.requests) {
      if (request.kind == RequestKind::kScan) continue;  // It goes through all keys.
      const std::string& entity = plan.sections[request.sections[0]].item_entity;
      const double units = plan.estimate.read_units / static_cast<double>(plan.requests.size());
      Add(entity, request.view, units * figures_.PeakOf(*plan.pattern), 0);
    }
  }

  void AddWrite(const Write& write) {
    for (const WriteStep& step : write.steps) {
      const Model::Placement placement = model_.FindPlacement(step.entity.text);
      if (!placement) continue;
      const WriteCost cost = EstimateStep(figures_, step, write.together);
      for (const auto& [view, units] : cost.units) {
        if (!view.empty() && placement.table->FindIndex(view) == nullptr) continue;
        const Index* index = view.empty() ? nullptr : placement.table->FindIndex(view);
        Add(step.entity.text, View{placement.table, index}, 0, units * figures_.PeakOf(write));
      }
    }
  }

  std::vector<Heat> Finish() {
    std::vector<Heat> all;
    for (auto& [key, heat] : heat_) {
      heat.utilisation = std::max(heat.read_units_per_second / kPartitionReadUnits,
                                  heat.write_units_per_second / kPartitionWriteUnits);
      all.push_back(std::move(heat));
    }
    std::sort(all.begin(), all.end(),
              [](const Heat& a, const Heat& b) { return a.utilisation > b.utilisation; });
    return all;
  }

 private:
  void Add(const std::string& entity, const View& view, double reads, double writes) {
    const auto [found, added] = places_.try_emplace({entity, view.Label()});
    if (added) found->second = PlaceOf(figures_, entity, view);
    const KeyPlace& place = found->second;
    Heat& heat = heat_[place.view + " " + place.meaning];
    if (heat.view.empty()) {
      heat.view = place.view;
      heat.key = place.key;
      heat.at = place.at;
    }
    heat.share = std::max(heat.share, place.share);
    heat.read_units_per_second += reads * scale_ * place.share;
    heat.write_units_per_second += writes * scale_ * place.share;
  }

  Expectations& figures_;
  const Model& model_;
  const double scale_;
  std::map<std::string, Heat> heat_;
  std::map<std::pair<std::string, std::string>, KeyPlace> places_;  // By entity and view.
};

}  // namespace

std::vector<Heat> EstimateHeat(Expectations& figures, const std::vector<Plan>& plans,
                               double scale) {
  HeatMap heat(figures, scale);
  for (const Plan& plan : plans) heat.AddRead(plan);
  for (const Write& write : figures.model().writes) heat.AddWrite(write);
  return heat.Finish();
}

std::vector<Heat> EstimateHeat(const Model& model, const std::vector<Plan>& plans, double scale) {
  Expectations figures(model);
  return EstimateHeat(figures, plans, scale);
}

}  // namespace prejoin::model
