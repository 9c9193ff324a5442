// The JSON object of a request, member by member.
#ifndef PREJOIN_STUDIO_API_REQUEST_H_
#define PREJOIN_STUDIO_API_REQUEST_H_

#include <optional>
#include <string>
#include <string_view>

#include "json/reader.h"
#include "model/bind/read_model.h"
#include "prejoin/result.h"

namespace prejoin::studio {

// Borrows the document it was made from. Single thread.
class ApiRequest {
 public:
  // Refuses anything but an object.
  static Result<ApiRequest> Of(json::Value root);

  // Nullopt if the member is missing or null.
  std::optional<json::Value> Find(std::string_view name) const;
  Result<std::string> Text(std::string_view name) const;  // Refuses if it is missing.
  Result<std::optional<double>> Number(std::string_view name) const;
  Result<bool> Flag(std::string_view name) const;  // False if it is missing.

  // The member "source"; refused (413) if it is too large.
  Result<std::string> Source() const;
  // The model in "source"; the first error in it is refused with its place.
  Result<model::ReadModelResult> Model() const;

 private:
  explicit ApiRequest(json::Value root) : root_(root) {}
  json::Value root_;
};

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_API_REQUEST_H_
