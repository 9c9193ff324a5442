// Rows for a model that has none, so that its chart shows something and `prove` has something to run.
#ifndef PREJOIN_DRAFT_INTERVIEW_INVENTED_SAMPLE_H_
#define PREJOIN_DRAFT_INTERVIEW_INVENTED_SAMPLE_H_

#include "draft/draft.h"

namespace prejoin::draft {

// Two or three rows for each entity, whose references point at existing rows. Entities that reference each other in
// a circle get none.
void AddInventedSample(Draft& draft);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_INTERVIEW_INVENTED_SAMPLE_H_
