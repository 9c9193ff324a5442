// Terraform: the resources aws_dynamodb_table of a file, and the modules that make one, as the CloudFormation template that says the same.
//
// The registry's module terraform-aws-modules/dynamodb-table takes the same words as arguments: lists of objects where the resource has
// blocks. Both are therefore read as "a table with parts", and a part is an object whose members are asked by name.
#include "draft/formats/terraform_json.h"

#include <algorithm>
#include <set>

#include "draft/formats/hcl.h"
#include "json/writer.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kTerraformTablesMax = 1000;

std::string JsonText(const std::string& text) {
  std::string out;
  json::AppendString(text, out);
  return out;
}

std::string JsonList(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    out += (out.size() > 1 ? ", " : "") + text;
  }
  return out + "]";
}

std::string TextOfHcl(const HclValue* value) {
  return value != nullptr && value->kind == HclValue::Kind::kText ? value->text : "";
}

// One table: its arguments and parts, where a part is a block, one made by `dynamic`, or an object in a module's list.
class TerraformTable {
 public:
  TerraformTable(const HclBlock& block, HclScope& scope, HclBindings bindings,
                 std::vector<std::string>& notes)
      : block_(block), scope_(scope), bindings_(std::move(bindings)), notes_(notes) {
    address_ = block.kind == "module" ? "module." + Label(0) : Label(0) + "." + Label(1);
  }

  // The resource of the template; empty if the table's key is not known.
  std::string Resource() {
    const std::string schema = KeySchema(Arguments(), "hash_key", "");
    if (schema.empty()) {
      notes_.push_back(address_ + " was left out: " + std::string(missing_) +
                       " is not stated in this file. Give its table instead: aws dynamodb "
                       "describe-table, or terraform show -json.");
      return "";
    }
    std::vector<std::string> definitions;
    for (const HclValue& part : Parts("attribute", "attributes")) {
      const std::string name = TextOfHcl(part.Find("name"));
      if (!name.empty()) {
        definitions.push_back("{\"AttributeName\": " + JsonText(name) + ", \"AttributeType\": " +
                              JsonText(TextOfHcl(part.Find("type"))) + "}");
      }
    }
    const std::string name = TextOfHcl(Arguments().Find("name"));
    return "{\"Type\": \"AWS::DynamoDB::Table\", \"Properties\": {" +
           (name.empty() ? "" : "\"TableName\": " + JsonText(name) + ", ") +
           "\"AttributeDefinitions\": " + JsonList(definitions) + ", \"KeySchema\": " + schema +
           ", \"GlobalSecondaryIndexes\": " +
           Indexes("global_secondary_index", "global_secondary_indexes") +
           ", \"LocalSecondaryIndexes\": " +
           Indexes("local_secondary_index", "local_secondary_indexes") + TimeToLive() + "}}";
  }

 private:
  std::string Label(std::size_t number) const {
    return number < block_.labels.size() ? block_.labels[number] : "";
  }

  // The arguments of a block as an object. Inner blocks are members too, as lists.
  HclValue ObjectOf(const HclBlock& block, const HclBindings& bindings) {
    HclValue object;
    object.kind = HclValue::Kind::kObject;
    for (const auto& [name, expression] : block.attributes) {
      object.names.push_back(name);
      object.list.push_back(scope_.Evaluate(expression, bindings));
    }
    std::set<std::string> kinds;
    for (const HclBlock& inner : block.blocks) {
      if (kinds.insert(inner.kind).second && inner.kind == "key_schema") {
        object.names.push_back(inner.kind);
        object.list.push_back(BlocksOf(block, inner.kind, bindings));
      }
    }
    return object;
  }

  // A list of the blocks of a kind, those of `dynamic` with them.
  HclValue BlocksOf(const HclBlock& block, const std::string& kind, const HclBindings& bindings) {
    HclValue parts;
    parts.kind = HclValue::Kind::kList;
    for (const HclBlock& inner : block.blocks) {
      if (inner.kind == kind) {
        parts.list.push_back(ObjectOf(inner, bindings));
      } else if (inner.kind == "dynamic" && !inner.labels.empty() && inner.labels[0] == kind) {
        AddDynamic(inner, bindings, parts);
      }
    }
    return parts;
  }

  void AddDynamic(const HclBlock& dynamic, HclBindings bindings, HclValue& parts) {
    const auto each = dynamic.attributes.find("for_each");
    const HclValue values = each == dynamic.attributes.end()
                                ? HclValue()
                                : scope_.Evaluate(each->second, bindings);
    if (!values.known()) {
      notes_.push_back(address_ + ": " + dynamic.labels[0] +
                       " is made by an expression whose values this file does not state.");
      return;
    }
    const auto iterator = dynamic.attributes.find("iterator");
    std::string name = dynamic.labels[0];
    if (iterator != dynamic.attributes.end()) {
      const std::size_t first = iterator->second.find_first_not_of(" \t");
      name = first == std::string_view::npos ? name : std::string(iterator->second.substr(first));
    }
    for (std::size_t i = 0; i < values.list.size() && parts.list.size() < kTerraformTablesMax; ++i) {
      bindings[name] = Element(values, i);
      for (const HclBlock& content : dynamic.blocks) {
        if (content.kind == "content") {
          parts.list.push_back(ObjectOf(content, bindings));
        }
      }
    }
  }

 public:
  // `each`, or the iterator of a dynamic block.
  static HclValue Element(const HclValue& values, std::size_t i) {
    HclValue element;
    element.kind = HclValue::Kind::kObject;
    element.names = {"key", "value"};
    HclValue key;
    key.kind = HclValue::Kind::kText;
    const bool object = values.kind == HclValue::Kind::kObject;
    key.text = object ? values.names[i] : TextOfHcl(&values.list[i]);
    element.list = {std::move(key), values.list[i]};
    return element;
  }

 private:
  const HclValue& Arguments() {
    if (!arguments_.known()) {
      arguments_ = ObjectOf(block_, bindings_);
    }
    return arguments_;
  }

  std::vector<HclValue> Parts(const std::string& block, std::string_view argument) {
    std::vector<HclValue> parts = BlocksOf(block_, block, bindings_).list;
    if (const HclValue* list = Arguments().Find(argument)) {
      if (!list->known()) {
        notes_.push_back(address_ + ": the values of " + std::string(argument) +
                         " are not stated in this file.");
      }
      parts.insert(parts.end(), list->list.begin(), list->list.end());
    }
    return parts;
  }

  bool AddKey(const HclValue* name, std::string_view argument, const char* kind,
              std::vector<std::string>& out) {
    if (name == nullptr || name->kind == HclValue::Kind::kNull || (name->known() && name->text.empty())) {
      return true;
    }
    if (!name->known()) {
      missing_ = argument;
      return false;
    }
    out.push_back("{\"AttributeName\": " + JsonText(name->text) + ", \"KeyType\": \"" + kind + "\"}");
    return true;
  }

  // hash_key and range_key, or the newer blocks key_schema. Empty if a name is not known or there is none; `missing_` says which.
  std::string KeySchema(const HclValue& object, std::string_view hash_key, const std::string& partition) {
    std::vector<std::string> elements;
    missing_ = hash_key;
    if (!partition.empty()) {
      elements.push_back(partition);
    } else if (!AddKey(object.Find(hash_key), hash_key, "HASH", elements)) {
      return "";
    }
    if (!AddKey(object.Find("range_key"), "range_key", "RANGE", elements)) {
      return "";
    }
    const HclValue* blocks = object.Find("key_schema");
    for (const HclValue& one : blocks != nullptr ? blocks->list : std::vector<HclValue>()) {
      const bool range = TextOfHcl(one.Find("key_type")) == "RANGE";
      if (!AddKey(one.Find("attribute_name"), "key_schema", range ? "RANGE" : "HASH", elements)) {
        return "";
      }
    }
    return elements.empty() ? "" : JsonList(elements);
  }

  std::string Indexes(const std::string& block, std::string_view argument) {
    const bool local = block.starts_with("local");
    std::string partition;
    if (const HclValue* name = local ? Arguments().Find("hash_key") : nullptr) {
      partition = "{\"AttributeName\": " + JsonText(name->text) + ", \"KeyType\": \"HASH\"}";
    }
    std::vector<std::string> indexes;
    for (const HclValue& part : Parts(block, argument)) {
      const std::string name = TextOfHcl(part.Find("name"));
      const std::string schema = KeySchema(part, "hash_key", partition);
      if (schema.empty() || name.empty()) {
        notes_.push_back(address_ + ": an index was left out, because its " +
                         (name.empty() ? "name" : std::string(missing_)) + " is not stated in this file.");
        continue;
      }
      std::vector<std::string> include;
      if (const HclValue* names = part.Find("non_key_attributes")) {
        for (const HclValue& one : names->list) {
          include.push_back(JsonText(one.text));
        }
      }
      indexes.push_back("{\"IndexName\": " + JsonText(name) + ", \"KeySchema\": " + schema +
                        ", \"Projection\": {\"ProjectionType\": " +
                        JsonText(TextOfHcl(part.Find("projection_type"))) +
                        ", \"NonKeyAttributes\": " + JsonList(include) + "}}");
    }
    return JsonList(indexes);
  }

  std::string TimeToLive() {
    std::string name;
    if (TextOfHcl(Arguments().Find("ttl_enabled")) == "true") {
      name = TextOfHcl(Arguments().Find("ttl_attribute_name"));
    }
    for (const HclValue& part : Parts("ttl", "")) {
      if (TextOfHcl(part.Find("enabled")) != "false") {
        name = TextOfHcl(part.Find("attribute_name"));
      }
    }
    return name.empty() ? "" : ", \"TimeToLiveSpecification\": {\"AttributeName\": " + JsonText(name) + "}";
  }

  const HclBlock& block_;
  HclScope& scope_;
  const HclBindings bindings_;
  std::vector<std::string>& notes_;
  std::string address_;
  HclValue arguments_;
  std::string_view missing_;
};

bool IsTable(const HclBlock& block) {
  const bool resource = block.kind == "resource" && block.labels.size() == 2 &&
                        block.labels[0] == "aws_dynamodb_table";
  return resource || (block.kind == "module" && block.attributes.contains("hash_key") &&
                      block.attributes.contains("attributes"));
}

// `for_each` makes a table for each value; one of unknown values counts as one table.
std::vector<std::pair<std::string, HclBindings>> CopiesOf(const HclBlock& block, HclScope& scope) {
  std::vector<std::pair<std::string, HclBindings>> copies;
  const auto each = block.attributes.find("for_each");
  const HclValue values =
      each == block.attributes.end() ? HclValue() : scope.Evaluate(each->second, {});
  for (std::size_t i = 0; i < std::min(values.list.size(), kTerraformTablesMax); ++i) {
    HclValue element = TerraformTable::Element(values, i);
    const std::string name = "_" + element.list[0].text;
    copies.emplace_back(name, HclBindings{{"each", std::move(element)}});
  }
  if (copies.empty()) {
    copies.emplace_back();
  }
  return copies;
}

}  // namespace

bool LooksLikeTerraform(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("\"aws_dynamodb_table\"") || (has("module \"") && has("hash_key") && has("source"));
}

TerraformTables ReadTerraform(std::string_view text) {
  const std::vector<HclBlock> file = ReadHcl(text);
  HclScope scope(file);
  TerraformTables tables;
  std::string resources;
  std::size_t count = 0;
  for (const HclBlock& block : file) {
    if (!IsTable(block)) {
      continue;
    }
    for (auto& [suffix, bindings] : CopiesOf(block, scope)) {
      if (++count > kTerraformTablesMax) {
        break;
      }
      const std::string resource = TerraformTable(block, scope, std::move(bindings), tables.notes).Resource();
      if (resource.empty()) {
        ++tables.unread;
        continue;
      }
      resources += (resources.empty() ? "" : ", ") + JsonText(block.labels.back() + suffix) + ": " + resource;
    }
  }
  tables.json = "{\"Resources\": {" + resources + "}}";
  return tables;
}

}  // namespace prejoin::draft
