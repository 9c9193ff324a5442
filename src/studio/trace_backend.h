// A backend that passes reads on to another one and notes each request and what it gave.
#ifndef PREJOIN_STUDIO_TRACE_BACKEND_H_
#define PREJOIN_STUDIO_TRACE_BACKEND_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/prove/backend.h"

namespace prejoin::studio {

struct TracedRequest {
  std::string operation;
  std::string table;
  std::string index;       // Empty: the table itself.
  bool next_page = false;  // Goes on where the request before it ended.
  bool consistent = false;
  std::string json;         // As a client would send it.
  std::vector<Item> items;  // Everything that was read, in order.
  double read_units = 0;
};

// Single thread.
class TraceBackend : public model::Backend {
 public:
  // `backend` outlives this object.
  explicit TraceBackend(model::Backend& backend) : backend_(backend) {}

  // A run that would hold more than these is refused.
  static constexpr std::size_t kItemsMax = 100'000;
  static constexpr std::size_t kRequestsMax = 2'000;

  Result<model::ReadAnswer> Get(const std::string& table, const Item& key,
                                bool consistent) override;
  Result<model::ReadAnswer> BatchGet(const std::string& table, const std::vector<Item>& keys,
                                     bool consistent) override;
  Result<model::ReadAnswer> Query(const model::KeyQuery& query) override;

  // A pattern only reads; these are refused.
  Status CreateTable(const model::Model& model, const model::Table& table) override;
  Status Load(const std::string& table, const std::vector<Item>& items) override;
  Result<model::WriteAnswer> Write(const model::ItemWrite& write) override;
  Result<model::WriteAnswer> WriteTogether(const std::vector<model::ItemWrite>& writes) override;

  const std::vector<TracedRequest>& requests() const { return requests_; }

 private:
  Result<model::ReadAnswer> Note(TracedRequest request, Result<model::ReadAnswer> answer);

  model::Backend& backend_;
  std::vector<TracedRequest> requests_;
  std::size_t items_read_ = 0;
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_TRACE_BACKEND_H_
