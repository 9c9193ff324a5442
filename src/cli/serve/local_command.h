// Command lines of DynamoDB Local, so that a compose file or a test module works after only its image or program was changed.
#ifndef PREJOIN_CLI_SERVE_LOCAL_COMMAND_H_
#define PREJOIN_CLI_SERVE_LOCAL_COMMAND_H_

#include <string>
#include <vector>

#include "prejoin/result.h"

namespace prejoin::cli {

// `words` is a whole command line, the program's name included; the answer is without it. A command line of DynamoDB Local becomes one of
// `serve`; any other stays as it is. It is one if the program was started under the name `java`, if it names a JAR (-jar), or if it begins
// with -compat or a flag of DynamoDB Local:
//
//   java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -inMemory
//   prejoin -jar DynamoDBLocal.jar -dbPath /data
//   prejoin -compat -inMemory -port 8001
Result<std::vector<std::string>> FromLocalCommand(const std::vector<std::string>& words);

}  // namespace prejoin::cli

#endif  // PREJOIN_CLI_SERVE_LOCAL_COMMAND_H_
