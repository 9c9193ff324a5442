#include "engine/item/item_access.h"

#include <algorithm>
#include <utility>

#include "engine/access.h"
#include "expr/paths.h"
#include "value/base64.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

class AttributeNames {
 public:
  AttributeNames() { names_.reserve(4); }

  void Add(std::string_view name) { names_.emplace_back(name); }
  void Add(const expr::Path& path) { Add(expr::TopLevelName(path)); }
  void Add(const KeyAttributes& keys) {
    for (const expr::KeyAttribute& key : keys) {
      Add(key.name);
    }
  }
  void Add(const std::optional<expr::Condition>& condition) {
    if (condition) {
      ForEachPath(*condition, [this](const expr::Path& path) { Add(path); });
    }
  }
  void Add(const std::optional<expr::Projection>& projection) {
    if (projection) {
      std::ranges::for_each(projection->paths, [this](const expr::Path& path) { Add(path); });
    }
  }
  // A value that is copied from elsewhere in the item is read. The parser limits the depth.
  void Add(const expr::UpdateValue& value) {
    if (const auto* path = std::get_if<expr::Path>(&value.node)) {
      Add(*path);
    } else if (const auto* absent = std::get_if<expr::IfNotExists>(&value.node)) {
      Add(absent->path);
      Add(*absent->fallback);
    } else if (const auto* joined = std::get_if<expr::ListAppend>(&value.node)) {
      Add(*joined->first);
      Add(*joined->second);
    } else if (const auto* sum = std::get_if<expr::Arithmetic>(&value.node)) {
      Add(*sum->left);
      Add(*sum->right);
    }
  }
  void Add(const expr::Update& update) {
    for (const expr::SetAction& action : update.sets) {
      Add(action.path);
      Add(action.value);
    }
    std::ranges::for_each(update.removes, [this](const auto& action) { Add(action.path); });
    std::ranges::for_each(update.adds, [this](const auto& action) { Add(action.path); });
    std::ranges::for_each(update.deletes, [this](const auto& action) { Add(action.path); });
  }
  // Each once, in order.
  std::vector<std::string> Take() && {
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    return std::move(names_);
  }

 private:
  std::vector<std::string> names_;
};

ItemAction ActionOf(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut:
      return ItemAction::kPut;
    case WriteKind::kUpdate:
      return ItemAction::kUpdate;
    case WriteKind::kDelete:
      return ItemAction::kDelete;
    case WriteKind::kCheck:
      break;
  }
  return ItemAction::kCheck;
}

// As policies have it.
std::string_view NameOf(ReturnValues values) {
  switch (values) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      return "ALL_OLD";
    case ReturnValues::kUpdatedOld:
      return "UPDATED_OLD";
    case ReturnValues::kAllNew:
      return "ALL_NEW";
    case ReturnValues::kUpdatedNew:
      return "UPDATED_NEW";
  }
  return "NONE";
}

}  // namespace

std::string LeadingKeyText(const AttributeValue& value) {
  if (value.string() != nullptr) {
    return *value.string();
  }
  if (value.number() != nullptr) {
    return value.number()->ToString();
  }
  std::string text;
  AppendBase64(*value.binary(), text);
  return text;
}

ReadTerms TermsOfRead(const Table& table, const Item& key,
                      const std::optional<expr::Projection>& projection) {
  AttributeNames names;
  names.Add(table.keys);
  names.Add(projection);
  return {.leading_key = LeadingKeyText(*key.Find(table.keys.front().name)),
          .attributes = std::move(names).Take(),
          .whole_item = !projection.has_value()};
}

Status CheckAccess(RequestContext& context, const Table& table,
                   const std::optional<ReadTerms>& terms) {
  if (!terms) {
    return Error{ErrorCode::kInternal, "an item was read whose access was not planned"};
  }
  return context.access->CheckItems(
      {.action = ItemAction::kGet,
       .table = table,
       .leading_keys = {&terms->leading_key, 1},
       .attributes = terms->attributes,
       .select = terms->whole_item ? "ALL_ATTRIBUTES" : "SPECIFIC_ATTRIBUTES"});
}

Status CheckAccess(RequestContext& context, const PageTerms& page) {
  AttributeNames names;
  names.Add(page.filter);
  names.Add(page.projection);
  // A page shows the key attributes of table and index in its LastEvaluatedKey, whatever it projects.
  names.Add(page.table.keys);
  if (page.index != nullptr) {
    names.Add(page.index->keys);
  }
  const std::vector<std::string> attributes = std::move(names).Take();
  return context.access->CheckItems(
      {.action = page.is_query ? ItemAction::kQuery : ItemAction::kScan,
       .table = page.table,
       .index_name = page.index != nullptr ? std::string_view(page.index->name()) : "",
       .leading_keys = page.leading_keys,
       .further_keys = page.further_keys,
       .attributes = attributes,
       .select = page.select});
}

Status CheckAccess(RequestContext& context, const SearchTerms& search) {
  AttributeNames names;
  names.Add(search.condition);
  names.Add(search.projection);
  names.Add(search.table.keys);
  names.Add(search.vector_attribute);
  const std::vector<std::string> attributes = std::move(names).Take();
  std::vector<std::string> leading_keys;
  if (search.hash_value != nullptr) {
    leading_keys.push_back(LeadingKeyText(*search.hash_value));
  }
  return context.access->CheckItems(
      {.action = ItemAction::kSearch,
       .table = search.table,
       .index_name = search.index_name,
       .leading_keys = leading_keys,
       .attributes = attributes,
       .select = search.projection ? "SPECIFIC_ATTRIBUTES" : "ALL_PROJECTED_ATTRIBUTES"});
}

Status CheckAccess(RequestContext& context, const ItemWrite& write) {
  AttributeNames names;
  names.Add(write.table->keys);
  names.Add(write.condition);
  if (write.update) {
    names.Add(*write.update);
  }
  if (write.kind == WriteKind::kPut) {
    for (const auto& [name, value] : ItemView(write.new_body)) {
      names.Add(name);
    }
  }
  const std::string leading_key = LeadingKeyText(*write.key.Find(write.table->keys.front().name));
  const std::vector<std::string> attributes = std::move(names).Take();
  ItemAccess access{.action = ActionOf(write.kind),
                    .table = *write.table,
                    .leading_keys = {&leading_key, 1},
                    .attributes = attributes,
                    .return_values = NameOf(write.return_values)};
  // A failed condition shows the whole old item, whatever a successful write shows: both must be allowed.
  if (write.on_failure == ReturnValuesOnFailure::kAllOld &&
      write.return_values != ReturnValues::kAllOld) {
    if (write.return_values != ReturnValues::kNone) {
      PJ_RETURN_IF_ERROR(context.access->CheckItems(access));
    }
    access.return_values = NameOf(ReturnValues::kAllOld);
  }
  return context.access->CheckItems(access);
}

}  // namespace prejoin::engine
