// An application on a table that is being migrated: it goes on writing rows in the old form, and knows what it wrote.
#ifndef PREJOIN_TESTS_MIGRATE_LIVE_APPLICATION_H_
#define PREJOIN_TESTS_MIGRATE_LIVE_APPLICATION_H_

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "migrate/table_requests.h"
#include "model/data/dataset.h"
#include "model/prove/embedded_backend.h"
#include "model/prove/write_effect.h"
#include "model/schema/model.h"
#include "wire/service.h"

namespace prejoin::migrate {

class LiveApplication {
 public:
  // Makes the tables of the model and fills them.
  LiveApplication(const model::Model& model, model::Dataset data, std::uint32_t seed);

  // Requests of a migrator. Each time, the application may do something first; after `calls` of them the migrator is
  // dead: the last request is sent or not, and no answer comes.
  SendRequest Requests(int calls);

  // Also writes the items of this design, behind the old ones. Null: only the old ones.
  void AlsoWrite(const model::Model* other) { other_ = other; }
  void WriteOnceIn(int requests) { write_once_in_ = requests; }  // 0: never.
  // The new half of the last write, if it is still to come.
  void FinishWrite();

  // Problems of the patterns of `model` on what is stored; `data` is what they should find.
  std::vector<std::string> Problems(const model::Model& model, const model::Dataset& data);
  // Everything in a table.
  std::vector<Item> Stored(const std::string& table);
  bool Exists(const std::string& table);

  const model::Dataset& data() const { return data_; }
  int writes() const { return writes_; }
  std::size_t rows_compared() const { return rows_compared_; }
  bool killed() const { return killed_; }

 private:
  void Act();
  void WriteSomething();
  bool References(const model::Entity& entity, const model::Row& row) const;
  bool IsReferenced(const model::Entity& entity, const model::Row& row) const;
  void Apply(const std::vector<model::ItemWrite>& writes);
  std::size_t Random(std::size_t below) { return rng_() % below; }

  const model::Model& model_;
  const model::Model* other_ = nullptr;
  model::Dataset data_;
  std::mt19937 rng_;
  std::unique_ptr<model::EmbeddedBackend> backend_;
  std::unique_ptr<wire::Service> service_;
  std::vector<model::ItemWrite> pending_;  // The new half of the last write.
  int write_once_in_ = 0;
  int writes_ = 0;
  std::size_t rows_compared_ = 0;
  bool killed_ = false;
};

}  // namespace prejoin::migrate

#endif  // PREJOIN_TESTS_MIGRATE_LIVE_APPLICATION_H_
