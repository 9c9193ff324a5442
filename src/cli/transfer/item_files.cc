#include "cli/transfer/item_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "json/reader.h"

namespace prejoin::cli {
namespace {

namespace fs = std::filesystem;

// Manifests and what else an export has besides items.
bool IsAside(const std::string& name) {
  return name.starts_with("manifest-") || name == "_started" || name == "table.json" ||
         name.ends_with(".md5") || name.ends_with(".checksum");
}

// A directory that holds exports: the only one in it.
Result<fs::path> FindExport(const fs::path& path) {
  const fs::path exports = path / "AWSDynamoDB";
  std::error_code code;
  if (!fs::is_directory(exports, code)) {
    return path;
  }
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(exports, code)) {
    if (fs::exists(entry.path() / "manifest-summary.json", code)) {
      found.push_back(entry.path());
    }
  }
  if (found.size() != 1) {
    return ValidationError(path.string() + " has " + std::to_string(found.size()) +
                           " finished exports; name one of them: " + exports.string() + "/ID");
  }
  return found[0];
}

std::string ReadWhole(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A text in a JSON object; empty if it is not there.
std::string TextMember(const std::string& text, std::string_view name) {
  const auto document = json::Document::Parse(text);
  const auto member = document ? document->root().Find(name) : std::nullopt;
  return member && member->type() == json::Type::kString ? std::string(member->string()) : "";
}

// Returns true if the first line is an item inside {"Item": …}, as AWS's exports have it, and not an item that
// has an attribute of that name: the attributes of an item are objects themselves, the values of one are not.
bool BeginsWrapped(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    return false;
  }
  const auto document = json::Document::Parse(line);
  if (!document || document->root().type() != json::Type::kObject) {
    return false;
  }
  const auto item = document->root().Find("Item");
  if (!item || item->type() != json::Type::kObject) {
    return false;
  }
  for (const auto field : document->root().fields()) {
    if (field.name != "Item") {
      return false;
    }
  }
  for (const auto field : item->fields()) {
    if (field.value.type() != json::Type::kObject) {
      return false;
    }
  }
  return true;
}

// The data of incremental exports lies together in one folder; the manifest says which is whose.
Result<ItemFiles> FindIncremental(const fs::path& root) {
  ItemFiles found{.incremental = true};
  std::istringstream manifest(ReadWhole(root / "manifest-files.json"));
  for (std::string line; std::getline(manifest, line);) {
    const std::string key = TextMember(line, "dataFileS3Key");
    if (key.empty()) {
      continue;
    }
    const std::string name = fs::path(key).filename().string();
    std::error_code code;
    for (const fs::path& folder : {root / "data", root.parent_path() / "data"}) {
      if (fs::is_regular_file(folder / name, code)) {
        found.files.push_back({name, (folder / name).string(), fs::file_size(folder / name, code)});
        break;
      }
    }
    if (found.files.empty() || found.files.back().key != name) {
      return Error{ErrorCode::kIo, name + ", which the manifest names, is missing"};
    }
  }
  return found;
}

}  // namespace

Result<ItemFiles> FindItemFiles(const std::string& given) {
  std::error_code code;
  ItemFiles found;
  const fs::path path(given);
  if (fs::is_regular_file(path, code)) {
    found.files.push_back({given, given, fs::file_size(path, code)});
    return found;
  }
  if (!fs::is_directory(path, code)) {
    return Error{ErrorCode::kIo, given + ": there is no such file or directory"};
  }
  PJ_ASSIGN_OR_RETURN(const fs::path root, FindExport(path));
  if (TextMember(ReadWhole(root / "manifest-summary.json"), "exportType") == "INCREMENTAL_EXPORT") {
    return FindIncremental(root);
  }
  if (fs::exists(root / "table.json", code)) {
    found.create_table = ReadWhole(root / "table.json");
  }
  const fs::path folder = fs::is_directory(root / "data", code) ? root / "data" : root;
  for (const auto& entry : fs::recursive_directory_iterator(folder, code)) {
    if (entry.is_regular_file(code) && !IsAside(entry.path().filename().string())) {
      found.files.push_back({entry.path().lexically_relative(path).string(), entry.path().string(),
                             entry.file_size(code)});
    }
  }
  std::ranges::sort(found.files, {}, &transfer::ObjectFile::key);
  if (found.files.empty()) {
    return ValidationError(given + " has no files of items");
  }
  return found;
}

transfer::LineFormat ItemFiles::Format() const {
  using transfer::LineFormat;
  if (incremental) {
    return LineFormat::kChanges;
  }
  std::string name = files[0].path;
  for (const char* compression : {".gz", ".zst"}) {
    if (name.ends_with(compression)) {
      name.resize(name.rfind('.'));
    }
  }
  if (name.ends_with(".csv")) {
    return LineFormat::kCsv;
  }
  if (!name.ends_with(".jsonl") && !name.ends_with(".ndjson")) {
    return LineFormat::kWrapped;
  }
  return BeginsWrapped(files[0].path) ? LineFormat::kWrapped : LineFormat::kBare;
}

}  // namespace prejoin::cli
