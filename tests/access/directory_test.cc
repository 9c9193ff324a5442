#include "access/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "access/records.h"
#include "engine/table/space.h"

namespace prejoin::access {
namespace {

using testing::HasSubstr;

class SetClock : public Clock {
 public:
  std::int64_t NowMs() const override { return now_ms; }
  std::int64_t now_ms = 1'000'000'000;
};

constexpr const char* kAllow =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})";
constexpr const char* kTrust =
    R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}})";

class DirectoryTest : public testing::Test {
 protected:
  DirectoryTest() { Open(); }
  void Open() {
    auto opened =
        Directory::Open(*store, Seal(std::string(kSealKeyBytes, 'k')), "000000000000", clock);
    ASSERT_TRUE(opened) << opened.error().message;
    directory = *std::move(opened);
  }
  bool Works(const std::string& id, const std::string& token = "") {
    const auto found = directory->FindCredential(id, token, clock.NowMs());
    return found && found->has_value();
  }

  SetClock clock;
  std::unique_ptr<storage::Store> store = storage::NewMemoryStore();
  std::unique_ptr<Directory> directory;
};

TEST_F(DirectoryTest, KeepsEverythingOverARestart) {
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  ASSERT_TRUE(directory->SetPolicy(IdentityKind::kUser, "ann", "all", kAllow));
  ASSERT_TRUE(directory->SetBoundary(IdentityKind::kUser, "ann", kAllow));
  ASSERT_TRUE(directory->SetTags(IdentityKind::kUser, "ann", {{"team", "blue"}}));
  ASSERT_TRUE(directory->Create(IdentityKind::kRole, "reader", kTrust));
  const auto key = directory->CreateKey("ann");
  ASSERT_TRUE(key);
  Open();
  const auto found = directory->FindCredential(key->id, "", clock.NowMs());
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(*(*found)->secret, key->secret);
  const Principal& principal = *(*found)->principal;
  EXPECT_EQ(principal.caller.arn, "arn:aws:iam::000000000000:user/ann");
  EXPECT_EQ(principal.identity->policies.size(), 1u);
  EXPECT_TRUE(principal.identity->boundary.has_value());
  EXPECT_EQ(principal.tags.at("team"), "blue");
  EXPECT_TRUE(directory->Find(IdentityKind::kRole, "reader")->trust.has_value());
}

TEST_F(DirectoryTest, StoresNoSecretInClear) {
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  const auto key = directory->CreateKey("ann");
  ASSERT_TRUE(key);
  int records = 0;
  ASSERT_TRUE(store->Visit(engine::SpaceRange(engine::kAccessSpace),
                           [&](std::string_view, std::string_view value) {
                             ++records;
                             EXPECT_EQ(value.find(key->secret), std::string_view::npos);
                             return storage::Visit::kContinue;
                           }));
  EXPECT_EQ(records, 3);
  const auto other = Directory::Open(*store, Seal(std::string(kSealKeyBytes, 'x')), "0", clock);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("the key file is not the one"));
}

TEST_F(DirectoryTest, ForgetsDeletedAndInactiveKeys) {
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  const std::string first = directory->CreateKey("ann")->id;
  const std::string second = directory->CreateKey("ann")->id;
  const auto third = directory->CreateKey("ann");
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kLimitExceeded);
  ASSERT_TRUE(directory->SetKeyActive(first, false));
  EXPECT_FALSE(Works(first));
  EXPECT_TRUE(Works(second));
  ASSERT_TRUE(directory->SetKeyActive(first, true));
  EXPECT_TRUE(Works(first));
  ASSERT_TRUE(directory->DeleteKey(first));
  EXPECT_FALSE(Works(first));
  Open();
  EXPECT_FALSE(Works(first));
  EXPECT_TRUE(Works(second));
  ASSERT_TRUE(directory->Delete(IdentityKind::kUser, "ann"));
  EXPECT_FALSE(Works(second));
  Open();
  EXPECT_FALSE(Works(second));
  EXPECT_FALSE(directory->HasKeys());
}

TEST_F(DirectoryTest, NotesTheLastUse) {
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  const std::string id = directory->CreateKey("ann")->id;
  EXPECT_EQ(directory->ListKeys("ann")[0].last_used_ms, 0);
  EXPECT_TRUE(Works(id));
  const std::int64_t first_use = clock.now_ms;
  clock.now_ms += kLastUseStepMs - 1;
  EXPECT_TRUE(Works(id));
  Open();
  EXPECT_EQ(directory->ListKeys("ann")[0].last_used_ms, first_use);
  EXPECT_TRUE(directory->ListKeys("ann")[0].secret.empty());
}

TEST_F(DirectoryTest, RefusesWhatItCannotRead) {
  EXPECT_FALSE(directory->Create(IdentityKind::kUser, "a/b"));
  EXPECT_FALSE(directory->Create(IdentityKind::kUser, ""));
  EXPECT_FALSE(directory->Create(IdentityKind::kUser, std::string(65, 'a')));
  EXPECT_TRUE(directory->Create(IdentityKind::kUser, std::string(64, 'a')));
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  EXPECT_EQ(directory->Create(IdentityKind::kUser, "ann").error().code, ErrorCode::kResourceInUse);
  EXPECT_FALSE(directory->SetPolicy(IdentityKind::kUser, "ann", "p", "{}"));
  EXPECT_FALSE(directory->SetPolicy(IdentityKind::kUser, "bob", "p", kAllow));
  EXPECT_FALSE(directory->RemovePolicy(IdentityKind::kUser, "ann", "p"));
  EXPECT_FALSE(directory->CreateKey("bob"));
  EXPECT_FALSE(directory->DeleteKey("AKIA"));
  EXPECT_TRUE(directory->Find(IdentityKind::kUser, "ann")->policies.empty());
}

class SessionTest : public DirectoryTest {
 protected:
  SessionTest() {
    EXPECT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
    EXPECT_TRUE(directory->Create(IdentityKind::kRole, "reader", kTrust));
    key = directory->CreateKey("ann")->id;
    ann = (*directory->FindCredential(key, "", clock.NowMs()))->principal;
  }
  SessionCredentials Begin(IdentityKind kind, const std::string& name) {
    auto opened = directory->OpenSession(*ann, kind, name, {.name = "s1", .seconds = 900});
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }

  std::string key;
  std::shared_ptr<const Principal> ann;
};

TEST_F(SessionTest, LastsUntilItEnds) {
  const SessionCredentials session = Begin(IdentityKind::kRole, "reader");
  const auto found =
      directory->FindCredential(session.access_key_id, session.session_token, clock.NowMs());
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(*(*found)->secret, session.secret);
  EXPECT_EQ((*found)->principal->caller.arn, "arn:aws:sts::000000000000:assumed-role/reader/s1");
  EXPECT_EQ((*found)->principal->caller.role_arn, "arn:aws:iam::000000000000:role/reader");
  EXPECT_FALSE(Works(session.access_key_id));
  EXPECT_FALSE(Works("ASIAOTHER", session.session_token));
  EXPECT_FALSE(Works(session.access_key_id, session.session_token + "A"));
  Open();
  EXPECT_TRUE(Works(session.access_key_id, session.session_token));
  clock.now_ms = session.expires_ms;
  EXPECT_EQ(directory->FindCredential(session.access_key_id, session.session_token, clock.NowMs())
                .error()
                .code,
            ErrorCode::kExpiredIterator);
}

TEST_F(SessionTest, EndsWithItsRole) {
  const SessionCredentials session = Begin(IdentityKind::kRole, "reader");
  ASSERT_TRUE(directory->Delete(IdentityKind::kRole, "reader"));
  EXPECT_FALSE(Works(session.access_key_id, session.session_token));
  // Another role of the same name is another role.
  ASSERT_TRUE(directory->Create(IdentityKind::kRole, "reader", kTrust));
  EXPECT_FALSE(Works(session.access_key_id, session.session_token));
}

TEST_F(SessionTest, EndsWithTheKeyItWasMadeWith) {
  const SessionCredentials session = Begin(IdentityKind::kUser, "ann");
  EXPECT_TRUE(Works(session.access_key_id, session.session_token));
  ASSERT_TRUE(directory->SetKeyActive(key, false));
  EXPECT_FALSE(Works(session.access_key_id, session.session_token));
}

TEST_F(SessionTest, RefusesTooLongOrShort) {
  for (const std::int64_t seconds : {899, 3601}) {
    EXPECT_FALSE(directory->OpenSession(*ann, IdentityKind::kRole, "reader",
                                        {.name = "s1", .policy = "", .seconds = seconds}));
  }
  EXPECT_FALSE(directory->OpenSession(*ann, IdentityKind::kRole, "reader",
                                      {.name = "s1", .policy = "{", .seconds = 900}));
}

TEST_F(SessionTest, ItsOwnTagsStandBeforeItsRoles) {
  ASSERT_TRUE(directory->SetTags(IdentityKind::kRole, "reader", {{"Team", "blue"}, {"x", "y"}}));
  const auto opened = directory->OpenSession(
      *ann, IdentityKind::kRole, "reader",
      {.name = "s1", .policy = "", .seconds = 900, .tags = {{"team", "green"}}});
  ASSERT_TRUE(opened);
  const auto found =
      directory->FindCredential(opened->access_key_id, opened->session_token, clock.NowMs());
  EXPECT_EQ((*found)->principal->tags,
            (std::map<std::string, std::string>{{"team", "green"}, {"x", "y"}}));
  EXPECT_FALSE(directory->SetTags(IdentityKind::kRole, "reader", {{"Team", "a"}, {"team", "b"}}))
      << "conditions could not tell them apart";
}

// A document of an earlier version that cannot be read any more: its owner may do nothing, the others everything they may.
TEST_F(DirectoryTest, AnUnreadableStoredPolicyDeniesAll) {
  ASSERT_TRUE(directory->Create(IdentityKind::kUser, "ann"));
  ASSERT_TRUE(directory->SetPolicy(IdentityKind::kUser, "ann", "all", kAllow));
  Identity identity = directory->Find(IdentityKind::kUser, "ann")->identity;
  identity.policies["odd"] =
      R"({"Statement":{"Effect":"Allow","Action":"*","NotAction":"*","Resource":"*"}})";
  const std::string key = engine::SpaceKey(engine::kAccessSpace, std::string("\0\0\0\0u/ann", 9));
  ASSERT_TRUE(store->Transact(std::span(&key, 1), [&](storage::Transaction& transaction) -> Status {
    transaction.Put(key, PrintIdentity(identity));
    return {};
  }));
  Open();
  const auto ann = directory->Find(IdentityKind::kUser, "ann");
  ASSERT_EQ(ann->policies.size(), 2u);
  AccessRequest request{.action = "dynamodb:GetItem",
                        .resource = "arn:aws:dynamodb:us-east-1:000000000000:table/T",
                        .caller = {.arn = "", .role_arn = "", .account = ""},
                        .keys = {}};
  EXPECT_EQ(Decide({.identity = ann->policies}, request).verdict, Verdict::kDenied);
}

TEST(Seal, OpensOnlyWhatItClosed) {
  const Seal seal(std::string(kSealKeyBytes, 'k'));
  const std::string sealed = seal.Close("secret", "purpose");
  EXPECT_EQ(*seal.Open(sealed, "purpose"), "secret");
  EXPECT_NE(sealed, seal.Close("secret", "purpose"));
  EXPECT_FALSE(seal.Open(sealed, "another"));
  EXPECT_FALSE(seal.Open("", "purpose"));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(seal.Open(changed, "purpose")) << i;
    EXPECT_FALSE(seal.Open(sealed.substr(0, i), "purpose")) << i;
  }
}

}  // namespace
}  // namespace prejoin::access
