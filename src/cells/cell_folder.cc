#include "cells/cell_folder.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/uuid.h"
#include "cells/cell_store.h"
#include "cells/overlay_store.h"
#include "cells/slices.h"
#include "storage/rocks_store.h"
#include "storage/store_directory.h"
#include "storage/store_folder.h"

namespace prejoin::cells {
namespace {

using storage::kCellFeature;
using storage::kCellsFeature;

constexpr std::string_view kCreating = "-creating";

// The marker of a database of cells says: "cells-8-ID", or "cells-8-ID-creating" until all are there.
struct Layout {
  std::size_t count = 0;
  std::string id;
  bool creating = false;
};

std::string NameOf(const Layout& layout) {
  return std::string(kCellsFeature) + std::to_string(layout.count) + "-" + layout.id +
         (layout.creating ? std::string(kCreating) : "");
}

std::string FeatureOfCell(const Layout& layout, std::size_t cell) {
  return std::string(kCellFeature) + std::to_string(cell) + "-of-" + std::to_string(layout.count) +
         "-" + layout.id;
}

std::string FolderOfCell(const std::string& path, std::size_t cell) {
  return path + (cell < 10 ? "/cell-0" : "/cell-") + std::to_string(cell);
}

Result<Layout> ParseLayout(const std::string& path, std::string_view feature) {
  Layout layout;
  const std::string_view text = feature.substr(kCellsFeature.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layout.count);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || !IsCellCount(layout.count) || layout.count < 2 ||
      !rest.starts_with('-')) {
    return Error{ErrorCode::kValidation, path + " needs a newer version of Prejoin: it has \"" +
                                             std::string(feature) + "\". Nothing was changed."};
  }
  rest.remove_prefix(1);
  layout.creating = rest.ends_with(kCreating);
  layout.id = rest.substr(0, rest.size() - (layout.creating ? kCreating.size() : 0));
  return layout;
}

Error OtherCount(const std::string& path, std::size_t has, std::size_t wanted) {
  const auto cells = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " cell" : " cells");
  };
  return ValidationError(path + " was made with " + cells(has) + ", not " + std::to_string(wanted) +
                         ", and the number cannot change. Start with --cells " +
                         std::to_string(has) + " or without --cells, or import an export into a new "
                         "database. Nothing was changed.");
}

// Nullopt: a single store, or nothing yet.
Result<std::optional<Layout>> LayoutOf(const std::string& path,
                                       const storage::DirectoryContent& content) {
  for (const std::string& feature : content.features) {
    if (feature.starts_with(kCellFeature)) {
      return ValidationError(path + " is one cell of a database. Open the directory above it.");
    }
    if (feature.starts_with(kCellsFeature)) {
      PJ_ASSIGN_OR_RETURN(Layout layout, ParseLayout(path, feature));
      return std::optional(std::move(layout));
    }
  }
  return std::optional<Layout>();
}

Result<std::unique_ptr<storage::Store>> OpenCell(storage::RocksStoreOptions options,
                                                 const Layout& layout, std::size_t cell) {
  options.path = FolderOfCell(options.path, cell);
  options.block_cache_bytes /= layout.count;
  const std::string feature = FeatureOfCell(layout, cell);
  options.known_features.push_back(feature);
  if (layout.creating) {
    PJ_ASSIGN_OR_RETURN(std::unique_ptr<storage::Store> store, storage::OpenRocksStore(options));
    PJ_RETURN_IF_ERROR(store->Need(feature));
    return store;
  }
  // Otherwise a new, empty cell would take the place of one that was lost.
  const auto folder = storage::DiskFolder(options.path);
  PJ_ASSIGN_OR_RETURN(const storage::DirectoryContent content,
                      storage::LookIntoStoreDirectory(*folder));
  if (std::ranges::find(content.features, feature) == content.features.end()) {
    return Error{ErrorCode::kCorruption,
                 "cannot open " + options.path + ": it is not cell " + std::to_string(cell) +
                     " of this database. Nothing was changed. Restore the whole database from one copy."};
  }
  return storage::OpenRocksStore(options);
}

Result<std::unique_ptr<storage::Store>> OpenAll(const storage::RocksStoreOptions& options,
                                                Layout layout) {
  if (options.sync == storage::SyncMode::kNone) {
    return ValidationError(
        "several cells need synced writes: after a crash of the machine, their logs would end at "
        "different moments. Leave --sync none out, or use one cell.");
  }
  Cells cells;
  for (std::size_t cell = 0; cell < layout.count; ++cell) {
    PJ_ASSIGN_OR_RETURN(cells.emplace_back(), OpenCell(options, layout, cell));
  }
  if (layout.creating) {
    layout.creating = false;
    PJ_RETURN_IF_ERROR(
        storage::MarkStoreDirectory(*storage::DiskFolder(options.path), NameOf(layout)));
  }
  return OpenCellStore(std::move(cells), Durability::kKeepsData);
}

// Opens the folders from `next` on, one inside the other, since each is open only as long as its work runs.
Status ReadFrom(const std::vector<CellFolder>& folders, std::size_t next, Cells& cells,
                FunctionRef<Status(storage::Store&)> work) {
  if (next == folders.size()) {
    PJ_ASSIGN_OR_RETURN(const auto store, OpenCellStore(std::move(cells), Durability::kKeepsNothing));
    return work(*store);
  }
  return storage::ReadRocksStore(
      folders[next].path,
      [&](storage::Store& cell) {
        cells.push_back(std::make_unique<OverlayStore>(cell));
        return ReadFrom(folders, next + 1, cells, work);
      },
      folders[next].feature);
}

}  // namespace

Result<std::vector<CellFolder>> CellFoldersIn(const std::string& path) {
  PJ_ASSIGN_OR_RETURN(const storage::DirectoryContent content,
                      storage::LookIntoStoreDirectory(*storage::DiskFolder(path)));
  PJ_ASSIGN_OR_RETURN(const auto layout, LayoutOf(path, content));
  if (!layout) {
    return std::vector{CellFolder{.path = path, .feature = {}}};
  }
  if (layout->creating) {
    return ValidationError(path + " is not ready: the start that makes its cells was interrupted. Start it again.");
  }
  std::vector<CellFolder> folders;
  for (std::size_t cell = 0; cell < layout->count; ++cell) {
    folders.push_back({.path = FolderOfCell(path, cell), .feature = FeatureOfCell(*layout, cell)});
  }
  return folders;
}

Status ReadCells(const std::string& path, FunctionRef<Status(storage::Store&)> work) {
  PJ_ASSIGN_OR_RETURN(const std::vector<CellFolder> folders, CellFoldersIn(path));
  if (folders.size() == 1) {
    return storage::ReadRocksStore(path, work);
  }
  Cells cells;
  return ReadFrom(folders, 0, cells, work);
}

Result<std::unique_ptr<storage::Store>> OpenCells(const storage::RocksStoreOptions& options,
                                                  std::size_t count) {
  const auto folder = storage::DiskFolder(options.path);
  PJ_ASSIGN_OR_RETURN(const storage::DirectoryContent content,
                      storage::LookIntoStoreDirectory(*folder));
  PJ_ASSIGN_OR_RETURN(const auto layout, LayoutOf(options.path, content));
  if (layout) {
    if (count != 0 && count != layout->count) {
      return OtherCount(options.path, layout->count, count);
    }
    return OpenAll(options, *layout);
  }
  if (count <= 1) {
    return storage::OpenRocksStore(options);
  }
  if (content.marked) {
    return OtherCount(options.path, 1, count);
  }
  if (!content.unused) {
    return ValidationError(options.path + " has files but is not a Prejoin data directory");
  }
  const Layout made{.count = count, .id = NewUuid(), .creating = true};
  PJ_RETURN_IF_ERROR(storage::MarkStoreDirectory(*folder, NameOf(made)));
  return OpenAll(options, made);
}

}  // namespace prejoin::cells
