#include "design/stability.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/syntax/figure_text.h"

namespace prejoin::design {
namespace {

using model::Model;

constexpr double kFarthest = 10;
constexpr int kHalvings = 4;
constexpr double kProcessorSecondsMax =
    3;  // Not of the clock: a busy machine gives the same answer.
constexpr double kShareThatMatters = 0.01;

// An assumed figure: in words, and how to state it otherwise.
struct AssumedFigure {
  std::string what;
  std::function<void(Model& model, double factor)> state;
};

template <class List>
void AddRates(const List& list, const char* kind, const char* verb,
              std::vector<AssumedFigure>& figures, List model::ParsedModel::*member) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].rate_per_second > 0) {
      continue;
    }
    figures.push_back(
        {std::string(kind) + " " + list[i].name.text + " " + verb + " once per second (`rate 1/s`)",
         [member, i](Model& model, double factor) {
           (model.*member)[i].rate_per_second = factor;
         }});
  }
}

model::Entity* EntityNamed(Model& model, const std::string& name) {
  const auto found = std::ranges::find_if(
      model.entities, [&](const model::Entity& entity) { return entity.name.text == name; });
  return found != model.entities.end() ? &*found : nullptr;
}

// "count Order" and "distinct Order.status"; other figures cannot be stated by a number alone.
void AddFigure(const model::Assumption& assumption, std::vector<AssumedFigure>& figures) {
  const std::string what = assumption.what + " (`" + assumption.line + "`)";
  const double value = assumption.value;
  const auto named = [&](std::string_view kind) {
    return assumption.id.starts_with(kind) ? assumption.id.substr(kind.size()) : std::string();
  };
  if (const std::string name = named("count "); !name.empty()) {
    figures.push_back({what, [name, value](Model& model, double factor) {
                         if (model::Entity* entity = EntityNamed(model, name)) {
                           entity->count = value * factor;
                           entity->count_given = true;
                         }
                       }});
  }
  if (const std::string path = named("distinct "); !path.empty()) {
    figures.push_back({what, [path, value](Model& model, double factor) {
                         const std::size_t dot = path.find('.');
                         model::Entity* entity = EntityNamed(model, path.substr(0, dot));
                         if (entity == nullptr) {
                           return;
                         }
                         for (model::Attribute& attribute : entity->attributes) {
                           if (attribute.name.text == path.substr(dot + 1)) {
                             attribute.distinct = std::max(1.0, value * factor);
                           }
                         }
                       }});
  }
}

// That this thread has used.
double ProcessorSeconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

class StabilitySearch {
 public:
  StabilitySearch(const DesignTask& task, const DesignOptions& options, const DesignChoice& choice)
      : task_(task), options_(options), choice_(choice) {
    const double end = ProcessorSeconds() + kProcessorSecondsMax;
    options_.prove = false;
    const auto asked = options.stop;
    options_.stop = [this, asked, end] {
      late_ = late_ || ProcessorSeconds() > end || (asked && asked());
      return late_;
    };
  }

  std::string Describe(const AssumedFigure& figure) {
    const double up = Reach(figure, kFarthest);
    const double down = late_ ? 1 : Reach(figure, 1 / kFarthest);
    if (late_) {
      return "; the time limit ended before its effect was computed";
    }
    if (up >= kFarthest && down <= 1 / kFarthest) {
      return "; the answer is the same from a tenth of it to ten times as much";
    }
    if (Rounded(down) >= Rounded(up)) {
      return "; another value changes the answer, so it should be stated";
    }
    return "; the answer is the same from " + model::FigureText(Rounded(down)) + " to " +
           model::FigureText(Rounded(up)) + " times as much" +
           (down <= 1 / kFarthest || up >= kFarthest ? " (tried from a tenth to ten times)" : "");
  }

 private:
  static double Rounded(double factor) { return std::round(factor * 100) / 100; }

  // The factor nearest to `farthest` for which no other design is notably cheaper, to within halvings.
  double Reach(const AssumedFigure& figure, double farthest) {
    if (Same(figure, farthest)) {
      return farthest;
    }
    double good = 1;
    double bad = farthest;
    for (int i = 0; i < kHalvings && !late_; ++i) {
      const double middle = std::sqrt(good * bad);
      (Same(figure, middle) ? good : bad) = middle;
    }
    return good;
  }

  bool Same(const AssumedFigure& figure, double factor) {
    if (options_.stop()) {
      return false;
    }
    model::ReadModelResult read = task_.read;
    figure.state(read.model, factor);
    DesignTask task{task_.source,   read,       task_.assemble,
                    task_.left_out, task_.note, std::chrono::steady_clock::now(),
                    task_.tenant};
    Designer designer(std::move(task), options_);
    if (!designer.Prepare()) {
      return false;
    }
    const double least = designer.found_money();
    return designer.MoneyOf(choice_) <= least + TieOf(options_, least) + 0.005;
  }

  const DesignTask& task_;
  DesignOptions options_;
  const DesignChoice& choice_;
  bool late_ = false;
};

}  // namespace

std::vector<std::string> DescribeAssumptions(const DesignTask& task, const DesignOptions& options,
                                             const DesignChoice& choice,
                                             const std::vector<model::AssumptionEffect>& effects,
                                             double money) {
  std::vector<AssumedFigure> figures;
  const Model& model = task.read.model;
  AddRates(model.patterns, "pattern", "is asked", figures, &Model::patterns);
  AddRates(model.writes, "write", "comes", figures, &Model::writes);
  for (const model::AssumptionEffect& effect : effects) {
    const double moved =
        std::max(std::abs(effect.money_if_less - money), std::abs(effect.money_if_more - money));
    if (moved > kShareThatMatters * money) {
      AddFigure(effect.assumption, figures);
    }
  }
  StabilitySearch search(task, options, choice);
  std::vector<std::string> lines;
  for (const AssumedFigure& figure : figures) {
    lines.push_back(figure.what + (options.intervals ? search.Describe(figure) : ""));
  }
  return lines;
}

}  // namespace prejoin::design
