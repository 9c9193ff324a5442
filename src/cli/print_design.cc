#include "cli/print_design.h"

#include "cli/terminal.h"

namespace prejoin::cli {

void PrintDesign(const design::DesignReport& report, const model::Prices& prices, std::FILE* file) {
  const design::DesignText text = design::RenderDesign(report, prices, TerminalColumns());
  PrintFoldedTo(file, text.notes);
  PrintTo(file, text.source);
  PrintFoldedTo(file, text.report);
}

}  // namespace prejoin::cli
