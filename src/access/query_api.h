// STS and a part of IAM in AWS's query protocol, so that credential providers and `aws iam` work unchanged: forms in, XML out.
#ifndef PREJOIN_ACCESS_QUERY_API_H_
#define PREJOIN_ACCESS_QUERY_API_H_

#include <string>
#include <string_view>

#include "access/directory.h"
#include "access/request_access.h"

namespace prejoin::access {

struct QueryAnswer {
  int status = 200;
  std::string xml;
};

// "sts" or "iam": what a form must be signed for, by its Version; empty if it is no form of either.
std::string_view ServiceOfForm(std::string_view form);

// `form`: "Action=GetCallerIdentity&Version=2011-06-15". `access` is the caller's.
QueryAnswer AnswerForm(Directory& directory, RequestAccess& access, std::string_view form);

// An error in the protocol's form.
QueryAnswer QueryError(int status, std::string_view code, std::string_view message);

}  // namespace prejoin::access

#endif  // PREJOIN_ACCESS_QUERY_API_H_
