#include "engine/stream/stream_catalog.h"

#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "engine/history/history_numbers.h"
#include "engine/item/keys.h"
#include "engine/stream/stream_label.h"
#include "engine/stream/stream_record.h"
#include "engine/stream/table_stream.h"
#include "engine/table/catalog.h"
#include "engine/table/space.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

constexpr std::string_view kRetiredPrefix = "stream/";

std::string RetiredKey(std::string_view arn) {
  return CatalogKey(std::string(kRetiredPrefix).append(arn));
}

std::string EncodeRetired(const StreamInfo& info, SequenceNumber closed_at) {
  AttributeValue::List keys;
  for (const KeySchemaElement& element : info.key_schema) {
    keys.push_back(Item{{"name", element.attribute_name},
                        {"type", static_cast<std::int64_t>(element.key_type)}});
  }
  return EncodeItem(Item{{"table", info.table_name},
                         {"arn", info.arn},
                         {"label", info.label},
                         {"view", static_cast<std::int64_t>(info.view_type)},
                         {"keys", std::move(keys)},
                         {"created", info.created_ms},
                         {"space", static_cast<std::int64_t>(info.space)},
                         {"closed_at", SequenceText(closed_at)}});
}

struct Retired {
  StreamInfo info;
  SequenceNumber closed_at = 0;
};

Result<Retired> DecodeRetired(std::string_view bytes) {
  PJ_RETURN_IF_ERROR(ValidateItemBody(bytes));
  const Item item = ItemView(bytes).Decode();
  bool ok = true;
  const auto text = [&](const Item& map, std::string_view name) {
    const AttributeValue* value = map.Find(name);
    ok = ok && value != nullptr && value->string() != nullptr;
    return ok ? *value->string() : std::string();
  };
  const auto number = [&](const Item& map, std::string_view name) {
    const AttributeValue* value = map.Find(name);
    const auto read =
        value != nullptr && value->number() != nullptr ? value->number()->ToInt64() : std::nullopt;
    ok = ok && read;
    return read.value_or(0);
  };
  Retired retired;
  retired.info.table_name = text(item, "table");
  retired.info.arn = text(item, "arn");
  retired.info.label = text(item, "label");
  retired.info.view_type = static_cast<StreamViewType>(number(item, "view"));
  retired.info.created_ms = number(item, "created");
  retired.info.space = static_cast<std::uint32_t>(number(item, "space"));
  const auto closed_at = ParseSequence(text(item, "closed_at"));
  const AttributeValue* keys = item.Find("keys");
  if (!ok || !closed_at || keys == nullptr || keys->list() == nullptr) {
    return Error{ErrorCode::kCorruption, "the catalog holds a stream that cannot be read"};
  }
  retired.closed_at = *closed_at;
  for (const AttributeValue& element : *keys->list()) {
    if (element.map() != nullptr) {
      retired.info.key_schema.push_back(
          {text(*element.map(), "name"), static_cast<KeyType>(number(*element.map(), "type"))});
    }
  }
  return retired;
}

// A table from before streams were kept says that it has one, but has no place for it.
Status GiveSpace(Engine& engine, const std::string& table_name) {
  PJ_RETURN_IF_ERROR(engine.catalog().Change(
      table_name,
      [&](const Table* current, SpaceAllocator& spaces) -> Result<std::unique_ptr<Table>> {
        auto next = CopyOf(*current);
        next->stream = MakeStream(*next, spaces.Allocate(), engine.clock().NowMs());
        return next;
      }));
  return {};
}

}  // namespace

Status StreamCatalog::Load(Engine& engine) {
  for (const TablePtr& table : engine.catalog().All()) {
    const auto& setting = table->description.stream;
    if (setting && setting->enabled && table->stream == nullptr) {
      PJ_RETURN_IF_ERROR(GiveSpace(engine, table->name()));
    }
  }
  Stream::Resumption from{.closed_at = std::nullopt,
                          .first = engine.history_numbers().first(),
                          .now_ms = engine.clock().NowMs()};
  for (const TablePtr& table : engine.catalog().All()) {
    if (table->stream != nullptr) {
      PJ_RETURN_IF_ERROR(table->stream->Load(store_, engine.options().streams, from));
      PJ_RETURN_IF_ERROR(Add(table->stream, {}));
    }
  }
  std::vector<Retired> stored;
  Status status;
  const storage::Range range = CatalogRange(kRetiredPrefix);
  PJ_RETURN_IF_ERROR(store_.Visit(range, [&](std::string_view, std::string_view value) {
    auto retired = DecodeRetired(value);
    if (!retired) {
      status = retired.error();
      return storage::Visit::kStop;
    }
    stored.push_back(*std::move(retired));
    return storage::Visit::kContinue;
  }));
  PJ_RETURN_IF_ERROR(status);
  for (Retired& retired : stored) {
    if (Find(retired.info.arn) != nullptr) {
      continue;  // A crash came between this note and the change it announced.
    }
    auto stream = std::make_shared<Stream>(std::move(retired.info));
    from.closed_at = retired.closed_at;
    PJ_RETURN_IF_ERROR(stream->Load(store_, engine.options().streams, from));
    Close(stream, retired.closed_at);
  }
  return {};
}

void StreamCatalog::Enable(Engine& engine, StreamViewType view_type, Table& table,
                           SpaceAllocator& spaces) {
  TableDescription& description = table.description;
  std::int64_t now_ms = engine.clock().NowMs();
  // Two streams of one name within a millisecond still need two labels.
  while (Find(description.arn + "/stream/" + StreamLabel(now_ms)) != nullptr) {
    ++now_ms;
  }
  description.stream = StreamSpecification{.enabled = true, .view_type = view_type};
  description.stream_label = StreamLabel(now_ms);
  table.stream = MakeStream(table, spaces.Allocate(), now_ms);
  // As on AWS: provisioned tables begin with one shard, and get more as they grow.
  StreamOptions options = engine.options().streams;
  if (description.billing_mode == BillingMode::kProvisioned) {
    options.shards = 1;
  }
  table.stream->Start(options, now_ms);
}

Result<storage::Ticket> StreamCatalog::Add(const StreamPtr& stream,
                                           std::vector<std::shared_future<void>> older_versions) {
  stream->AwaitWriters(std::move(older_versions));
  PJ_ASSIGN_OR_RETURN(const storage::Ticket ticket, stream->StoreShards(store_));
  WriterLock lock(mutex_);
  streams_[stream->info().arn] = {stream, std::nullopt};
  return ticket;
}

Result<SequenceNumber> StreamCatalog::Retire(const StreamPtr& stream, std::int64_t now_ms) {
  const SequenceNumber at = stream->Next(now_ms);
  const std::string keys[] = {RetiredKey(stream->info().arn)};
  PJ_RETURN_IF_ERROR(store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
    transaction.Put(keys[0], EncodeRetired(stream->info(), at));
    return {};
  }));
  return at;
}

void StreamCatalog::Close(const StreamPtr& stream, SequenceNumber at) {
  const SequenceNumber closed_at = stream->Close(at);
  WriterLock lock(mutex_);
  streams_[stream->info().arn] = {stream, closed_at};
}

StreamPtr StreamCatalog::Find(std::string_view arn) const {
  ReaderLock lock(mutex_);
  const auto found = streams_.find(arn);
  return found == streams_.end() ? nullptr : found->second.stream;
}

std::vector<StreamPtr> StreamCatalog::All() const {
  ReaderLock lock(mutex_);
  std::vector<StreamPtr> all;
  for (const auto& [arn, entry] : streams_) {
    all.push_back(entry.stream);
  }
  return all;
}

Result<std::vector<std::uint32_t>> StreamCatalog::ForgetTrimmed(std::int64_t now_ms) {
  std::vector<StreamPtr> old_streams;
  {
    WriterLock lock(mutex_);
    for (auto at = streams_.begin(); at != streams_.end();) {
      if (at->second.closed_at && *at->second.closed_at <= TrimPoint(now_ms)) {
        old_streams.push_back(at->second.stream);
        at = streams_.erase(at);
      } else {
        ++at;
      }
    }
  }
  std::vector<std::uint32_t> spaces;
  for (const StreamPtr& stream : old_streams) {
    const std::string keys[] = {RetiredKey(stream->info().arn)};
    PJ_RETURN_IF_ERROR(store_.Transact(keys, [&](storage::Transaction& transaction) -> Status {
      transaction.Delete(keys[0]);
      transaction.Put(DroppedKey(stream->info().space), "");
      return {};
    }));
    spaces.push_back(stream->info().space);
  }
  return spaces;
}

}  // namespace prejoin::engine
