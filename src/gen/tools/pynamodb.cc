// Models for PynamoDB. It has no key templates, so keys are made by the functions of the generated Python: a model is made of a row, and
// gives its row back.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gen/code.h"
#include "gen/emit/package.h"
#include "gen/infra/infra.h"
#include "gen/shape.h"
#include "gen/support_file.h"
#include "gen/tools/tools.h"
#include "gen/words.h"

namespace prejoin::gen {
namespace {

// A name that the file must import.
std::string Imported(const std::string& name) { return kImportMark + name; }

constexpr ShapeWords kAttributeClasses = {
    "UnicodeAttribute", "DecimalAttribute", "BooleanAttribute",    "BinaryAttribute",
    "ListAttribute",    "MapAttribute",     "UnicodeSetAttribute", "NumberSetAttribute"};

// An attribute must not hide a method of PynamoDB's Model, or of ours.
bool IsMethod(const std::string& member) {
  constexpr std::array kMethods = {"add_throttle_record",
                                   "attribute_values",
                                   "batch_get",
                                   "batch_write",
                                   "count",
                                   "create_table",
                                   "delete",
                                   "delete_table",
                                   "deserialize",
                                   "describe_table",
                                   "dumps",
                                   "dump",
                                   "exists",
                                   "find",
                                   "from_dynamodb_dict",
                                   "from_json",
                                   "from_raw_data",
                                   "from_simple_dict",
                                   "get",
                                   "get_attributes",
                                   "get_operation_kwargs_from_instance",
                                   "is_type_safe",
                                   "load",
                                   "loads",
                                   "of",
                                   "query",
                                   "refresh",
                                   "row",
                                   "save",
                                   "scan",
                                   "serialize",
                                   "to_dynamodb_dict",
                                   "to_json",
                                   "to_simple_dict",
                                   "update",
                                   "update_ttl"};
  return std::find(kMethods.begin(), kMethods.end(), member) != kMethods.end();
}

Shape ShapeOfKey(const infra::TableSpec& spec, const std::string& attribute) {
  for (const AttributeDefinition& one : spec.input.attribute_definitions) {
    if (one.attribute_name != attribute) {
      continue;
    }
    if (one.type == ScalarType::kNumber) {
      return Shape::kNumber;
    }
    if (one.type == ScalarType::kBinary) {
      return Shape::kBinary;
    }
  }
  return Shape::kText;
}

class PynamoModels {
 public:
  PynamoModels(const Program& program, const emit::Package& package, Code& code)
      : program_(program), package_(package), code_(code) {}

  void Write() {
    const std::vector<infra::TableSpec> specs = infra::TableSpecs(program_);
    for (const infra::TableSpec& spec : specs) {
      for (const IndexSpecification& index : spec.Global()) {
        IndexClass(spec, index, "Global");
      }
      for (const IndexSpecification& index : spec.Local()) {
        IndexClass(spec, index, "Local");
      }
    }
    for (const EntityCode& entity : program_.entities) {
      for (const infra::TableSpec& spec : specs) {
        if (spec.input.table_name == entity.table) {
          ModelClass(entity, spec);
        }
      }
    }
  }

 private:
  void Gap() {
    code_.Gap();
    code_.Line();
  }

  static std::string IndexName(const infra::TableSpec& spec, const IndexSpecification& index) {
    return PascalCase(spec.input.table_name) + PascalCase(index.index_name);
  }

  // The name of an attribute in the current class; names are unique.
  std::string ModelMember(const std::string& name) {
    for (int number = 1;; ++number) {
      std::string member =
          package_.Styled("name", number == 1 ? name : name + std::to_string(number));
      member += IsMethod(member) ? "_" : "";
      const auto [known, added] = members_.try_emplace(member, name);
      if (added || known->second == name) {
        return member;
      }
    }
  }

  void KeyLine(const infra::TableSpec& spec, const KeySchemaElement& element) {
    code_.Line(ModelMember(element.attribute_name) + " = " +
               Imported(kAttributeClasses(ShapeOfKey(spec, element.attribute_name))) + "(" +
               (element.key_type == KeyType::kHash ? "hash" : "range") +
               "_key=True, attr_name=" + Quoted(element.attribute_name) + ")");
  }

  void IndexClass(const infra::TableSpec& spec, const IndexSpecification& index, const char* kind) {
    Gap();
    if (tools::HasSeveralAttributes(index)) {
      code_.Line("# " + index.index_name +
                 " has several attributes in a key, which PynamoDB does not know.");
      return;
    }
    const Projection projection = index.projection.value_or(Projection());
    std::string text = Imported("AllProjection()");
    if (projection.type == ProjectionType::kKeysOnly) {
      text = Imported("KeysOnlyProjection()");
    }
    if (projection.non_key_attributes) {
      text = Imported("IncludeProjection([") + QuotedList(*projection.non_key_attributes) + "])";
    }
    members_.clear();
    code_.Line("class " + IndexName(spec, index) + "(" + Imported(kind) + "SecondaryIndex[" +
               Imported("Any") + "]):");
    code_.In();
    code_.Line("class Meta:");
    code_.In();
    code_.Line("index_name = " + Quoted(index.index_name));
    code_.Line("projection = " + text);
    code_.Out();
    code_.Line();
    for (const KeySchemaElement& element : index.key_schema) {
      KeyLine(spec, element);
    }
    code_.Out();
  }

  void Attribute(const std::string& name, Shape shape, const std::string& options) {
    if (!written_.insert(name).second) {
      return;
    }
    // PynamoDB leaves open what is in them.
    const std::string any = Imported("Any");
    const std::string type = shape == Shape::kList  ? ": ListAttribute[" + any + "]"
                             : shape == Shape::kMap ? ": MapAttribute[str, " + any + "]"
                                                    : "";
    std::vector<std::string> arguments = {"attr_name=" + Quoted(name)};
    if (!options.empty()) {
      arguments.insert(arguments.begin(), options);
    }
    // The old encoding is base64 twice, which nobody else reads.
    if (shape == Shape::kBinary) {
      arguments.emplace_back("legacy_encoding=False");
    }
    code_.Line(ModelMember(name) + type + " = " + Imported(kAttributeClasses(shape)) + "(" +
               Join(arguments, ", ") + ")");
  }

  void ModelClass(const EntityCode& entity, const infra::TableSpec& spec) {
    const std::string model = program_.TypeName(entity.name) + "Model";
    const std::string row = Imported(program_.TypeName(entity.name));
    const std::string words = SnakeCase(program_.CodeName(entity.name));
    written_.clear();
    members_.clear();
    Gap();
    for (const auto& layout : program_.model->LayoutsOf(entity.name)) {
      if (!layout.layout->of.text.empty()) {
        code_.Line("# " + entity.name + " is stored as " + layout.layout->entity.text +
                   " too, which this does not write.");
      }
    }
    code_.Line("class " + model + "(Model):");
    code_.In();
    code_.Line("class Meta:");
    code_.In();
    code_.Line("table_name = " + Quoted(entity.table));
    code_.Out();
    code_.Line();
    for (const KeySchemaElement& element : spec.input.key_schema) {
      written_.insert(element.attribute_name);
      KeyLine(spec, element);
    }
    for (const StoredKey& key : entity.keys) {
      Attribute(key.attribute, ShapeOfKey(spec, key.attribute), "null=True");
    }
    if (!entity.type_attribute.empty()) {
      Attribute(entity.type_attribute, Shape::kText, "");
    }
    for (const Field& field : entity.plain) {
      Attribute(field.name, ShapeOf(field.type), field.optional ? "null=True" : "");
    }
    for (const StoredCopy& copy : entity.copies) {
      Attribute(copy.attribute, ShapeOf(copy.field.type), "null=True");
    }
    for (const StoredRows& rows : entity.rows) {
      Attribute(rows.attribute, rows.map ? Shape::kMap : Shape::kList, "null=True");
    }
    for (const auto& indexes : {spec.Global(), spec.Local()}) {
      for (const IndexSpecification& index : indexes) {
        if (!tools::HasSeveralAttributes(index) && tools::IsIn(entity, index)) {
          code_.Line(ModelMember(index.index_name + " index") + " = " + IndexName(spec, index) +
                     "()");
        }
      }
    }
    Methods(entity, model, row, words);
    code_.Out();
  }

  void Methods(const EntityCode& entity, const std::string& model, const std::string& row,
               const std::string& words) {
    std::vector<std::string> copies;
    std::vector<std::string> passed = {"row"};
    for (const StoredCopy& copy : entity.copies) {
      copies.push_back(package_.Styled("variable", copy.attribute) + ": " + Imported("Any") +
                       " = None");
      passed.push_back(package_.Styled("variable", copy.attribute));
    }
    std::vector<std::string> parameters;
    std::vector<std::string> names;
    for (const Field& field : entity.identity) {
      parameters.push_back(package_.Styled("variable", field.name) + ": " + package_.TypeOf(field));
      names.push_back(package_.Styled("variable", field.name));
    }
    const auto method = [&](const std::string& head, const std::string& text,
                            const std::string& body) {
      code_.Line();
      if (head.starts_with("def of(") || head.starts_with("def find(")) {
        code_.Line("@classmethod");
      }
      code_.Line(head + ":");
      code_.In();
      code_.Line("\"\"\"" + text + "\"\"\"");
      code_.Line("return " + body);
      code_.Out();
    };
    method(
        "def of(cls, row: " + row + (copies.empty() ? "" : ", *, ") + Join(copies, ", ") + ") -> " +
            model,
        "The item of a row, with every key that it has.",
        Imported("model_of") + "(cls, " + Imported(words) + "_item(" + Join(passed, ", ") + "))");
    method("def find(cls" + std::string(parameters.empty() ? "" : ", *, ") +
               Join(parameters, ", ") + ") -> " + model,
           "Raises DoesNotExist if there is none.",
           "cls.get(*" + Imported(words) + "_key(" + Join(names, ", ") + ").values())");
    method("def row(self) -> " + row, "The attributes of the item.",
           Imported("to_") + words + "(" + Imported("item_of") + "(self))");
  }

  const Program& program_;
  const emit::Package& package_;
  Code& code_;
  std::set<std::string> written_;
  std::map<std::string, std::string> members_;  // For the current class: which attribute each member is.
};

}  // namespace

std::vector<GeneratedFile> GeneratePynamoDb(const Program& program) {
  const std::string header = "# " + HeaderText(program) + "\n\n";
  emit::Package package("python", program);
  Code models = package.NewCode();
  PynamoModels(program, package, models).Write();
  package.Entities();
  return {
      {"__init__.py",
       header + "from .entities import *  # noqa: F403\nfrom .models import *  # noqa: F403\n"},
      {"base.py", header + std::string(SupportFile("python/pynamodb_base.py"))},
      {"entities.py", package.FileText("entities", package.Body("entities"))},
      {"models.py", package.FileText("pynamodb", models.text())},
      {"reading.py", header + std::string(SupportFile("python/reading.py"))},
  };
}

}  // namespace prejoin::gen
