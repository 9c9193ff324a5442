#include "cluster/choose_heir.h"

#include <gtest/gtest.h>

#include <vector>

namespace prejoin::cluster {
namespace {

struct HeirCase {
  const char* what;
  std::vector<Candidate> candidates;
  std::string wanted;
  std::string heir;  // Empty: the lead stays with "a".
};

TEST(ChooseHeir, MovesTheLeadToWhomOneNamesOrWhereTheMachineIsLessBusy) {
  const HeirCase cases[] = {
      {"named", {{"a", 0, 0.1}, {"b", 0, 3.0}}, "b", "b"},
      {"named, load unknown", {{"a", 0, {}}, {"b", 0, {}}}, "b", "b"},
      {"named, and leads already", {{"a", 0, 9.0}, {"b", 0, 0.1}}, "a", ""},
      {"least busy of two", {{"a", 0, 2.0}, {"b", 0, 0.4}, {"c", 0, 0.3}}, "", "c"},
      {"just enough less", {{"a", 0, 1.0}, {"b", 0, 0.5}}, "", "b"},
      {"not enough less", {{"a", 0, 1.0}, {"b", 0, 0.51}}, "", ""},
      {"busier", {{"a", 0, 0.2}, {"b", 0, 2.0}}, "", ""},
      {"gone", {{"a", 0, 2.0}, {"b", kGoneAfterMs + 1, 0.1}}, "", ""},
      {"not gone yet", {{"a", 0, 2.0}, {"b", kGoneAfterMs, 0.1}}, "", "b"},
      {"load of the other unknown", {{"a", 0, 2.0}, {"b", 0, {}}}, "", ""},
      {"load of the leader unknown", {{"a", 0, {}}, {"b", 0, 0.1}}, "", ""},
      {"nothing heard of the leader", {{"b", 0, 0.1}}, "", ""},
      {"alone", {{"a", 0, 5.0}}, "", ""},
  };
  for (const HeirCase& one : cases) {
    const auto heir = ChooseHeir(one.candidates, "a", one.wanted);
    ASSERT_TRUE(heir.has_value()) << one.what;
    EXPECT_EQ(heir->value_or(""), one.heir) << one.what;
  }
}

TEST(ChooseHeir, RefusesAGatewayThatIsNotThere) {
  const std::vector<Candidate> candidates = {{"a", 0, 1.0}, {"b", kGoneAfterMs + 1, 0.1}};
  for (const char* wanted : {"b", "c", "A"}) {
    EXPECT_FALSE(ChooseHeir(candidates, "a", wanted).has_value()) << wanted;
  }
}

}  // namespace
}  // namespace prejoin::cluster
