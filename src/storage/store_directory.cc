#include "storage/store_directory.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace prejoin::storage {
namespace {

constexpr char kMarkerName[] = "PREJOIN";
constexpr std::string_view kMagic = "prejoin store ";
constexpr std::string_view kReadyLine = "prejoin store 1 ready\n";
constexpr std::string_view kCreatingLine = "prejoin store 1 creating\n";
constexpr std::string_view kNeeds = "needs ";
constexpr std::size_t kMarkerBytesMax = 4096;

// Empty apart from files that an interrupted first start may leave.
Result<bool> IsUnused(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const std::vector<StoreFolder::Entry> entries, folder.List());
  return std::ranges::all_of(entries, [](const StoreFolder::Entry& entry) {
    return entry.name == std::string(kMarkerName) + ".new" || entry.name == "lost+found";
  });
}

struct Marker {
  DirectoryState state = DirectoryState::kReady;
  std::vector<std::string> features;
};

Result<Marker> ParseMarker(const std::string& path, std::string_view content) {
  const std::string name = path + "/" + kMarkerName;
  Marker marker;
  if (content.starts_with(kReadyLine)) {
    content.remove_prefix(kReadyLine.size());
  } else if (content == kCreatingLine) {
    marker.state = DirectoryState::kCreating;
    return marker;
  } else if (content.starts_with(kMagic)) {
    return Error{ErrorCode::kValidation,
                 path + " was written by another version of Prejoin, in a format unknown here"};
  } else {
    return Error{ErrorCode::kCorruption, name + " is damaged"};
  }
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    if (end == std::string_view::npos || !content.starts_with(kNeeds)) {
      return Error{ErrorCode::kCorruption, name + " is damaged"};
    }
    marker.features.emplace_back(content.substr(kNeeds.size(), end - kNeeds.size()));
    content.remove_prefix(end + 1);
  }
  return marker;
}

Result<Marker> MarkerOf(StoreFolder& folder) {
  PJ_ASSIGN_OR_RETURN(const std::string content, folder.Read(kMarkerName, kMarkerBytesMax));
  return ParseMarker(folder.path(), content);
}

// The marker of a directory that is ready.
std::string LinesOf(const std::vector<std::string>& features) {
  std::string content(kReadyLine);
  for (const std::string& needed : features) {
    content.append(kNeeds).append(needed).push_back('\n');
  }
  return content;
}

Status CheckKnown(const std::string& path, const Marker& marker,
                  const std::vector<std::string>& known_features) {
  for (const std::string& feature : marker.features) {
    if (std::ranges::find(known_features, feature) == known_features.end()) {
      return Error{ErrorCode::kValidation,
                   path + " needs a newer version of Prejoin: it uses \"" + feature +
                       "\", which this one does not know. Nothing was changed."};
    }
  }
  return {};
}

}  // namespace

Result<DirectoryState> ClaimStoreDirectory(StoreFolder& folder,
                                           const std::vector<std::string>& known_features) {
  PJ_RETURN_IF_ERROR(folder.Create());
  if (!folder.Has(kMarkerName)) {
    PJ_ASSIGN_OR_RETURN(const bool unused, IsUnused(folder));
    if (!unused) {
      return Error{ErrorCode::kValidation,
                   folder.path() + " has files but is not a Prejoin data directory"};
    }
    folder.Protect();
    PJ_RETURN_IF_ERROR(folder.Replace(kMarkerName, kCreatingLine));
    return DirectoryState::kCreating;
  }
  PJ_ASSIGN_OR_RETURN(const Marker marker, MarkerOf(folder));
  PJ_RETURN_IF_ERROR(CheckKnown(folder.path(), marker, known_features));
  folder.Protect();
  return marker.state;
}

Status CheckStoreDirectory(StoreFolder& folder, std::string_view cell) {
  if (!folder.Has(kMarkerName)) {
    return Error{ErrorCode::kValidation, folder.path() + " is not a Prejoin data directory"};
  }
  PJ_ASSIGN_OR_RETURN(const Marker marker, MarkerOf(folder));
  if (!cell.empty() && std::ranges::find(marker.features, cell) == marker.features.end()) {
    return Error{ErrorCode::kValidation,
                 folder.path() + " is not the cell that the database has here. Nothing was changed. Restore the "
                                 "whole database from one copy."};
  }
  for (const std::string& feature : marker.features) {
    if (feature != cell && (feature.starts_with(kCellsFeature) || feature.starts_with(kCellFeature))) {
      return Error{ErrorCode::kValidation,
                   folder.path() +
                       " belongs to a database of several cells. Their logs belong together, so only `prejoin serve --data` and "
                       "`prejoin verify` open it, as a whole. Nothing was changed."};
    }
  }
  return {};
}

Result<DirectoryContent> LookIntoStoreDirectory(StoreFolder& folder) {
  DirectoryContent content;
  if (folder.Has(kMarkerName)) {
    PJ_ASSIGN_OR_RETURN(Marker marker, MarkerOf(folder));
    content.marked = true;
    content.features = std::move(marker.features);
    return content;
  }
  if (folder.Has(".")) {
    PJ_ASSIGN_OR_RETURN(content.unused, IsUnused(folder));
  } else {
    content.unused = true;
  }
  return content;
}

Status MarkStoreDirectory(StoreFolder& folder, const std::string& feature) {
  PJ_RETURN_IF_ERROR(folder.Create());
  folder.Protect();
  return folder.Replace(kMarkerName, LinesOf({feature}));
}

Status MarkStoreDirectoryReady(StoreFolder& folder) {
  return folder.Replace(kMarkerName, kReadyLine);
}

Status AddFeature(StoreFolder& folder, const std::string& feature) {
  PJ_ASSIGN_OR_RETURN(Marker marker, MarkerOf(folder));
  if (std::ranges::find(marker.features, feature) != marker.features.end()) {
    return {};
  }
  marker.features.push_back(feature);
  return folder.Replace(kMarkerName, LinesOf(marker.features));
}

}  // namespace prejoin::storage
