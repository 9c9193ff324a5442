#include "transfer/transfer_codec.h"

#include <utility>

#include "value/encoding.h"

namespace prejoin::transfer {
namespace {

// One list of members serves both directions: a Writer puts them into an item, a Reader takes them
// out again.
class Writer {
 public:
  void Text(std::string_view name, const std::string& value) {
    if (!value.empty()) {
      item_.Set(std::string(name), value);
    }
  }
  void Number(std::string_view name, const std::int64_t& value) {
    item_.Set(std::string(name), value);
  }
  void Optional(std::string_view name, const std::optional<std::string>& value) {
    if (value) {
      item_.Set(std::string(name), *value);
    }
  }
  void Optional(std::string_view name, const std::optional<std::int64_t>& value) {
    if (value) {
      item_.Set(std::string(name), *value);
    }
  }
  template <class Enum>
  void Code(std::string_view name, const Enum& value) {
    item_.Set(std::string(name), static_cast<std::int64_t>(value));
  }
  template <class Enum>
  void OptionalCode(std::string_view name, const std::optional<Enum>& value) {
    if (value) {
      Code(name, *value);
    }
  }
  bool Has(const std::optional<IncrementalSpecification>& value) const { return value.has_value(); }
  std::string Finish() const { return EncodeItem(item_); }

 private:
  Item item_;
};

class Reader {
 public:
  explicit Reader(const Item& item) : item_(item) {}

  void Text(std::string_view name, std::string& value) const {
    if (const AttributeValue* found = item_.Find(name); found && found->string()) {
      value = *found->string();
    }
  }
  void Number(std::string_view name, std::int64_t& value) {
    const AttributeValue* found = item_.Find(name);
    const auto number = found && found->number() ? found->number()->ToInt64() : std::nullopt;
    ok_ = ok_ && number;
    value = number.value_or(value);
  }
  void Optional(std::string_view name, std::optional<std::string>& value) const {
    if (item_.Find(name)) {
      Text(name, value.emplace());
    }
  }
  void Optional(std::string_view name, std::optional<std::int64_t>& value) {
    if (item_.Find(name)) {
      Number(name, value.emplace());
    }
  }
  template <class Enum>
  void Code(std::string_view name, Enum& value) {
    std::int64_t number = 0;
    Number(name, number);
    value = static_cast<Enum>(number);
  }
  template <class Enum>
  void OptionalCode(std::string_view name, std::optional<Enum>& value) {
    if (item_.Find(name)) {
      Code(name, value.emplace());
    }
  }
  bool Has(std::optional<IncrementalSpecification>& value) {
    if (item_.Find("from")) {
      value.emplace();
    }
    return value.has_value();
  }
  bool ok() const { return ok_; }

 private:
  const Item& item_;
  bool ok_ = true;
};

template <class Archive, class Description>
void ImportMembers(Archive& archive, Description& import) {
  archive.Text("id", import.id);
  archive.Text("arn", import.arn);
  archive.Code("status", import.status);
  archive.Text("table", import.table_name);
  archive.Text("table_arn", import.table_arn);
  archive.Text("table_id", import.table_id);
  archive.Text("token", import.client_token);
  archive.Text("echo", import.echo);
  archive.Text("summary", import.summary_echo);
  archive.Number("started", import.started_ms);
  archive.Number("ended", import.ended_ms);
  archive.Number("bytes", import.processed_bytes);
  archive.Number("processed", import.processed_items);
  archive.Number("imported", import.imported_items);
  archive.Number("errors", import.errors);
  archive.Text("failure", import.failure_code);
  archive.Text("failure_message", import.failure_message);
}

template <class Archive, class Description>
void ExportMembers(Archive& archive, Description& exported) {
  archive.Text("id", exported.id);
  archive.Text("arn", exported.arn);
  archive.Code("status", exported.status);
  auto& input = exported.input;
  archive.Text("table_arn", input.table_arn);
  archive.Text("bucket", input.bucket);
  archive.Optional("owner", input.bucket_owner);
  archive.Optional("prefix", input.prefix);
  archive.Optional("sse", input.sse_algorithm);
  archive.Optional("sse_key", input.sse_kms_key);
  archive.OptionalCode("format", input.format);
  archive.OptionalCode("type", input.type);
  archive.Optional("time", input.time_ms);
  if (archive.Has(input.incremental)) {
    archive.Optional("from", input.incremental->from_ms);
    archive.Optional("to", input.incremental->to_ms);
    archive.OptionalCode("view", input.incremental->view);
  }
  archive.Optional("token", input.client_token);
  archive.Text("table_id", exported.table_id);
  archive.Number("started", exported.started_ms);
  archive.Number("ended", exported.ended_ms);
  archive.Text("manifest", exported.manifest_key);
  archive.Number("items", exported.item_count);
  archive.Number("billed", exported.billed_bytes);
  archive.Text("failure", exported.failure_code);
  archive.Text("failure_message", exported.failure_message);
}

Error NotATransfer() {
  return Error{ErrorCode::kCorruption, "the catalog holds an import or export that cannot be read"};
}

}  // namespace

std::string Encode(const ImportDescription& description) {
  Writer writer;
  ImportMembers(writer, description);
  return writer.Finish();
}

std::string Encode(const ExportDescription& description) {
  Writer writer;
  ExportMembers(writer, description);
  return writer.Finish();
}

Status Decode(std::string_view bytes, ImportDescription& description) {
  PJ_RETURN_IF_ERROR(ValidateItemBody(bytes));
  const Item item = ItemView(bytes).Decode();
  Reader reader(item);
  ImportMembers(reader, description);
  return reader.ok() ? Status() : Status(NotATransfer());
}

Status Decode(std::string_view bytes, ExportDescription& description) {
  PJ_RETURN_IF_ERROR(ValidateItemBody(bytes));
  const Item item = ItemView(bytes).Decode();
  Reader reader(item);
  ExportMembers(reader, description);
  return reader.ok() ? Status() : Status(NotATransfer());
}

}  // namespace prejoin::transfer
