// One small model without a finding, and changes of it.
#ifndef PREJOIN_TESTS_MODEL_SOUND_MODEL_H_
#define PREJOIN_TESTS_MODEL_SOUND_MODEL_H_

#include <gtest/gtest.h>

#include <string>

namespace prejoin::model {

inline const char* const kSound = R"(entity Customer {
  id    text(~6) key
  name  text(~16)
  count 20_000
}
entity Order {
  customerId references Customer.id key
  id         text(~8) key
  total      number(5)
  status     text(~5) values ("OPEN", "DONE")
}
relationship Orders: Customer one-to-many Order {
  each Customer has ~10, at most 500
}
pattern All {
  find Customer where id = :c
  find Order where customerId = :c order by id
  rate 5/s
}
pattern ByStatus {
  find Order where status = :s order by id
  rate 1/min
}
write Put {
  put Order once
  rate 1/s
}
write Rename {
  update Customer set name
  rate 1/day
}
table T partition PK sort SK {
  index GSI1 partition GSI1PK sort GSI1SK project all
  item Customer {
    PK = "CUSTOMER#{id}"
    SK = "CUSTOMER#{id}"
  }
  item Order {
    PK     = "CUSTOMER#{customerId}"
    SK     = "ORDER#{id}"
    GSI1PK = "STATUS#{status}"
    GSI1SK = "ORDER#{id}#{customerId}"
  }
}
)";

// With another text in place of `from`.
inline std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kSound;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace prejoin::model

#endif  // PREJOIN_TESTS_MODEL_SOUND_MODEL_H_
