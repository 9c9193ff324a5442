#include "mcp/read_source.h"

#include "model/syntax/source_size.h"

namespace prejoin::mcp {

Result<model::ReadModelResult> ReadSource(const ToolArguments& arguments, const std::string& name) {
  const std::string& source = arguments.Get(name);
  if (source.empty()) {
    return ValidationError("`" + name + "` is the text of a model file; it is missing");
  }
  const std::string_view fault = model::SourceSizeFault(source);
  if (!fault.empty()) {
    return ValidationError("`" + name + "` " + std::string(fault));
  }
  model::ReadModelResult read = model::ReadModel(source);
  if (read.ok) {
    return read;
  }
  std::string message = "The model cannot be read:\n";
  for (const model::Diagnostic& one : read.diagnostics) {
    message += model::RenderDiagnostic("model", source, one);
  }
  return ValidationError(message + "The resource prejoin://grammar has every statement.");
}

}  // namespace prejoin::mcp
