// For every rule a design that is nearly the one it forbids, and right. rules_test.cc has those that it forbids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/check/all_rules.h"
#include "model/check/apply_fixes.h"
#include "model/check/bill.h"
#include "model/check/check.h"
#include "tests/model/sound_model.h"

namespace prejoin::model {
namespace {

struct NearMiss {
  const char* rule;
  const char* from;  // Text of the sound model …
  const char* to;    // … and what stands there instead.
};

void PrintTo(const NearMiss& one, std::ostream* out) { *out << one.rule; }

std::set<std::string> RulesOf(const std::string& text, std::string* shown = nullptr) {
  std::set<std::string> rules;
  for (const Diagnostic& finding : CheckModel(ReadModel(text))) {
    rules.insert(finding.rule);
    if (shown != nullptr) {
      *shown += RenderDiagnostic("m", text, finding);
    }
  }
  return rules;
}

class NearMissTest : public ::testing::TestWithParam<NearMiss> {};

TEST_P(NearMissTest, IsNotReported) {
  const std::string text = Changed(GetParam().from, GetParam().to);
  EXPECT_TRUE(ReadModel(text).ok || std::string(GetParam().rule) < "PJ005");
  std::string shown;
  EXPECT_FALSE(RulesOf(text, &shown).contains(GetParam().rule)) << shown;
}

const char* const kSample =
    "sample Customer (id, name) {\n  \"c1\", \"Ann\"\n  \"c2\", \"Bob\"\n}\n"
    "sample Order (customerId, id, total, status) {\n  \"c1\", \"2024-05-01T10:00:00Z\", 1, \"OPEN\"\n"
    "  \"c1\", \"a-b\", 1, \"OPEN\"\n}\nwrite Put {";

const std::vector<NearMiss> kMisses = {
    {"PJ001", "rate 5/s", "rate 5/s peak 50/s"},
    {"PJ002", "PK = \"CUSTOMER#{id}\"", "PK = \"CUSTOMER$#{id}\""},
    {"PJ003", "where status = :s", "where status in (:s, :t)"},
    {"PJ004", "  find Order where status = :s order by id\n",
     "  find Order where status = :s and total = :t order by id\n  allow PJ207 because \"few\"\n"},
    {"PJ005", "entity Customer {", "// a comment\nentity Customer {"},
    {"PJ101", "where status = :s order by id", "where status = \"OPEN\" order by id"},
    {"PJ101", "where status = :s order by id",
     "where total = :s\n  scan allowed because \"nightly\""},
    {"PJ102", "find Order where status = :s order by id",
     "find Order where status in (\"OPEN\", \"DONE\") order by id"},
    {"PJ103", "order by id\n  rate 5/s", "order by id\n  fresh strong\n  rate 5/s"},
    {"PJ104", "order by id\n  rate 5/s", "order by id\n  fresh after Put\n  rate 5/s"},
    {"PJ105", "SK     = \"ORDER#{id}\"", "SK     = \"CUSTOMER#ORDER#{id}\""},
    {"PJ106", "SK     = \"ORDER#{id}\"", "SK     = \"ORDER#{total pad 8}#{id}\""},
    {"PJ106", "SK     = \"ORDER#{id}\"", "SK     = \"ORDER#<{id}>\""},
    {"PJ107", "\"ORDER#{id}#{customerId}\"", "\"{id}/{customerId}\""},
    {"PJ108", "  item Customer {", "  sorts Customer before Order\n  item Customer {"},
    {"PJ109", "name  text(~16)", "name  text(~16, max 300_000)"},
    {"PJ110", "    SK = \"CUSTOMER#{id}\"\n",
     "    SK = \"CUSTOMER#{id}\"\n    orders = list of Order (id)\n"},
    {"PJ111", "  index GSI1", "  local index L sort id project all\n  index GSI1"},
    {"PJ112", "  put Order once\n  rate 1/s", "  put Order once\n  rate 900/s"},
    {"PJ113", "write Put {", kSample},
    {"PJ114", "SK     = \"ORDER#{id}\"", "SK     = \"CUSTOMER#ORDER#{id}\""},
    {"PJ115", "write Put {", kSample},
    {"PJ116", "\"STATUS#{status}\"", "\"ORDERS#{status}\""},
    {"PJ117", "SK = \"CUSTOMER#{id}\"", "SK = \"META\""},
    {"PJ118", "id         text(~8) key", "id         text(~8, max 900) key"},
    {"PJ119", "GSI1 partition GSI1PK sort GSI1SK", "GSI1 partition GSI1PK, total sort GSI1SK, id"},
    {"PJ120", "total      number(5)", "total      number(5)\n  tags       list"},
    {"PJ121", "project all", "project total, status"},
    {"PJ122", "\"ORDER#{id}#{customerId}\"", "\"{total}#{id}#{customerId}\""},
    {"PJ122", "GSI1SK = \"ORDER#{id}#{customerId}\"\n", "GSI1SK = \"{total pad 5}#{id}#{customerId}\"\n"},
    {"PJ123", "project all", "project total, status"},
    {"PJ124", "GSI1SK = \"ORDER#{id}#{customerId}\"", "GSI1SK = id"},
    {"PJ125", "values (\"OPEN\", \"DONE\")", "values (\"-\", \"DONE\")"},
    {"PJ201", "  index GSI1", "  index G2 partition GSI1PK sort id project all\n  index GSI1"},
    {"PJ202", "SK     = \"ORDER#{id}\"", "SK     = \"O{id}\""},
    {"PJ203", "order by id\n  rate 1/min", "order by id\n  rate 2/min"},
    {"PJ204", "find Order where status = :s order by id",
     "find Order where status = :s order by id get id, customerId"},
    {"PJ205", "project all", "project total, status"},
    {"PJ206", "find Customer where id = :c\n", "find Customer where id = :other\n"},
    {"PJ207", "where status = :s order by id",
     "where total = :t\n  scan allowed because \"nightly\""},
    {"PJ208", "where status = :s order by id",
     "where total = :t order by status limit 5\n  scan allowed because \"nightly\""},
    {"PJ209", "where status = :s order by id",
     "where status = :s order by id get id, customerId, total"},
    {"PJ210", "where status = :s order by id", "where status = :s and id > :last order by id"},
    {"PJ211", "update Customer set name", "update Customer set name\n  allow PJ301 because \"x\""},
    {"PJ212", "    SK     = \"ORDER#{id}\"\n",
     "    SK     = \"ORDER#{id}\"\n    cname = copy of Customer.name kept by stream\n"},
    {"PJ213", "    SK     = \"ORDER#{id}\"\n",
     "    SK     = \"ORDER#{id}\"\n    cname = copy of Customer.name kept by stream\n"},
    {"PJ214", "status     text(~5)", "status     text(~6)"},
    {"PJ215", "    SK = \"CUSTOMER#{id}\"\n",
     "    SK = \"CUSTOMER#{id}\"\n    orders = list of Order (id)\n"},
    {"PJ216", "    SK = \"CUSTOMER#{id}\"\n",
     "    SK = \"CUSTOMER#{id}\"\n    orders = list of Order (id)\n"},
    {"PJ217", "GSI1PK = \"STATUS#{status}\"", "GSI1PK = \"ORDERS\""},
    {"PJ218", "rate 1/min", "rate 2/min"},
    {"PJ219", "write Put {", "strategy Orders = item-collection\nwrite Put {"},
    {"PJ220", "write Put {", kSample},
    {"PJ221", "name  text(~16)", "name  text(~16)\n  note  text optional"},
    {"PJ222", "write Rename {\n  update Customer set name\n  rate 1/day\n}", ""},
    {"PJ223", "total      number(5)", "total      number(5)\n  count 250_000"},
    {"PJ224", "write Put {", kSample},
    {"PJ225", "    SK     = \"ORDER#{id}\"\n",
     "    SK     = \"ORDER#{id}\"\n    cname = copy of Customer.name kept by stream\n"},
    {"PJ226", "find Customer where id = :c\n", "find Customer where id = :c get id\n"},
    {"PJ227", "where status = :s order by id",
     "where total = :t\n  scan allowed because \"nightly\""},
    {"PJ228", "update Customer set name", "update Order set status"},
    {"PJ229", "  put Order once\n", "  put Customer once\n"},
    {"PJ230", "rate 1/min", "rate 3/min"},
    {"PJ231", "name  text(~16)", "name  text(~16) unique"},
    {"PJ232", "  put Order once\n", "  put Order once\n  update Customer set name\n"},
    {"PJ233", "  put Order once\n  rate 1/s", "  put Order once\n  rate 3900/s"},
    {"PJ301", "name  text(~16)", "full_name text(~16)\n  name text(~16)"},
    {"PJ302", "SK = \"CUSTOMER#{id}\"", "SK = \"#CUSTOMER\""},
    {"PJ302", "SK = \"CUSTOMER#{id}\"", "SK = \"#CUSTOMER#{id}\""},
    {"PJ303", "\"STATUS#{status}\"", "\"STATUS#{status lower}\""},
    {"PJ303", "PK = \"CUSTOMER#{id}\"", "PK = \"CUSTOMER#{id lower}\""},
};

INSTANTIATE_TEST_SUITE_P(Rules, NearMissTest, ::testing::ValuesIn(kMisses),
                         [](const ::testing::TestParamInfo<NearMiss>& test) {
                           return std::string(test.param.rule) + "_" + std::to_string(test.index);
                         });

// A grant links a member and a role of one tenant, which is a part of both keys.
std::string Grants(const std::string& tenant) {
  return "entity Tenant {\n  id text(~6) key\n}\n"
         "entity Member {\n  tenantId references Tenant.id key\n  id text(~6) key\n}\n"
         "entity Role {\n  tenantId references Tenant.id key\n  id text(~6) key\n}\n"
         "entity Grant {\n" + tenant +
         "  memberId references Member.id key\n  roleId references Role.id key\n}\n"
         "relationship Grants: Member many-to-many Role through Grant {\n"
         "  each Member has ~2, at most 20\n  each Role has ~2, at most 20\n}\n";
}

TEST(NearMisses, ALinkInsideATenantReachesBothEnds) {
  EXPECT_TRUE(ReadModel(Grants("  tenantId references Tenant.id key\n")).ok);
  std::string shown;
  RulesOf(Grants(""), &shown);
  EXPECT_THAT(shown, testing::HasSubstr("tenantId references Tenant.id key"));
}

TEST(NearMisses, EveryRuleHasOne) {
  for (const Rule& rule : AllRules()) {
    EXPECT_TRUE(std::ranges::any_of(kMisses, [&](const NearMiss& one) {
      return one.rule == rule.id;
    })) << rule.id;
  }
}

}  // namespace
}  // namespace prejoin::model
