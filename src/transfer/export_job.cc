#include "transfer/export_job.h"

#include <optional>
#include <string>

#include "engine/history/table_at.h"
#include "engine/item/keys.h"
#include "engine/item/record.h"

namespace prejoin::transfer {
namespace {

constexpr std::size_t kPageItems = 1000;

Error ExportStopped() { return Error{ErrorCode::kUnavailable, "the export was stopped"}; }

Status Report(const OnExported& on_exported, const ExportFiles& files) {
  return !on_exported || on_exported(files.item_count()) ? Status() : Status(ExportStopped());
}

}  // namespace

Status ExportMoment(engine::Engine& engine, const engine::HistoryHold& hold, ExportFiles& files,
                    const OnExported& on_exported, std::int64_t& bytes) {
  std::optional<std::string> from = "";
  while (from) {
    PJ_ASSIGN_OR_RETURN(
        engine::ItemsAt page,
        engine::ReadTableAt(engine.store(), hold.table(), hold.number(), *from, kPageItems));
    for (const engine::KeptItem& item : page.items) {
      PJ_ASSIGN_OR_RETURN(const engine::Record record, engine::DecodeRecord(item.record));
      bytes += static_cast<std::int64_t>(record.size_bytes);
      PJ_RETURN_IF_ERROR(files.AddItem(record.item()));
    }
    from = std::move(page.next);
    PJ_RETURN_IF_ERROR(Report(on_exported, files));
  }
  return {};
}

Status ExportChanges(engine::Engine& engine, const engine::Table& table, const ExportWindow& window,
                     ExportFiles& files, const OnExported& on_exported, std::int64_t& bytes) {
  const engine::NumberRange numbers{.from = window.from.number(), .to = window.to.number()};
  std::optional<std::string> from = "";
  while (from) {
    PJ_ASSIGN_OR_RETURN(
        engine::ChangesBetween page,
        engine::ReadChangesBetween(engine.store(), window.to.table(), numbers, *from, kPageItems));
    for (const engine::ItemChange& change : page.changes) {
      ChangeLine line;
      std::optional<engine::Record> record;
      for (const auto* image : {&change.old_record, &change.new_record}) {
        if (image->has_value()) {
          PJ_ASSIGN_OR_RETURN(record, engine::DecodeWithKeys(table, nullptr, **image));
          (image == &change.old_record ? line.old_image : line.new_image) = record->item();
        }
      }
      if (!record) {
        continue;  // Came and went within the window: nothing to tell.
      }
      bytes += static_cast<std::int64_t>(record->size_bytes);
      const std::string keys = EncodeItem(engine::KeyOf(table, record->item()));
      line.keys = ItemView(keys);
      line.written_us = engine::TimeOf(change.last) * 1000;
      if (window.view == ExportView::kNewImage) {
        line.old_image.reset();
      }
      PJ_RETURN_IF_ERROR(files.AddChange(line));
    }
    from = std::move(page.next);
    PJ_RETURN_IF_ERROR(Report(on_exported, files));
  }
  return {};
}

}  // namespace prejoin::transfer
