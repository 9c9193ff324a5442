// TagResource, UntagResource and ListTagsOfResource.
#include <memory>

#include "engine/errors.h"
#include "engine/ops/operations.h"
#include "engine/table/catalog.h"
#include "engine/table/resource_arn.h"
#include "engine/table/table_build.h"
#include "engine/table/tag_checks.h"

namespace prejoin::engine {
namespace {

Error NoSuchResource(const std::string& arn) {
  return ResourceNotFound("Requested resource not found: ResourcArn: " + arn + " not found");
}

// The name of the table that an ARN refers to, or an error if it is not one of ours.
Result<std::string> TableNameOf(Engine& engine, const std::string& arn) {
  if (!arn.starts_with("arn:")) {
    return InvalidParameter("ARNs must start with 'arn:': " + arn);
  }
  const auto parsed = ParseResourceArn(arn);
  if (!parsed) {
    return InvalidParameter("Invalid TableArn: Invalid ResourceArn provided as input " + arn);
  }
  if (parsed->kind == ResourceKind::kIndex) {
    return InvalidParameter(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
        arn);
  }
  if (!parsed->IsOf(engine.options())) {
    return Error{ErrorCode::kAccessDenied,
                 "User: arn:aws:iam::" + engine.options().account_id +
                     ":root is not authorized to perform: dynamodb action on resource: " + arn};
  }
  if (parsed->kind != ResourceKind::kTable) {
    return NoSuchResource(arn);
  }
  return std::string(parsed->table);
}

// Runs `edit` on a copy of the tags of the table.
Status ChangeTags(Engine& engine, RequestContext& context, const std::string& arn,
                  FunctionRef<Status(std::map<std::string, std::string>& tags)> edit) {
  PJ_ASSIGN_OR_RETURN(const std::string table_name, TableNameOf(engine, arn));
  PJ_ASSIGN_OR_RETURN(
      const CatalogChange change,
      engine.catalog().Change(
          table_name, [&](const Table* current, SpaceAllocator&) -> Result<std::unique_ptr<Table>> {
            if (current == nullptr) {
              return NoSuchResource(arn);
            }
            auto next = CopyOf(*current);
            PJ_RETURN_IF_ERROR(edit(next->tags));
            return next;
          }));
  context.Saw(change.ticket);
  return {};
}

}  // namespace

Status TagResource(Engine& engine, RequestContext& context, const std::string& arn,
                   const std::vector<Tag>& tags) {
  PJ_RETURN_IF_ERROR(CheckTags(tags));
  return ChangeTags(engine, context, arn,
                    [&](std::map<std::string, std::string>& current) -> Status {
                      for (const Tag& tag : tags) {
                        current[tag.key] = tag.value;
                      }
                      return CheckTagCount(current.size());
                    });
}

Status UntagResource(Engine& engine, RequestContext& context, const std::string& arn,
                     const std::vector<std::string>& tag_keys) {
  return ChangeTags(engine, context, arn,
                    [&](std::map<std::string, std::string>& current) -> Status {
                      for (const std::string& key : tag_keys) {
                        current.erase(key);
                      }
                      return {};
                    });
}

Result<ListTagsOutput> ListTagsOfResource(Engine& engine, RequestContext&, const std::string& arn) {
  PJ_ASSIGN_OR_RETURN(const std::string table_name, TableNameOf(engine, arn));
  const TablePtr table = engine.catalog().FindOrNull(table_name);
  if (table == nullptr) {
    return NoSuchResource(arn);
  }
  ListTagsOutput output;
  for (const auto& [key, value] : table->tags) {
    output.tags.push_back({key, value});
  }
  return output;
}

}  // namespace prejoin::engine
