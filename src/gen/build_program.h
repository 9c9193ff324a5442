// From a model to the form that emitters read.
#ifndef PREJOIN_GEN_BUILD_PROGRAM_H_
#define PREJOIN_GEN_BUILD_PROGRAM_H_

#include <memory>
#include <string>

#include "gen/program.h"

namespace prejoin::gen {

struct ProgramOptions {
  std::string file;
  std::string version;
  std::string source = {};  // The text of the model, which fixtures for tests bring along.
};

// The model must have been read without errors, and outlive the program.
std::unique_ptr<const Program> BuildProgram(const model::Model& model,
                                            const ProgramOptions& options);

}  // namespace prejoin::gen

#endif  // PREJOIN_GEN_BUILD_PROGRAM_H_
