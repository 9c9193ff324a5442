#include "cli/stored_items.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/transfer/item_files.h"
#include "json/attribute_value.h"
#include "json/reader.h"
#include "transfer/byte_source.h"
#include "transfer/import_job.h"

namespace prejoin::cli {
namespace {

using transfer::LineFormat;

constexpr std::size_t kDocumentBytesMax = 1u << 30;
constexpr std::size_t kPeekBytes = 1u << 20;

transfer::Compression CompressionOf(const std::string& path) {
  if (path.ends_with(".gz")) {
    return transfer::Compression::kGzip;
  }
  return path.ends_with(".zst") ? transfer::Compression::kZstd : transfer::Compression::kNone;
}

// At most `size` bytes.
Result<std::string> ReadStart(const std::string& path, std::size_t size) {
  PJ_ASSIGN_OR_RETURN(const auto source, transfer::OpenByteSource(path, CompressionOf(path)));
  std::string text;
  std::array<char, 64 * 1024> buffer;
  while (text.size() < size) {
    PJ_ASSIGN_OR_RETURN(const std::size_t count, source->Read(buffer.data(), buffer.size()));
    if (count == 0) {
      break;
    }
    text.append(buffer.data(), count);
  }
  return text;
}

bool IsObject(const std::optional<json::Value>& value) {
  return value && value->type() == json::Type::kObject;
}

// The format that the first line shows; nullopt: it is no line of items, so the file may be one document.
std::optional<LineFormat> FormatOfLine(std::string_view line) {
  const auto document = json::Document::Parse(line);
  if (!document || document->root().type() != json::Type::kObject) {
    return std::nullopt;
  }
  if (document->root().Find("Items")) {
    return std::nullopt;
  }
  const bool wrapped = document->root().size() == 1 && IsObject(document->root().Find("Item"));
  return wrapped ? LineFormat::kWrapped : LineFormat::kBare;
}

Status VisitDocument(const std::string& path, const ItemVisit& visit) {
  PJ_ASSIGN_OR_RETURN(const std::string text, ReadStart(path, kDocumentBytesMax));
  const auto document = json::Document::Parse(text);
  if (!document) {
    return ValidationError(
        path + " is neither lines of items nor one JSON document: " + document.error().message);
  }
  auto items = document->root().type() == json::Type::kObject ? document->root().Find("Items")
                                                              : std::optional(document->root());
  if (!items || items->type() != json::Type::kArray) {
    return ValidationError(path +
                           " has no Items; wanted: lines of items, the answer of a Scan, or "
                           "an array of items");
  }
  ReadProgress progress{0, text.size()};
  for (const json::Value element : items->elements()) {
    const bool wrapped = element.type() == json::Type::kObject && element.size() == 1 &&
                         IsObject(element.Find("Item"));
    const auto item = json::ReadItem(wrapped ? *element.Find("Item") : element);
    if (!item) {
      return ValidationError(path + ", element " + std::to_string(progress.items + 1) + ": " +
                             item.error().message);
    }
    ++progress.items;
    PJ_RETURN_IF_ERROR(visit.item(*item));
  }
  return {};
}

// An error of `visit` ends the reading as it is; the import would take a kValidation for the item's fault.
class VisitSink : public transfer::ItemSink {
 public:
  explicit VisitSink(const ItemVisit& visit) : visit_(visit) {}
  Status Add(Item item) override {
    if (status_) {
      status_ = visit_.item(item);
    }
    return {};
  }
  Status Remove(Item) override { return {}; }
  Status Finish() override { return {}; }
  const Status& status() const { return status_; }

 private:
  const ItemVisit& visit_;
  Status status_;
};

Status VisitLines(ItemFiles files, LineFormat format, const ItemVisit& visit) {
  VisitSink sink(visit);
  std::string first_error;
  transfer::ImportSource source;
  source.format = format;
  source.files = std::move(files.files);
  source.compression = std::nullopt;
  transfer::ImportProgress progress;
  PJ_RETURN_IF_ERROR(ImportFiles(source, sink,
                                 {.on_progress =
                                      [&](const transfer::ImportProgress& now) {
                                        if (visit.progress) {
                                          visit.progress({now.processed, now.file_bytes});
                                        }
                                        return sink.status().has_value();
                                      },
                                  .on_error =
                                      [&](const std::string& place, const std::string& why) {
                                        if (first_error.empty()) {
                                          first_error = place + ": " + why;
                                        }
                                      }},
                                 progress));
  PJ_RETURN_IF_ERROR(sink.status());
  if (!first_error.empty()) {
    return ValidationError(first_error);
  }
  return {};
}

}  // namespace

Status EachStoredItem(const std::string& path, const ItemVisit& visit) {
  PJ_ASSIGN_OR_RETURN(ItemFiles files, FindItemFiles(path));
  if (files.incremental) {
    return ValidationError(
        path + " is an incremental export, which holds changes only; wanted: a full one");
  }
  if (files.Format() == LineFormat::kCsv) {
    return ValidationError(path + " is CSV, which has no types; wanted: DynamoDB's JSON");
  }
  PJ_ASSIGN_OR_RETURN(const std::string start, ReadStart(files.files[0].path, kPeekBytes));
  const auto format = FormatOfLine(std::string_view(start).substr(0, start.find('\n')));
  if (format) {
    return VisitLines(std::move(files), *format, visit);
  }
  for (const transfer::ObjectFile& file : files.files) {
    PJ_RETURN_IF_ERROR(VisitDocument(file.path, visit));
  }
  return {};
}

std::string BesideModel(const std::string& model_path, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.is_absolute() || model_path == "-") {
    return file;
  }
  return (std::filesystem::path(model_path).parent_path() / path).string();
}

}  // namespace prejoin::cli
