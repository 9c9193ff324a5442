#include <set>

#include "gen/shape.h"
#include "tests/gen/script.h"

namespace prejoin::gen {
namespace {

using Kind = WriteStepCode::Kind;

// Calls with values that would make another key than their own.
class Hostile {
 public:
  explicit Hostile(Script& script) : script_(script) {}

  void Write(const WriteCall& sound) {
    const WriteStepCode& step = sound.write->steps[0];
    const bool own =
        step.kind == Kind::kPut || step.kind == Kind::kUpdate || step.kind == Kind::kDelete;
    if (sound.write->steps.size() > 1 || !own) {
      return;
    }
    for (const KeyValue& key : step.key) {
      EachPart(key.call, [&](const model::TemplatePart& part, const Value& argument) {
        const model::Attribute* attribute = step.entity->entity->Find(argument.name);
        if (argument.kind != Value::Kind::kRow || attribute == nullptr || step.many ||
            step.IsConstant(argument.name) || !attribute->values.empty()) {
          return;
        }
        for (const std::string& text : TextsFor(part)) {
          WriteCall call = sound;
          call.rows[step.parameter].Set(argument.name, AttributeValue(text));
          call.outcome = kRefused;
          script_.writes.push_back(std::move(call));
        }
      });
    }
  }

  void Read(const ReadCall& sound) {
    for (const gen::Read& read : sound.pattern->reads) {
      for (const KeyValue& key : read.equal) {
        EachPart(key.call, [&](const model::TemplatePart& part, const Value& argument) {
          if (argument.kind != Value::Kind::kParameter ||
              !sound.arguments.contains(argument.name)) {
            return;
          }
          for (const std::string& text : TextsFor(part)) {
            ReadCall call{sound.pattern, sound.arguments, {}, kRefused};
            call.arguments[argument.name] = AttributeValue(text);
            script_.reads_after.push_back(std::move(call));
          }
        });
      }
    }
  }

 private:
  static constexpr const char* kRefused = "InvalidKeyPart";

  template <class Visit>
  static void EachPart(const KeyCall& call, const Visit& visit) {
    if (call.function == nullptr) {
      return;
    }
    for (const model::TemplatePart& part : call.function->parts) {
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Field& field = call.function->arguments[i];
        if (field.name == part.attribute && ShapeOf(field.type) == Shape::kText) {
          visit(part, call.arguments[i]);
        }
      }
    }
  }

  static std::vector<std::string> TextsFor(const model::TemplatePart& part) {
    std::vector<std::string> texts = {""};
    for (const std::string& rule : part.rules) {
      const std::string what = rule.substr(1);
      if (rule[0] == '*') {
        texts.push_back("a" + what + "b");
      }
      if (rule[0] == '^') {
        texts.push_back(what + "1");
      }
      // Both are about the value and the text behind it.
      const std::size_t end = part.next.empty() ? what.size() : what.find(part.next);
      if ((rule[0] == '=' || rule[0] == '<') && end != std::string::npos && end > 0) {
        texts.push_back(what.substr(0, end));
      }
    }
    return texts;
  }

  Script& script_;
};

}  // namespace

void AddHostile(Script& script) {
  Hostile hostile(script);
  std::set<const void*> seen;
  for (const WriteCall& call : std::vector<WriteCall>(script.writes)) {
    if (seen.insert(call.write).second) {
      hostile.Write(call);
    }
  }
  for (const ReadCall& call : std::vector<ReadCall>(script.reads_after)) {
    if (seen.insert(call.pattern).second) {
      hostile.Read(call);
    }
  }
}

}  // namespace prejoin::gen
