// A trial: rows beside stored items, and writes that change both. The rows change as in a relational database, the items
// as the requests of an application change them; in the end the items must be those that the rows make.
#ifndef PREJOIN_MODEL_PROVE_TRIAL_WRITE_TRIAL_H_
#define PREJOIN_MODEL_PROVE_TRIAL_WRITE_TRIAL_H_

#include <map>
#include <string>
#include <vector>

#include "model/prove/trial/item_actions.h"

namespace prejoin::model {

// One request: the step, or all steps of a write that belong together; or the copies that the caller refreshes after it.
struct WriteRequest {
  std::size_t first = 0;  // Steps.
  std::size_t last = 0;
  bool copies = false;
};

// The requests of a write in their order.
std::vector<WriteRequest> RequestsOf(const Model& model, const Write& write);

// In words: "puts Stay", "updates Hotel", "refreshes copies".
std::string RequestText(const Write& write, const WriteRequest& request);

// The rows that the writes touch, without those that they add, and all rows that the items of those are made of.
Dataset RowsNear(const Model& model, const Dataset& data,
                 const std::vector<const BoundWrite*>& writes);

// Copyable: a schedule starts from a copy. Single thread. Borrows the model.
class WriteTrial {
 public:
  WriteTrial(const Model& model, Dataset data);

  // Values that the caller computes from read items: a total that a step sets.
  void Compute(BoundWrite& bound) const;

  enum class Outcome { kDone, kRefused };
  // Nothing changes when it is refused.
  Outcome Send(const BoundWrite& bound, const WriteRequest& request);
  // All requests of the write; stops at the first that is refused.
  Outcome SendAll(const BoundWrite& bound);

  // The row's time has come: the items of it that hold the number `ttl` go, and what is kept later follows.
  void Expire(const Entity& entity, const Row& row, const std::string& ttl);

  // The problems of the stored items, in words: left behind, missing, or with an attribute that contradicts the rows.
  std::vector<std::string> Differences() const;

  // The errors found while sending: a request names one item twice, or is refused for a reason that rows do not explain.
  const std::vector<std::string>& faults() const { return faults_; }
  const Dataset& data() const { return data_; }
  const ItemsByKey& stored() const { return stored_; }
  std::size_t changes() const { return changes_; }  // Items written so far.

 private:
  Outcome SendStep(const BoundWrite& write, const BoundStep& bound);
  bool MayApply(const BoundStep& bound, const std::vector<ItemAction>& actions) const;
  void Apply(const ItemAction& action);
  void CheckTwice(const BoundStep& bound, const std::vector<ItemAction>& actions);
  void RefreshLater();

  const Model* model_;
  Dataset data_;
  ItemsByKey ideal_;   // The items that the rows make.
  ItemsByKey stored_;  // The items that the requests have made.
  std::map<const BoundWrite*, std::vector<ItemAction>>
      waiting_;  // Copies that each caller refreshes.
  std::vector<std::pair<std::string, std::string>>
      in_transaction_;  // Places and entities, of the steps so far.
  std::vector<std::string> faults_;
  std::size_t changes_ = 0;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_TRIAL_WRITE_TRIAL_H_
