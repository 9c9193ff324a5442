// libyaml gives a document as nodes that refer to each other by number; an alias is simply a second reference to a node, so
// what looks like a tree may be a graph, and even have a circle. Depth and the size of the outcome are bounded, which
// ends both circles and aliases that double with each level. libyaml's own time grows with the square of the depth and of
// the number of anchors, so a first pass over the events refuses what has more of either than any template.
#include "draft/formats/yaml_json.h"

#include <yaml.h>

#include <algorithm>

#include "json/writer.h"

namespace prejoin::draft {
namespace {

constexpr std::size_t kYamlBytesMax = 1u << 20;  // As large as CloudFormation takes a template.
constexpr int kYamlAnchorsMax = 1000;
constexpr std::size_t kYamlJsonBytesMax = 16u << 20;
constexpr int kYamlDepthMax = 64;

std::string_view ScalarText(const yaml_node_t& node) {
  return {reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length};
}

bool IsJsonNumber(std::string_view text) {
  std::size_t i = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') {
      ++i;
    }
    return i - begin;
  };
  const std::size_t first = i;
  const std::size_t whole = digits();
  if (whole == 0 || whole > 15 || (whole > 1 && text[first] == '0')) {
    return false;
  }
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) {
      return false;
    }
  }
  return i == text.size();
}

// "!Ref" → "Ref", "!Sub" → "Fn::Sub"; empty for the tags of YAML itself.
std::string FunctionOfTag(const yaml_node_t& node) {
  const std::string_view tag = node.tag == nullptr ? "" : reinterpret_cast<const char*>(node.tag);
  if (tag.size() < 2 || tag[0] != '!' || tag[1] == '!') {
    return "";
  }
  const std::string name(tag.substr(1));
  return name == "Ref" || name == "Condition" ? name : "Fn::" + name;
}

class JsonPrinter {
 public:
  JsonPrinter(yaml_document_t& document, std::string& out) : document_(document), out_(out) {}

  Status Print(int number, int depth) {
    const yaml_node_t* node = yaml_document_get_node(&document_, number);
    if (depth > kYamlDepthMax || out_.size() > kYamlJsonBytesMax) {
      return ValidationError("the YAML is nested too deeply or its aliases make it too large");
    }
    if (node == nullptr) {
      return ValidationError("the YAML is not complete");
    }
    const std::string function = FunctionOfTag(*node);
    if (function.empty()) {
      return PrintPlain(*node, depth);
    }
    out_ += '{';
    json::AppendString(function, out_);
    out_ += ':';
    if (function == "Fn::GetAtt" && node->type == YAML_SCALAR_NODE) {
      PrintAttribute(ScalarText(*node));
    } else {
      PJ_RETURN_IF_ERROR(PrintPlain(*node, depth));
    }
    out_ += '}';
    return {};
  }

 private:
  Status PrintPlain(const yaml_node_t& node, int depth) {
    switch (node.type) {
      case YAML_SCALAR_NODE:
        PrintScalar(node);
        return {};
      case YAML_SEQUENCE_NODE:
        return PrintSequence(node, depth);
      case YAML_MAPPING_NODE:
        return PrintMapping(node, depth);
      case YAML_NO_NODE:
        break;
    }
    return ValidationError("the YAML has an empty node");
  }

  void PrintScalar(const yaml_node_t& node) {
    const std::string_view text = ScalarText(node);
    const bool plain = node.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && (text.empty() || text == "~" || text == "null")) {
      out_ += "null";
    } else if (plain && (text == "true" || text == "false" || IsJsonNumber(text))) {
      out_ += text;
    } else {
      json::AppendString(text, out_);
    }
  }

  // Resource.Attribute; an attribute may have dots of its own.
  void PrintAttribute(std::string_view text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    out_ += '[';
    json::AppendString(text.substr(0, dot), out_);
    out_ += ',';
    json::AppendString(text.substr(std::min(dot + 1, text.size())), out_);
    out_ += ']';
  }

  Status PrintSequence(const yaml_node_t& node, int depth) {
    out_ += '[';
    for (const yaml_node_item_t* one = node.data.sequence.items.start;
         one < node.data.sequence.items.top; ++one) {
      if (one != node.data.sequence.items.start) {
        out_ += ',';
      }
      PJ_RETURN_IF_ERROR(Print(*one, depth + 1));
    }
    out_ += ']';
    return {};
  }

  Status PrintMapping(const yaml_node_t& node, int depth) {
    out_ += '{';
    bool first = true;
    for (const yaml_node_pair_t* one = node.data.mapping.pairs.start;
         one < node.data.mapping.pairs.top; ++one) {
      const yaml_node_t* key = yaml_document_get_node(&document_, one->key);
      if (key == nullptr || key->type != YAML_SCALAR_NODE) {
        return ValidationError("the YAML has a key that is no text");
      }
      if (!first) {
        out_ += ',';
      }
      first = false;
      json::AppendString(ScalarText(*key), out_);
      out_ += ':';
      PJ_RETURN_IF_ERROR(Print(one->value, depth + 1));
    }
    out_ += '}';
    return {};
  }

  yaml_document_t& document_;
  std::string& out_;
};

// Frees what libyaml allocated.
class YamlParser {
 public:
  explicit YamlParser(std::string_view text) {
    initialized_ = yaml_parser_initialize(&parser_) != 0;
    if (!initialized_) {
      return;
    }
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  YamlParser(const YamlParser&) = delete;
  YamlParser& operator=(const YamlParser&) = delete;
  ~YamlParser() {
    if (loaded_) {
      yaml_document_delete(&document_);
    }
    if (initialized_) {
      yaml_parser_delete(&parser_);
    }
  }

  // Reads all events of the first document; afterwards the parser is at its end.
  Status CheckBounds() {
    int depth = 0;
    int anchors = 0;
    while (true) {
      yaml_event_t event;
      if (!initialized_ || yaml_parser_parse(&parser_, &event) == 0) {
        return Problem();
      }
      const yaml_event_type_t type = event.type;
      const bool anchored =
          (type == YAML_SCALAR_EVENT && event.data.scalar.anchor != nullptr) ||
          (type == YAML_SEQUENCE_START_EVENT && event.data.sequence_start.anchor != nullptr) ||
          (type == YAML_MAPPING_START_EVENT && event.data.mapping_start.anchor != nullptr);
      yaml_event_delete(&event);
      anchors += anchored ? 1 : 0;
      if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) {
        ++depth;
      }
      if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) {
        --depth;
      }
      if (type == YAML_DOCUMENT_END_EVENT || type == YAML_STREAM_END_EVENT) {
        return {};
      }
      if (depth > kYamlDepthMax) {
        return ValidationError("the YAML is nested too deeply");
      }
      if (anchors > kYamlAnchorsMax) {
        return ValidationError("the YAML has too many anchors");
      }
    }
  }

  // The first document, as long as this object lives.
  Result<yaml_document_t*> Load() {
    loaded_ = initialized_ && yaml_parser_load(&parser_, &document_) != 0;
    if (!loaded_) {
      return Problem();
    }
    return &document_;
  }

 private:
  Error Problem() const {
    if (!initialized_ || parser_.problem == nullptr) {
      return ValidationError("there is no memory to read the YAML");
    }
    return ValidationError("the YAML cannot be read: " + std::string(parser_.problem) +
                           " in line " + std::to_string(parser_.problem_mark.line + 1));
  }

  yaml_parser_t parser_;
  yaml_document_t document_;
  bool initialized_ = false;
  bool loaded_ = false;
};

}  // namespace

Result<std::string> YamlToJson(std::string_view yaml) {
  if (yaml.size() > kYamlBytesMax) {
    return ValidationError("the YAML is larger than 1 MB");
  }
  PJ_RETURN_IF_ERROR(YamlParser(yaml).CheckBounds());
  YamlParser parser(yaml);
  PJ_ASSIGN_OR_RETURN(yaml_document_t* const document, parser.Load());
  if (yaml_document_get_root_node(document) == nullptr) {
    return ValidationError("the YAML is empty");
  }
  std::string out;
  PJ_RETURN_IF_ERROR(JsonPrinter(*document, out).Print(1, 0));
  return out;
}

}  // namespace prejoin::draft
