// A figure as estimated, as it follows from the items, and as measured.
#ifndef PREJOIN_MODEL_PROVE_COMPARED_FIGURE_H_
#define PREJOIN_MODEL_PROVE_COMPARED_FIGURE_H_

#include <string>

namespace prejoin::model {

// One figure, three times. Reads and writes are in capacity units of one request on average.
struct ComparedFigure {
  std::string name;
  double estimated = 0;
  double predicted = 0;
  double measured = 0;
  double sampling_error = 0;  // The error of the measurement: two standard errors.
  int runs = 0;
  double declared = 0;  // The estimate at the declared size, which explain shows.
  double items_estimated = 0;
  double items_measured = 0;
  std::string
      contradiction;  // Why the file cannot be true, so that nothing can agree with it; empty: it can.
  bool agrees = true;
};

}  // namespace prejoin::model

#endif  // PREJOIN_MODEL_PROVE_COMPARED_FIGURE_H_
