// The form that a call of AWS's query API comes as, and the XML of its answer.
#ifndef PREJOIN_ACCESS_QUERY_FORM_H_
#define PREJOIN_ACCESS_QUERY_FORM_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "prejoin/result.h"

namespace prejoin::access {

using Parameters = std::map<std::string, std::string, std::less<>>;

// The parameters of "Action=GetUser&UserName=ann". kValidation for a name that comes twice, and for more than 200: to drop one, which may be the
// Policy of a session, would give more than was asked for.
Result<Parameters> ParseForm(std::string_view form);

// <name>text</name>, with the text escaped.
std::string Element(std::string_view name, std::string_view text);
// The same around what is XML already.
std::string Around(std::string_view name, std::string_view xml);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_QUERY_FORM_H_
