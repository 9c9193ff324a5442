// Two DynamoDB requests for the JSON benchmarks: a PutItem of ten attributes and a
// TransactWriteItems of 25 puts.
#ifndef PREJOIN_BENCH_JSON_REQUESTS_H_
#define PREJOIN_BENCH_JSON_REQUESTS_H_

#include <string>

namespace prejoin::bench {

inline std::string ItemJson(int number) {
  const std::string n = std::to_string(number);
  return R"({"pk":{"S":"STUDENT#)" + n +
         R"("},"sk":{"S":"PROFILE"},"name":{"S":"Ada \"Lovelace\""},"year":{"N":"3"},)" +
         R"("email":{"S":"ada)" + n +
         R"(@example.edu"},"gpa":{"N":"3.97"},"active":{"BOOL":true},)" +
         R"("courses":{"L":[{"S":"C1"},{"S":"C2"},{"M":{"id":{"S":"C3"},"credits":{"N":"6"}}}]},)" +
         R"("tags":{"SS":["mathematics","engines","notes"]},"nickname":{"NULL":true}})";
}

inline std::string PutItemJson() {
  return R"({"TableName":"Education","Item":)" + ItemJson(12345) +
         R"j(,"ConditionExpression":"attribute_not_exists(pk)","ReturnValues":"NONE"})j";
}

inline std::string TransactWriteJson() {
  std::string json = R"({"TransactItems":[)";
  for (int i = 0; i < 25; ++i) {
    if (i > 0) {
      json += ',';
    }
    json += R"({"Put":{"TableName":"Education","Item":)" + ItemJson(i) + "}}";
  }
  return json + R"(],"ClientRequestToken":"4f7a0a4e-5f5b-4f43-8c1d-1f7a7c7f4b11"})";
}

}  // namespace prejoin::bench

#endif  // PREJOIN_BENCH_JSON_REQUESTS_H_
