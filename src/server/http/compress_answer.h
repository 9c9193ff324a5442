// Answers in the coding that their client asked for.
#ifndef PREJOIN_SERVER_HTTP_COMPRESS_ANSWER_H_
#define PREJOIN_SERVER_HTTP_COMPRESS_ANSWER_H_

#include "server/handler.h"
#include "server/http/gzip.h"

namespace prejoin::server {

// Compresses the body of the response if that is wanted and worth it, and not done yet.
void CompressAnswer(Exchange& exchange, Deflater& deflater);

}  // namespace prejoin::server

#endif  // PREJOIN_SERVER_HTTP_COMPRESS_ANSWER_H_
