// Parts of answers as they came, byte for byte.
#ifndef PREJOIN_TESTS_REFERENCE_RAW_ANSWERS_H_
#define PREJOIN_TESTS_REFERENCE_RAW_ANSWERS_H_

#include <map>
#include <string>
#include <vector>

#include "wire/service.h"

namespace prejoin::reference {

// The elements of an array, or the members of an object, names included. All JSON here is without
// blanks, as the server writes it.
std::vector<std::string> PartsOf(const std::string& text);
// The value of a member of an object; empty if there is none.
std::string Member(const std::string& object, const std::string& name);
// "ValidationException"; empty for an answer that is no error.
std::string ErrorOf(const wire::Answer& answer);
// The total of each table, of one ConsumedCapacity or of a list of them.
void AddCapacity(const std::string& capacity, std::map<std::string, double>& totals);

}  // namespace prejoin::reference

#endif  // PREJOIN_TESTS_REFERENCE_RAW_ANSWERS_H_
