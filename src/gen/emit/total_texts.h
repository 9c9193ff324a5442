// The amounts that a row adds to sums and counts of other items, and those that it removes.
#ifndef PREJOIN_GEN_EMIT_TOTAL_TEXTS_H_
#define PREJOIN_GEN_EMIT_TOTAL_TEXTS_H_

#include <string>
#include <vector>

#include "gen/emit/beside_texts.h"

namespace prejoin::gen::emit {

// Works on one write. Borrows everything it is given. Single thread.
class TotalTexts : protected BesideTexts {
 protected:
  using BesideTexts::BesideTexts;

  std::string TotalText(const char* entry, const TotalCode& total,
                        const std::vector<std::string>& key, const std::string& amount) const {
    const EntityCode& parent = *in_.program().FindEntity(total.entity);
    return say(entry, {{"entity_name", parent.name},
                       {"table", parent.table},
                       {"attribute", total.attribute},
                       {"count", !total.amount.has_value()},
                       {"key", KeyBy(parent, key)},
                       {"amount", amount}});
  }

  std::string TakenText(const WriteStepCode& step, const TotalCode& total) const {
    const bool found = step.find != nullptr;
    std::vector<std::string> key;
    for (std::size_t i = 0; i < total.key.size(); ++i) {
      key.push_back(found ? Member(step, total.key[i].name)
                          : in_.Source("item_value", total.before[i], before_));
    }
    const std::string amount = !total.amount ? ""
                               : found       ? Member(step, total.amount->field.name)
                                             : BeforeNumber(*total.amount);
    return TotalText("take_total", total, key, amount);
  }

  std::string BeforeNumber(const FieldSource& source) const {
    return in_.Source("stored", source, before_, /*loose=*/true);
  }

  // Nothing, for a sum over a row without the attribute.
  std::string AddedText(const WriteStepCode& step, const TotalCode& total) const {
    std::vector<std::string> key;
    for (std::size_t i = 0; i < total.key.size(); ++i) {
      key.push_back(AfterText(step, total.key[i].name, total.before[i]));
    }
    std::string amount;
    if (total.amount) {
      const std::string& name = total.amount->field.name;
      const bool known = step.kind == Kind::kPut || Has(step.set, name) ||
                         Has(step.removed, name) || Has(step.row, name);
      amount = known ? NewMember(step, name) : BeforeNumber(*total.amount);
      if (amount == Nothing()) {
        return {};
      }
    }
    return TotalText("add_total", total, key, amount);
  }
};

}  // namespace prejoin::gen::emit

#endif  // PREJOIN_GEN_EMIT_TOTAL_TEXTS_H_
