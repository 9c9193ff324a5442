// How hot the hottest key of each view gets, at the peak. Requests spread over the partition keys as the file
// says (evenly, by Zipf's law, with a stated hottest value); of a growing date, today's value takes all.
#include "model/cost/heat.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/cost/write_cost.h"

namespace prejoin::model {
namespace {

constexpr double kPartitionReadUnits = 3000;
constexpr double kPartitionWriteUnits = 1000;
constexpr int kReferenceHopsMax = 8;

// The meaning of a part of a key template, whatever the attribute is called here: the id of a student
// is one thing in the student's key and in an enrolment's.
std::string MeaningOf(const Model& model, const Entity& entity, const TemplatePart& part) {
  if (part.is_literal()) {
    return part.literal;
  }
  const Entity* owner = &entity;
  std::string attribute = part.attribute;
  for (int hop = 0; hop < kReferenceHopsMax; ++hop) {
    const Attribute* found = owner->Find(attribute);
    if (found == nullptr || !found->references) {
      break;
    }
    attribute = found->references->attribute.text;
    owner = &model.At(found->references->entity);
  }
  return "{" + model.RowsOf(*owner).name.text + "." + attribute + " " +
         std::to_string(static_cast<int>(part.transform)) + part.derivation.text + "}";
}

struct KeyPlace {
  std::string view;
  std::string key;
  std::string meaning;  // Equal for templates whose values share partitions.
  SourceSpan at;
  double share = 0;
};

KeyPlace PlaceOf(Expectations& figures, const Reference<Entity>& entity, const View& view) {
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
      place.meaning += MeaningOf(model, model.At(entity), part);
      if (part.is_literal()) {
        continue;
      }
      if (part.transform == TemplateTransform::kShard) {
        shards *= part.argument;
      } else {
        attributes.insert(part.label());
      }
    }
  }
  place.share = figures.HottestShare(entity, attributes) / shards;
  return place;
}

// Knows the keys it has met: a model asks for the same ones again and again.
class HeatFinder {
 public:
  explicit HeatFinder(Expectations& figures) : figures_(figures), model_(figures.model()) {}

  std::vector<HeatPart> OfPlan(const Plan& plan) {
    std::vector<HeatPart> parts;
    if (!plan.served || plan.estimate.requests <= 0) {
      return parts;
    }
    for (const Request& request : plan.requests) {
      if (request.kind == RequestKind::kScan) {
        continue;  // It goes through all keys.
      }
      const Reference<Entity>& entity = plan.sections[request.sections[0]].item_entity;
      const double units = plan.estimate.hottest_units / static_cast<double>(plan.requests.size());
      HeatPart part = PartOf(entity, request.view);
      part.heat.read_units_per_second = units * figures_.PeakOf(*plan.pattern) * part.heat.share;
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::vector<HeatPart> OfWrite(const Write& write) {
    std::vector<HeatPart> parts;
    for (const WriteStep& step : write.steps) {
      if (!model_.FindPlacement(step.entity)) {
        continue;
      }
      const WriteCost cost = EstimateStep(figures_, write, step);
      for (const LayoutCost& layout : cost.layouts) {
        const Table* table = model_.FindPlacement(layout.layout).table;
        for (const auto& [view, units] : layout.units) {
          const Index* index = view.empty() ? nullptr : table->FindIndex(view);
          HeatPart part = PartOf(layout.layout, View{table, index});
          part.heat.write_units_per_second = units * figures_.PeakOf(write) * part.heat.share;
          parts.push_back(std::move(part));
        }
      }
    }
    return parts;
  }

 private:
  HeatPart PartOf(const Reference<Entity>& entity, const View& view) {
    const auto [found, added] = places_.try_emplace({entity.text, view.Label()});
    if (added) {
      found->second = PlaceOf(figures_, entity, view);
    }
    const KeyPlace& place = found->second;
    return {place.view + " " + place.meaning,
            {place.view, place.key, place.at, 0, 0, place.share, 0}};
  }

  Expectations& figures_;
  const Model& model_;
  std::map<std::pair<std::string, std::string>, KeyPlace> places_;  // Keyed by entity and view.
};

}  // namespace

double Utilisation(const Heat& heat) {
  return std::max(heat.read_units_per_second / kPartitionReadUnits,
                  heat.write_units_per_second / kPartitionWriteUnits);
}

std::vector<HeatPart> HeatOfPlan(Expectations& figures, const Plan& plan) {
  return HeatFinder(figures).OfPlan(plan);
}

std::vector<HeatPart> HeatOfWrite(Expectations& figures, const Write& write) {
  return HeatFinder(figures).OfWrite(write);
}

std::vector<Heat> EstimateHeat(Expectations& figures, const std::vector<Plan>& plans) {
  HeatFinder finder(figures);
  std::map<std::string, Heat> by_place;
  const auto add = [&](const std::vector<HeatPart>& parts) {
    for (const HeatPart& part : parts) {
      Heat empty = part.heat;
      empty.read_units_per_second = 0;
      empty.write_units_per_second = 0;
      Heat& heat = by_place.try_emplace(part.place, std::move(empty)).first->second;
      heat.share = std::max(heat.share, part.heat.share);
      heat.read_units_per_second += part.heat.read_units_per_second;
      heat.write_units_per_second += part.heat.write_units_per_second;
    }
  };
  for (const Plan& plan : plans) {
    add(finder.OfPlan(plan));
  }
  for (const Write& write : figures.model().writes) {
    add(finder.OfWrite(write));
  }
  std::vector<Heat> all;
  for (auto& [place, heat] : by_place) {
    heat.utilisation = Utilisation(heat);
    all.push_back(std::move(heat));
  }
  std::sort(all.begin(), all.end(),
            [](const Heat& a, const Heat& b) { return a.utilisation > b.utilisation; });
  return all;
}

std::vector<Heat> EstimateHeat(const Model& model, const std::vector<Plan>& plans) {
  Expectations figures(model);
  return EstimateHeat(figures, plans);
}

}  // namespace prejoin::model
