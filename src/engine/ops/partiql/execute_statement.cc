#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "base/limits.h"
#include "engine/ops/operations.h"
#include "engine/partiql/statement_items.h"
#include "engine/partiql/statement_plan.h"
#include "engine/table/catalog.h"
#include "partiql/parse.h"
#include "value/encoding.h"

namespace prejoin::engine {
namespace {

const std::vector<AttributeValue>& ParametersOf(const ExecuteStatementInput& input) {
  static const std::vector<AttributeValue> kNone;
  return input.parameters ? *input.parameters : kNone;
}

// ---- NextToken: what the statement was, which range comes next, and the key to continue behind.

struct Position {
  std::uint32_t range = 0;
  std::optional<Item> start_key;
};

std::string StatementFingerprint(const ExecuteStatementInput& input) {
  std::string bytes = input.statement;
  bytes.push_back('\0');
  for (const AttributeValue& value : ParametersOf(input)) {
    EncodeValue(value, bytes);
  }
  return Fingerprint(bytes);
}

std::string EncodeToken(const ExecuteStatementInput& input, const Position& position) {
  std::string bytes = StatementFingerprint(input);
  bytes.append(reinterpret_cast<const char*>(&position.range), sizeof(position.range));
  if (position.start_key) {
    bytes += EncodeItem(*position.start_key);
  }
  constexpr char kHex[] = "0123456789abcdef";
  std::string token;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    token += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return token;
}

Result<Position> DecodeToken(const ExecuteStatementInput& input) {
  const Error invalid = ValidationError("Invalid NextToken");
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  const std::string& token = *input.next_token;
  std::string bytes;
  for (std::size_t i = 0; i + 1 < token.size(); i += 2) {
    if (digit(token[i]) < 0 || digit(token[i + 1]) < 0) {
      return invalid;
    }
    bytes.push_back(static_cast<char>(digit(token[i]) * 16 + digit(token[i + 1])));
  }
  Position position;
  const std::string fingerprint = StatementFingerprint(input);
  const std::size_t head = fingerprint.size() + sizeof(position.range);
  if (token.size() % 2 != 0 || bytes.size() < head) {
    return invalid;
  }
  if (!bytes.starts_with(fingerprint)) {
    return ValidationError("NextToken does not match request");
  }
  std::memcpy(&position.range, bytes.data() + fingerprint.size(), sizeof(position.range));
  const std::string_view body = std::string_view(bytes).substr(head);
  if (!body.empty()) {
    if (!ValidateItemBody(body)) {
      return invalid;
    }
    position.start_key = ItemView(body).Decode();
  }
  return position;
}

// ---- SELECT

// Reads range after range until a page is full.
class SelectReader {
 public:
  SelectReader(Engine& engine, RequestContext& context, const ExecuteStatementInput& input)
      : engine_(engine), context_(context), input_(input), limit_(input.limit) {}

  Result<ExecuteStatementOutput> Read(partiql::Select& select) {
    Position position;
    if (input_.next_token) {
      PJ_ASSIGN_OR_RETURN(position, DecodeToken(input_));
    }
    PJ_ASSIGN_OR_RETURN(TablePtr table, engine_.catalog().FindToRead(select.table_name));
    PJ_ASSIGN_OR_RETURN(SelectPlan plan,
                        PlanSelect(std::move(table), select, input_.consistent_read));
    PageCost cost{CapacityMeter(*plan.read.table, CapacityMeter::Kind::kRead)};
    for (; position.range < plan.ranges.size(); ++position.range) {
      // A page is 1 MB of items read, however many ranges they are in.
      if ((limit_ && *limit_ <= 0) || cost.read_bytes >= kPageBytesMax) {
        output_.next_token = EncodeToken(input_, position);
        break;
      }
      PJ_ASSIGN_OR_RETURN(const bool stopped, ReadRange(plan, select, position, cost));
      if (stopped) {
        break;
      }
      position.start_key.reset();
    }
    if (page_read_) {
      output_.consumed_capacity = cost.meter.Report(input_.return_consumed_capacity);
    }
    return std::move(output_);
  }

 private:
  // True if the range is not read to its end.
  Result<bool> ReadRange(SelectPlan& plan, const partiql::Select& select, Position& position,
                         PageCost& cost) {
    PageRead& read = plan.read;
    read.range = plan.ranges[position.range];
    read.limit = limit_;
    if (position.start_key) {
      PJ_ASSIGN_OR_RETURN(const std::string start_key,
                          StartKey(*read.table, read.index, *position.start_key));
      ResumeAfter(start_key, read.range);
    }
    const bool is_last = position.range + 1 == plan.ranges.size();
    // Conditions that exclude each other are not read at all; a page after the last item is.
    const bool is_empty = !read.range.end.empty() && read.range.begin >= read.range.end;
    if (is_empty && !(is_last && position.start_key)) {
      return false;
    }
    read.bytes_max = kPageBytesMax - cost.read_bytes;
    PJ_ASSIGN_OR_RETURN(PageOutput page, ReadPage(engine_, context_, read, cost));
    page_read_ = true;
    for (StoredItem& item : page.items) {
      output_.items.push_back(select.columns.empty() ? std::move(item)
                                                     : Columns(select, ItemView(item.body())));
    }
    if (limit_) {
      *limit_ -= static_cast<std::int32_t>(page.scanned_count);
    }
    if (!page.last_evaluated_key || (is_last && FindsOneItem(read))) {
      return false;
    }
    position.start_key = page.last_evaluated_key;
    output_.last_evaluated_key = std::move(page.last_evaluated_key);
    output_.next_token = EncodeToken(input_, position);
    return true;
  }

  Engine& engine_;
  RequestContext& context_;
  const ExecuteStatementInput& input_;
  std::optional<std::int32_t> limit_;
  bool page_read_ = false;
  ExecuteStatementOutput output_;
};

// ---- INSERT, UPDATE, DELETE

Result<ExecuteStatementOutput> Write(Engine& engine, RequestContext& context,
                                     partiql::Statement& statement,
                                     const ExecuteStatementInput& input) {
  PJ_ASSIGN_OR_RETURN(
      const ItemWrite write,
      PlanStatement(engine, statement, input.return_values_on_condition_check_failure));
  PJ_ASSIGN_OR_RETURN(ItemEffect effect, RunStatement(engine, context, statement, write));
  ExecuteStatementOutput output;
  CapacityMeter meter(*write.table, CapacityMeter::Kind::kWrite);
  AddUnits(effect, 1, meter);
  output.consumed_capacity = meter.Report(input.return_consumed_capacity);
  if (auto item = Returned(ReturningOf(statement), effect)) {
    output.items.push_back(*std::move(item));
  }
  return output;
}

// DynamoDB reports a problem with the statement's index before a fault inside the index.
Error FirstFault(Engine& engine, const Error& fault) {
  const auto* select = dynamic_cast<const partiql::FaultySelect*>(fault.detail.get());
  const TablePtr table = select ? engine.catalog().FindOrNull(select->table_name) : nullptr;
  const Status index = table ? CheckSingleKeys(*table, select->index_name) : Status();
  return index ? fault : index.error();
}

}  // namespace

Result<ExecuteStatementOutput> ExecuteStatement(Engine& engine, RequestContext& context,
                                                const ExecuteStatementInput& input) {
  auto parsed = partiql::Parse(input.statement, ParametersOf(input));
  if (!parsed) {
    return FirstFault(engine, parsed.error());
  }
  partiql::Statement& statement = *parsed;
  if (std::holds_alternative<partiql::Exists>(statement)) {
    return ValidationError("EXISTS can only be used in ExecuteTransaction");
  }
  auto* const select = std::get_if<partiql::Select>(&statement);
  auto output = select != nullptr ? SelectReader(engine, context, input).Read(*select)
                                  : Write(engine, context, statement, input);
  if (!output) {
    return Refused(context, statement, output.error());
  }
  return output;
}

}  // namespace prejoin::engine
