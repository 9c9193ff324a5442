// The result of a proof in words, and what it has not tried.
#ifndef PREJOIN_MODEL_PROVE_PROOF_WORDS_H_
#define PREJOIN_MODEL_PROVE_PROOF_WORDS_H_

#include <string>
#include <vector>

#include "model/prove/proof.h"

namespace prejoin::model {

std::vector<std::string> TriedInWords(const ProofReport& report);
std::vector<std::string> NotTriedInWords(const ProofReport& report);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_PROOF_WORDS_H_
