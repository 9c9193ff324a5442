// The predictor: answers and capacity units computed from the published rules, without the engine.
// Running a plan on it gives the predicted cost; running the same plan on a database gives the
// measured one.
#ifndef PREJOIN_MODEL_PROVE_PREDICTOR_H_
#define PREJOIN_MODEL_PROVE_PREDICTOR_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/prove/backend.h"

namespace prejoin::model {

// Single thread.
class Predictor : public Backend {
 public:
  Predictor();
  ~Predictor() override;

  Status CreateTable(const Model& model, const Table& table) override;
  Status Load(const std::string& table, const std::vector<Item>& items) override;
  Result<ReadAnswer> Get(const std::string& table, const Item& key, bool consistent) override;
  Result<ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                              bool consistent) override;
  Result<ReadAnswer> Query(const KeyQuery& query) override;
  Result<WriteAnswer> Write(const ItemWrite& write) override;
  Result<WriteAnswer> WriteTogether(const std::vector<ItemWrite>& writes) override;

  // Write units of each index (and "" for the table) in the last write.
  const std::map<std::string, double>& last_write_units() const { return last_write_units_; }
  // Bytes and entries of each view: "" is the table.
  struct ViewSize {
    std::size_t entries = 0;
    std::size_t bytes = 0;
  };
  std::map<std::string, ViewSize> Sizes(const std::string& table) const;

 private:
  struct PredictedTable;
  PredictedTable* Find(const std::string& table) const;
  double Apply(const ItemWrite& write, double factor);

  std::map<std::string, std::unique_ptr<PredictedTable>> tables_;
  std::map<std::string, double> last_write_units_;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PREDICTOR_H_
