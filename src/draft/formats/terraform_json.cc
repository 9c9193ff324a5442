// Terraform: the resources aws_dynamodb_table of a file, as the CloudFormation template that says the same. HCL is read as far as tables
// need it: attributes, blocks in blocks, texts, lists of texts. Expressions stay as their text.
#include "draft/formats/terraform_json.h"

#include <algorithm>
#include <map>
#include <vector>

#include "json/writer.h"

namespace prejoin::draft {
namespace {

constexpr int kDepthMax = 20;

struct HclBlock {
  std::string kind;
  std::vector<std::string> labels;
  std::map<std::string, std::vector<std::string>> attributes;  // Several values: a list.
  std::vector<HclBlock> blocks;

  std::string Text(const std::string& name) const {
    const auto found = attributes.find(name);
    return found == attributes.end() || found->second.empty() ? "" : found->second[0];
  }
};

// Single thread. Borrows the text.
class HclReader {
 public:
  explicit HclReader(std::string_view text) : text_(text) {}

  std::vector<HclBlock> Read() {
    HclBlock file;
    Body(file, 0);
    return std::move(file.blocks);
  }

 private:
  bool AtEnd() const { return at_ >= text_.size(); }
  char Here() const { return AtEnd() ? '\0' : text_[at_]; }
  bool StartsWith(std::string_view part) const { return text_.substr(at_).starts_with(part); }

  void SkipTo(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void SkipBlanks() {
    while (!AtEnd()) {
      if (Here() == '#' || StartsWith("//")) {
        SkipTo("\n");
      } else if (StartsWith("/*")) {
        SkipTo("*/");
      } else if (Here() == ' ' || Here() == '\t' || Here() == '\r' || Here() == '\n') {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string Word() {
    const std::size_t start = at_;
    while (!AtEnd() && (std::string_view("_-.").find(Here()) != std::string_view::npos ||
                        (Here() >= '0' && Here() <= '9') || (Here() >= 'a' && Here() <= 'z') ||
                        (Here() >= 'A' && Here() <= 'Z'))) {
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  std::string QuotedText() {
    std::string out;
    for (++at_; !AtEnd() && Here() != '"'; ++at_) {
      if (Here() == '\\' && at_ + 1 < text_.size()) {
        ++at_;
      }
      out += Here();
    }
    at_ += AtEnd() ? 0 : 1;
    return out;
  }

  // Reads the value after the `=`: the texts in it, or the expression as it is, to the end of its line or of its brackets.
  std::vector<std::string> Value() {
    SkipBlanks();
    std::vector<std::string> values;
    const std::size_t start = at_;
    int depth = 0;
    while (!AtEnd() && !(depth == 0 && (Here() == '\n' || Here() == '}'))) {
      if (Here() == '"') {
        values.push_back(QuotedText());
        continue;
      }
      depth += Here() == '[' || Here() == '{' || Here() == '(' ? 1 : 0;
      depth -= Here() == ']' || Here() == '}' || Here() == ')' ? 1 : 0;
      ++at_;
    }
    if (values.empty()) {
      std::string text(text_.substr(start, at_ - start));
      text.erase(std::min(text.find('#'), text.size()));
      while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) {
        text.pop_back();
      }
      values.push_back(std::move(text));
    }
    return values;
  }

  // Reads until the closing brace, or the end of the file.
  void Body(HclBlock& block, int depth) {
    for (SkipBlanks(); !AtEnd() && Here() != '}'; SkipBlanks()) {
      const std::size_t before = at_;
      const std::string name = Here() == '"' ? QuotedText() : Word();
      std::vector<std::string> labels;
      while (Here() == ' ' || Here() == '\t' || Here() == '"') {
        if (Here() == '"') {
          labels.push_back(QuotedText());
        } else {
          ++at_;
        }
      }
      if (Here() == '=') {
        ++at_;
        block.attributes[name] = Value();
      } else if (Here() == '{' && depth < kDepthMax) {
        ++at_;
        HclBlock inner{name, std::move(labels), {}, {}};
        Body(inner, depth + 1);
        at_ += AtEnd() ? 0 : 1;
        block.blocks.push_back(std::move(inner));
      } else if (at_ == before) {
        ++at_;
      }
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

void KeyElement(const std::string& name, const char* kind, std::vector<std::string>& out) {
  if (name.empty()) {
    return;
  }
  std::string text = "{\"AttributeName\": ";
  json::AppendString(name, text);
  out.push_back(text + ", \"KeyType\": \"" + kind + "\"}");
}

std::string JsonList(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    out += (out.size() > 1 ? ", " : "") + text;
  }
  return out + "]";
}

std::string JsonText(const std::string& text) {
  std::string out;
  json::AppendString(text, out);
  return out;
}

// hash_key and range_key, or the newer blocks key_schema.
std::string KeySchemaOf(const HclBlock& block, const std::string& partition) {
  std::vector<std::string> elements;
  KeyElement(partition.empty() ? block.Text("hash_key") : partition, "HASH", elements);
  KeyElement(block.Text("range_key"), "RANGE", elements);
  for (const HclBlock& inner : block.blocks) {
    if (inner.kind == "key_schema") {
      KeyElement(inner.Text("attribute_name"), inner.Text("key_type") == "RANGE" ? "RANGE" : "HASH",
                 elements);
    }
  }
  return JsonList(elements);
}

std::string IndexesOf(const HclBlock& table, const std::string& kind) {
  std::vector<std::string> indexes;
  for (const HclBlock& block : table.blocks) {
    if (block.kind != kind) {
      continue;
    }
    std::vector<std::string> include;
    if (const auto found = block.attributes.find("non_key_attributes");
        found != block.attributes.end()) {
      for (const std::string& name : found->second) {
        include.push_back(JsonText(name));
      }
    }
    const bool local = kind == "local_secondary_index";
    indexes.push_back(
        "{\"IndexName\": " + JsonText(block.Text("name")) +
        ", \"KeySchema\": " + KeySchemaOf(block, local ? table.Text("hash_key") : "") +
        ", \"Projection\": {\"ProjectionType\": " + JsonText(block.Text("projection_type")) +
        ", \"NonKeyAttributes\": " + JsonList(include) + "}}");
  }
  return JsonList(indexes);
}

std::string ResourceOf(const HclBlock& table) {
  std::vector<std::string> definitions;
  std::string ttl;
  for (const HclBlock& block : table.blocks) {
    if (block.kind == "attribute") {
      definitions.push_back("{\"AttributeName\": " + JsonText(block.Text("name")) +
                            ", \"AttributeType\": " + JsonText(block.Text("type")) + "}");
    } else if (block.kind == "ttl" && !block.Text("attribute_name").empty()) {
      ttl = ", \"TimeToLiveSpecification\": {\"AttributeName\": " +
            JsonText(block.Text("attribute_name")) + "}";
    }
  }
  const std::string name = table.Text("name");
  // A name that an expression makes is not known: the resource's own stands for it.
  const bool known = !name.empty() && name.find("${") == std::string::npos &&
                     name.find('(') == std::string::npos && !name.starts_with("var.") &&
                     !name.starts_with("local.");
  return "{\"Type\": \"AWS::DynamoDB::Table\", \"Properties\": {" +
         (known ? "\"TableName\": " + JsonText(name) + ", " : std::string()) +
         "\"AttributeDefinitions\": " + JsonList(definitions) +
         ", \"KeySchema\": " + KeySchemaOf(table, "") +
         ", \"GlobalSecondaryIndexes\": " + IndexesOf(table, "global_secondary_index") +
         ", \"LocalSecondaryIndexes\": " + IndexesOf(table, "local_secondary_index") + ttl + "}}";
}

}  // namespace

bool LooksLikeTerraform(std::string_view text) {
  return text.find("\"aws_dynamodb_table\"") != std::string_view::npos;
}

std::string TerraformToJson(std::string_view text) {
  std::string resources;
  for (const HclBlock& block : HclReader(text).Read()) {
    if (block.kind == "resource" && block.labels.size() == 2 &&
        block.labels[0] == "aws_dynamodb_table") {
      resources +=
          (resources.empty() ? "" : ", ") + JsonText(block.labels[1]) + ": " + ResourceOf(block);
    }
  }
  return "{\"Resources\": {" + resources + "}}";
}

}  // namespace prejoin::draft
