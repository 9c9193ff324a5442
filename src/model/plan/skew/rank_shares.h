// How rows and requests spread over the values of a key, the most used value first: evenly, by Zipf's law, or with a
// stated hottest value. Estimates and generated rows both take their shares from here, so that they agree.
#ifndef PREJOIN_MODEL_PLAN_SKEW_RANK_SHARES_H_
#define PREJOIN_MODEL_PLAN_SKEW_RANK_SHARES_H_

#include <vector>

#include "model/schema/model.h"

namespace prejoin::model {

// Ranks that follow each other and get the same share.
struct RankGroup {
  double ranks = 0;
  double share = 0;  // The share of each rank; all ranks of all groups add up to 1.
};

// The first ranks stand alone, later ones in groups that grow. The groups of one count are the same for every skew, so
// that two entities under one parent can be compared group by group. `most`: no rank has a larger share; 0: no bound.
std::vector<RankGroup> RankShares(double count, const Skew& skew, double most = 0);

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PLAN_SKEW_RANK_SHARES_H_
