#include "access/records.h"

#include <optional>

#include "json/reader.h"
#include "json/writer.h"
#include "value/base64.h"

namespace prejoin::access {
namespace {

Error Damaged() {
  return Error{ErrorCode::kCorruption, "a record of the access directory is damaged"};
}

std::string Text(json::Value root, std::string_view name) {
  const auto value = root.Find(name);
  return value && value->type() == json::Type::kString ? std::string(value->string()) : "";
}

std::int64_t Integer(json::Value root, std::string_view name) {
  const auto value = root.Find(name);
  return value && value->type() == json::Type::kInteger ? value->integer() : 0;
}

void PrintTexts(const std::map<std::string, std::string>& texts, std::string& out) {
  json::ObjectWriter object(out);
  for (const auto& [name, text] : texts) {
    json::AppendString(text, object.Key(name));
  }
}

std::map<std::string, std::string> Texts(json::Value root, std::string_view name) {
  std::map<std::string, std::string> texts;
  const auto value = root.Find(name);
  if (value && value->type() == json::Type::kObject) {
    for (const auto& [key, text] : value->fields()) {
      if (text.type() == json::Type::kString) {
        texts.emplace(key, text.string());
      }
    }
  }
  return texts;
}

constexpr std::string_view kUserKind = "user";
constexpr std::string_view kRoleKind = "role";

std::string_view KindText(IdentityKind kind) {
  return kind == IdentityKind::kUser ? kUserKind : kRoleKind;
}

Result<json::Document> ParseRecord(std::string_view text) {
  auto document = json::Document::ParseAside(text);
  if (!document || document->root().type() != json::Type::kObject) {
    return Damaged();
  }
  return document;
}

}  // namespace

std::string PrintIdentity(const Identity& identity) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("kind", KindText(identity.kind));
    object.String("name", identity.name);
    object.String("id", identity.id);
    object.Integer("created", identity.created_ms);
    PrintTexts(identity.policies, object.Name("policies"));
    object.String("boundary", identity.boundary);
    object.String("trust", identity.trust);
    PrintTexts(identity.tags, object.Name("tags"));
    if (identity.kind == IdentityKind::kRole) {
      object.Integer("session_seconds", identity.session_seconds_max);
    }
  }
  return out;
}

Result<Identity> ParseIdentity(std::string_view text) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseRecord(text));
  const json::Value root = document.root();
  const std::string kind = Text(root, "kind");
  Identity identity{.kind = kind == kUserKind ? IdentityKind::kUser : IdentityKind::kRole,
                    .name = Text(root, "name"),
                    .id = Text(root, "id"),
                    .created_ms = Integer(root, "created"),
                    .policies = Texts(root, "policies"),
                    .boundary = Text(root, "boundary"),
                    .trust = Text(root, "trust"),
                    .tags = Texts(root, "tags")};
  if (const std::int64_t seconds = Integer(root, "session_seconds"); seconds > 0) {
    identity.session_seconds_max = seconds;
  }
  if (identity.name.empty() || identity.id.empty() || (kind != kUserKind && kind != kRoleKind)) {
    return Damaged();
  }
  return identity;
}

std::string PrintKey(const AccessKey& key, std::string_view sealed_secret) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("id", key.id);
    object.String("user", key.user);
    object.Bool("active", key.active);
    object.Integer("created", key.created_ms);
    object.Integer("used", key.last_used_ms);
    std::string secret;
    AppendBase64(sealed_secret, secret);
    object.String("secret", secret);
  }
  return out;
}

Result<KeyRecord> ParseKey(std::string_view text) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseRecord(text));
  const json::Value root = document.root();
  KeyRecord record;
  record.key = {.id = Text(root, "id"),
                .user = Text(root, "user"),
                .created_ms = Integer(root, "created"),
                .last_used_ms = Integer(root, "used")};
  const auto active = root.Find("active");
  record.key.active = active && active->type() == json::Type::kBool && active->boolean();
  auto sealed = DecodeBase64(Text(root, "secret"));
  if (!sealed || record.key.id.empty() || record.key.user.empty()) {
    return Damaged();
  }
  record.sealed_secret = *std::move(sealed);
  return record;
}

std::string PrintSession(const SessionRecord& session) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.String("key", session.access_key_id);
    object.String("secret", session.secret);
    object.String("kind", KindText(session.kind));
    object.String("name", session.name);
    object.String("id", session.identity_id);
    object.String("session", session.session_name);
    object.String("policy", session.policy);
    object.String("by", session.issued_to);
    object.Integer("issued", session.issued_ms);
    object.Integer("expires", session.expires_ms);
    if (!session.tags.empty()) {
      PrintTexts(session.tags, object.Name("tags"));
    }
    if (!session.source_identity.empty()) {
      object.String("source", session.source_identity);
    }
  }
  return out;
}

Result<SessionRecord> ParseSession(std::string_view text) {
  PJ_ASSIGN_OR_RETURN(const json::Document document, ParseRecord(text));
  const json::Value root = document.root();
  return SessionRecord{
      .access_key_id = Text(root, "key"),
      .secret = Text(root, "secret"),
      .kind = Text(root, "kind") == kUserKind ? IdentityKind::kUser : IdentityKind::kRole,
      .name = Text(root, "name"),
      .identity_id = Text(root, "id"),
      .session_name = Text(root, "session"),
      .policy = Text(root, "policy"),
      .issued_to = Text(root, "by"),
      .issued_ms = Integer(root, "issued"),
      .expires_ms = Integer(root, "expires"),
      .tags = Texts(root, "tags"),
      .source_identity = Text(root, "source")};
}

}  // namespace prejoin::access
