#include "transfer/import_job.h"

#include <algorithm>
#include <utility>

#include "base/transfer_limits.h"
#include "transfer/csv_reader.h"
#include "transfer/item_lines.h"
#include "transfer/line_reader.h"
#include "value/base64.h"
#include "value/encoding.h"

namespace prejoin::transfer {
namespace {

constexpr std::int64_t kItemsPerReport = 1000;

Compression CompressionOf(const ImportSource& source, const ObjectFile& file) {
  if (source.compression) {
    return *source.compression;
  }
  if (file.path.ends_with(".gz")) {
    return Compression::kGzip;
  }
  return file.path.ends_with(".zst") ? Compression::kZstd : Compression::kNone;
}

bool IsBlank(const std::string& line) { return line.find_first_not_of(" \t") == std::string::npos; }

Error ImportStopped() { return Error{ErrorCode::kUnavailable, "the import was stopped"}; }

// Counts and reports while the files go by.
class Importer {
 public:
  Importer(const ImportSource& source, ItemSink& sink, const ImportCallbacks& callbacks,
           ImportProgress& progress)
      : source_(source), sink_(sink), callbacks_(callbacks), progress_(progress) {}

  Status ImportFile(const ObjectFile& file) {
    bytes_before_ = progress_.file_bytes;
    auto bytes = OpenByteSource(file.path, CompressionOf(source_, file));
    if (!bytes) {
      return bytes.error();
    }
    return source_.format == LineFormat::kCsv ? ImportRecords(file, *std::move(bytes))
                                              : ImportLines(file, *std::move(bytes));
  }

  Status Report() {
    if (callbacks_.on_progress && !callbacks_.on_progress(progress_)) {
      return ImportStopped();
    }
    return {};
  }

 private:
  Status ImportLines(const ObjectFile& file, std::unique_ptr<ByteSource> bytes) {
    LineReader lines(std::move(bytes), kImportLineBytesMax);
    std::string line;
    for (std::int64_t number = 1;; ++number) {
      auto read = lines.Next(line);
      progress_.file_bytes = bytes_before_ + lines.source().file_bytes_read();
      if (!read) {
        return FileBroken(file, number, std::move(read).error());
      }
      if (*read == LineReader::Line::kEnd) {
        return {};
      }
      if (*read == LineReader::Line::kTooLong) {
        PJ_RETURN_IF_ERROR(ItemBroken(file, number, "the line is too long"));
      } else if (!IsBlank(line)) {
        PJ_RETURN_IF_ERROR(Take(file, number, ParseLine(line)));
      }
    }
  }

  Result<ItemOrKey> ParseLine(const std::string& line) const {
    if (source_.format == LineFormat::kChanges) {
      return ParseChange(line);
    }
    PJ_ASSIGN_OR_RETURN(Item item, source_.format == LineFormat::kWrapped ? ParseWrappedItem(line)
                                                                          : ParseBareItem(line));
    return ItemOrKey{.item = std::move(item)};
  }

  Status ImportRecords(const ObjectFile& file, std::unique_ptr<ByteSource> bytes) {
    CsvReader records(std::move(bytes), source_.delimiter, kImportLineBytesMax);
    std::optional<std::vector<Column>> columns;
    if (source_.headers) {
      columns = ColumnsOf(*source_.headers);
    }
    std::vector<std::string> fields;
    for (std::int64_t number = 1;; ++number) {
      auto read = records.Next(fields);
      progress_.file_bytes = bytes_before_ + records.source().file_bytes_read();
      if (!read) {
        return FileBroken(file, number, std::move(read).error());
      }
      if (*read == CsvReader::Record::kEnd) {
        return {};
      }
      if (*read != CsvReader::Record::kRead) {
        PJ_RETURN_IF_ERROR(ItemBroken(file, number,
                                      *read == CsvReader::Record::kTooLong
                                          ? "the record is too long"
                                          : "text follows a closing quote"));
      } else if (!columns) {
        columns = ColumnsOf(fields);
      } else {
        PJ_RETURN_IF_ERROR(Take(file, number, MakeItem(*columns, fields)));
      }
    }
  }

  struct Column {
    std::string name;
    std::size_t field = 0;
    std::optional<ScalarType> key_type;
  };

  // In the order of their names, in which an item takes attributes without moving others. If two have the same name, the last counts.
  std::vector<Column> ColumnsOf(const std::vector<std::string>& headers) const {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < headers.size(); ++i) {
      const auto key =
          std::ranges::find(source_.key_types, headers[i], &AttributeDefinition::attribute_name);
      columns.push_back({headers[i], i, std::nullopt});
      if (key != source_.key_types.end()) {
        columns.back().key_type = key->type;
      }
    }
    std::ranges::stable_sort(
        columns, [](const Column& a, const Column& b) { return CompareNames(a.name, b.name) < 0; });
    return columns;
  }

  Result<ItemOrKey> MakeItem(const std::vector<Column>& columns,
                             std::vector<std::string>& fields) const {
    if (fields.size() != columns.size()) {
      return ValidationError("the record has " + std::to_string(fields.size()) + " fields, not " +
                             std::to_string(columns.size()));
    }
    Item item;
    for (const Column& column : columns) {
      std::string& field = fields[column.field];
      if (!column.key_type) {
        item.Set(column.name, std::move(field));
      } else if (!field.empty()) {  // Empty: not there. A table's key is missed by the sink.
        PJ_ASSIGN_OR_RETURN(AttributeValue value, KeyValue(*column.key_type, field));
        item.Set(column.name, std::move(value));
      }
    }
    return ItemOrKey{.item = std::move(item)};
  }

  Result<AttributeValue> KeyValue(ScalarType type, const std::string& field) const {
    switch (type) {
      case ScalarType::kString:
        return AttributeValue(field);
      case ScalarType::kNumber:
        if (const auto number = Number::Parse(field)) {
          return AttributeValue(*number);
        }
        return ValidationError("not a number: " + field);
      case ScalarType::kBinary:
        break;
    }
    auto bytes = DecodeBase64(field);
    if (!bytes) {
      return ValidationError("not base64");
    }
    return AttributeValue(AttributeValue::Binary{*std::move(bytes)});
  }

  Status Take(const ObjectFile& file, std::int64_t number, Result<ItemOrKey> line) {
    if (!line) {
      return ItemBroken(file, number, line.error().message);
    }
    const Status taken =
        line->deleted ? sink_.Remove(std::move(line->item)) : sink_.Add(std::move(line->item));
    if (!taken) {
      if (taken.error().code != ErrorCode::kValidation) {
        return taken;
      }
      return ItemBroken(file, number, taken.error().message);
    }
    ++progress_.imported;
    return Processed();
  }

  Status ItemBroken(const ObjectFile& file, std::int64_t number, const std::string& why) {
    ++progress_.errors;
    if (callbacks_.on_error) {
      callbacks_.on_error(file.key + ":" + std::to_string(number), why);
    }
    return Processed();
  }

  // Bytes that are not what they should be spoil the file; a disk that fails ends the import.
  Status FileBroken(const ObjectFile& file, std::int64_t number, Error error) {
    if (error.code != ErrorCode::kValidation) {
      return error;
    }
    return ItemBroken(file, number, error.message);
  }

  Status Processed() { return ++progress_.processed % kItemsPerReport == 0 ? Report() : Status(); }

  const ImportSource& source_;
  ItemSink& sink_;
  const ImportCallbacks& callbacks_;
  ImportProgress& progress_;
  std::uint64_t bytes_before_ = 0;
};

}  // namespace

Status ImportFiles(const ImportSource& source, ItemSink& sink, const ImportCallbacks& callbacks,
                   ImportProgress& progress) {
  Importer importer(source, sink, callbacks, progress);
  for (const ObjectFile& file : source.files) {
    PJ_RETURN_IF_ERROR(importer.ImportFile(file));
  }
  PJ_RETURN_IF_ERROR(sink.Finish());
  return importer.Report();
}

}  // namespace prejoin::transfer
