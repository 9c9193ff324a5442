#include "engine/partiql/statement_plan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/errors.h"
#include "engine/item/item_access.h"
#include "engine/item/keys.h"
#include "engine/partiql/statement_keys.h"
#include "engine/table/space.h"
#include "expr/functions.h"
#include "expr/grammar.h"
#include "expr/paths.h"
#include "prejoin/statements.h"
#include "value/encoding.h"
#include "value/key_encoding.h"

namespace prejoin::engine {
namespace {

const expr::Condition* PointerTo(const std::optional<expr::Condition>& condition) {
  return condition ? &*condition : nullptr;
}

// The values that WHERE leaves the first partition key attribute.
std::vector<std::string> LeadingKeys(const KeyAttributes& keys, const expr::Condition* where) {
  std::vector<std::string> texts;
  for (const expr::Literal* literal : ChoicesOf(ConjunctsOf(where), keys.front().name)) {
    texts.push_back(LeadingKeyText(literal->value()));
  }
  return texts;
}

// ORDER BY can only ask for an order in which keys are stored, one way or the other.
Status ApplyOrder(const partiql::Select& select, const KeyAttributes& keys, bool is_query,
                  std::vector<storage::Range>& ranges) {
  if (select.order_by.empty()) {
    return {};
  }
  if (!select.where) {
    return ValidationError("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  if (!is_query) {
    return ValidationError(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.");
  }
  std::optional<bool> hash_descending;
  std::optional<bool> range_descending;
  for (const partiql::OrderKey& order : select.order_by) {
    const auto key = std::ranges::find(keys, order.attribute_name, &expr::KeyAttribute::name);
    if (key == keys.end()) {
      return ValidationError("Variable reference " + order.attribute_name +
                             " in ORDER BY clause must be part of the primary key");
    }
    (key->key_type == KeyType::kHash ? hash_descending : range_descending) = order.descending;
  }
  if (ranges.size() > 1 && !hash_descending) {
    return ValidationError(
        "ORDER BY must begin with the partition key when the WHERE clause names several of its "
        "values");
  }
  if (hash_descending.value_or(false)) {
    std::ranges::reverse(ranges);
  }
  for (storage::Range& range : ranges) {
    range.direction = range_descending.value_or(false) ? storage::Direction::kBackward
                                                       : storage::Direction::kForward;
  }
  return {};
}

expr::Condition NoSuchItem(const Table& table) {
  expr::Call call{.function = expr::AttributeNotExists()};
  call.arguments.emplace_back(expr::Path{{table.keys.front().name}});
  return {std::move(call)};
}

Status Plan(TablePtr table, partiql::Insert& insert, ItemWrite& write) {
  write.condition = NoSuchItem(*table);
  return PlanPut(std::move(table), insert.item, write);
}

// The key equalities stay in the condition, so an update of an item that does not exist fails.
Status Plan(TablePtr table, partiql::Update& update, ItemWrite& write) {
  PJ_ASSIGN_OR_RETURN(const Item key, NamedKey(*table, PointerTo(update.where), ""));
  write.condition = std::move(update.where);
  write.update = std::move(update.update);
  return PlanUpdate(std::move(table), key, write);
}

// To delete what is not there is no failure.
Status Plan(TablePtr table, partiql::Delete& remove, ItemWrite& write) {
  PJ_ASSIGN_OR_RETURN(const Item key, NamedKey(*table, PointerTo(remove.where), ""));
  write.condition =
      expr::Condition{expr::Or{std::make_unique<expr::Condition>(NoSuchItem(*table)),
                               std::make_unique<expr::Condition>(*std::move(remove.where))}};
  return PlanDelete(std::move(table), key, write);
}

// A check of a key alone would be no check: the item must be there for any condition to hold.
Status CheckExists(const Table& table, const partiql::Exists& exists) {
  const expr::Condition* where = PointerTo(exists.select.where);
  if (!NamedKey(table, where, "") || ConjunctsOf(where).size() <= table.keys.size()) {
    return ValidationError("EXISTS() must contain a single item read with additional condition");
  }
  return {};
}

Status Plan(TablePtr table, partiql::Exists& exists, ItemWrite& write) {
  PJ_RETURN_IF_ERROR(CheckExists(*table, exists));
  PJ_ASSIGN_OR_RETURN(const Item key, NamedKey(*table, PointerTo(exists.select.where), ""));
  write.condition = std::move(exists.select.where);
  return PlanCheck(std::move(table), key, write);
}

// The index that FROM names; null for none. DynamoDB words these errors otherwise than Query's.
Result<const Index*> IndexToSelect(const Table& table, const std::optional<std::string>& name,
                                   std::optional<bool> consistent_read) {
  const Index* index = name ? table.FindIndex(*name) : nullptr;
  if (name && table.FindVectorIndex(*name) != nullptr) {
    return FindIndexToRead(table, name, std::nullopt, "Scan");
  }
  if (index == nullptr) {
    return name ? Result<const Index*>(
                      ValidationError("The table does not have the specified index"))
                : Result<const Index*>(nullptr);
  }
  PJ_RETURN_IF_ERROR(CheckSingleKeys(table, *name));
  if (index->global && consistent_read.value_or(false)) {
    return ValidationError("Strongly consistent read is not supported on Global Secondary Indexes");
  }
  return FindIndexToRead(table, name, std::nullopt, "Scan");
}

// The parts of a condition that an index must answer. Alternatives (OR) are skipped: there, an attribute that the
// index does not have is missing.
std::vector<const expr::Condition*> WithoutAlternatives(const expr::Condition* where) {
  std::vector<const expr::Condition*> parts;
  for (const expr::Condition* conjunct : ConjunctsOf(where)) {
    if (!std::holds_alternative<expr::Or>(conjunct->node)) {
      parts.push_back(conjunct);
    }
  }
  return parts;
}

Status Plan(const TablePtr&, partiql::Select&, ItemWrite&) {
  return ValidationError("Unsupported operation: SELECT is not a write");
}

// UPDATE … RETURNING says in words of its own what ReturnValues says.
ReturnValues ReturnValuesOf(partiql::Returning returning) {
  switch (returning) {
    case partiql::Returning::kNone:
      break;
    case partiql::Returning::kAllOld:
      return ReturnValues::kAllOld;
    case partiql::Returning::kAllNew:
      return ReturnValues::kAllNew;
    case partiql::Returning::kModifiedOld:
      return ReturnValues::kUpdatedOld;
    case partiql::Returning::kModifiedNew:
      return ReturnValues::kUpdatedNew;
  }
  return ReturnValues::kNone;
}

}  // namespace

Status CheckSingleKeys(const Table& table, const std::string& index_name) {
  const Index* index = table.FindIndex(index_name);
  const auto has_several = [&](KeyType type) {
    return std::ranges::count(index->keys, type, &expr::KeyAttribute::key_type) > 1;
  };
  return index != nullptr && (has_several(KeyType::kHash) || has_several(KeyType::kRange))
             ? Status(ValidationError(
                   "PartiQL statements cannot be executed on tables with multi-attribute HASH keys "
                   "or multi-attribute RANGE keys."))
             : Status();
}

Status CheckNamesItem(const Table& table, const partiql::Statement& statement) {
  if (const auto* exists = std::get_if<partiql::Exists>(&statement)) {
    return CheckExists(table, *exists);
  }
  if (const auto* update = std::get_if<partiql::Update>(&statement)) {
    PJ_RETURN_IF_ERROR(NamedKey(table, PointerTo(update->where), ""));
  } else if (const auto* remove = std::get_if<partiql::Delete>(&statement)) {
    PJ_RETURN_IF_ERROR(NamedKey(table, PointerTo(remove->where), ""));
  }
  return {};
}

std::optional<expr::Projection> NeededAttributes(const partiql::Select& select) {
  if (select.columns.empty()) {
    return std::nullopt;
  }
  expr::Projection projection;
  for (const partiql::Column& column : select.columns) {
    expr::Path top = {column.path.front()};
    if (std::ranges::find(projection.paths, top) == projection.paths.end()) {
      projection.paths.push_back(std::move(top));
    }
  }
  std::ranges::sort(projection.paths, expr::PathLess);
  return projection;
}

Result<SelectPlan> PlanSelect(TablePtr table, partiql::Select& select,
                              std::optional<bool> consistent_read) {
  SelectPlan plan;
  PageRead& read = plan.read;
  read.table = std::move(table);
  PJ_ASSIGN_OR_RETURN(read.index, IndexToSelect(*read.table, select.index_name, consistent_read));
  const KeyAttributes& keys = read.index ? read.index->keys : read.table->keys;
  const std::uint32_t space = read.index ? read.index->space : read.table->space;
  PJ_RETURN_IF_ERROR(CheckAlternatives(keys, PointerTo(select.where)));
  PJ_ASSIGN_OR_RETURN(plan.ranges, KeyRangesOf(space, keys, PointerTo(select.where)));
  PJ_RETURN_IF_ERROR(ApplyOrder(select, keys, !plan.ranges.empty(), plan.ranges));
  read.is_query = !plan.ranges.empty();
  if (!read.is_query) {
    plan.ranges.push_back(SpaceRange(space));
  } else {
    read.leading_keys = LeadingKeys(keys, PointerTo(select.where));
    if (read.index != nullptr) {
      PJ_RETURN_IF_ERROR(CheckFilterProjected(*read.index, WithoutAlternatives(PointerTo(select.where))));
    }
  }
  read.projection = NeededAttributes(select);
  read.consistency =
      consistent_read.value_or(false) ? Consistency::kStrong : Consistency::kEventual;
  // The filter comes last: it is no reason to follow a local index's entries to their items. Attributes that they
  // lack are missing.
  PJ_RETURN_IF_ERROR(ResolveSelect(std::nullopt, read));
  read.filter = std::move(select.where);
  return plan;
}

Result<Item> NamedKey(const Table& table, const expr::Condition* where,
                      const std::string& operation) {
  const Conjuncts conjuncts = ConjunctsOf(where);
  Item key;
  for (const auto& attribute : table.keys) {
    const expr::Literal* literal = EqualTo(conjuncts, attribute.name);
    if (literal == nullptr) {
      return ValidationError(
          operation.empty()
              ? "Where clause does not contain a mandatory equality on all key attributes"
              : "Select statements within " + operation +
                    " must specify the primary key in the where clause.");
    }
    key.Set(attribute.name, literal->value());
  }
  return key;
}

Status PlanStatementWrite(TablePtr table, partiql::Statement& statement,
                          ReturnValuesOnFailure on_failure, ItemWrite& write) {
  write.return_values = ReturnValuesOf(ReturningOf(statement));
  write.on_failure = on_failure;
  return std::visit([&](auto& node) { return Plan(std::move(table), node, write); }, statement);
}

partiql::Returning ReturningOf(const partiql::Statement& statement) {
  return std::visit(
      [](const auto& node) {
        if constexpr (requires { node.returning; }) {
          return node.returning;
        } else {
          return partiql::Returning::kNone;
        }
      },
      statement);
}

std::optional<StoredItem> Returned(partiql::Returning returning, ItemEffect& effect) {
  switch (returning) {
    case partiql::Returning::kNone:
      return std::nullopt;
    case partiql::Returning::kAllOld:
      return std::move(effect.old_item);
    case partiql::Returning::kAllNew:
      return std::move(effect.new_item);
    case partiql::Returning::kModifiedOld:
      return IfAny(effect.updated_old);
    case partiql::Returning::kModifiedNew:
      return IfAny(effect.updated_new);
  }
  return std::nullopt;
}

Error StatementError(bool is_insert, const Error& error) {
  if (!is_insert || error.code != ErrorCode::kConditionalCheckFailed) {
    return error;
  }
  return Error{ErrorCode::kConditionalCheckFailed, "Duplicate primary key exists in table",
               std::make_shared<DuplicateItemDetail>()};
}

StoredItem Columns(const partiql::Select& select, ItemView item) {
  if (select.columns.empty()) {
    return StoredItem(std::string(item.body()));
  }
  std::vector<std::pair<std::string_view, ValueView>> found;
  for (const partiql::Column& column : select.columns) {
    if (const ValueView value = expr::ValueAt(column.path, item)) {
      found.emplace_back(column.name, value);
    }
  }
  std::ranges::sort(found, {}, [](const auto& entry) { return entry.first; });
  ItemBuilder builder;
  for (const auto& [name, value] : found) {
    builder.Add(name, value);
  }
  return StoredItem(std::move(builder).Finish());
}

}  // namespace prejoin::engine
