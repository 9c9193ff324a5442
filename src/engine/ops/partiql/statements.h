// The PartiQL operations of the engine. One operation, one file, as in operations.h.
#ifndef PREJOIN_ENGINE_OPS_PARTIQL_STATEMENTS_H_
#define PREJOIN_ENGINE_OPS_PARTIQL_STATEMENTS_H_

#include "engine/engine.h"
#include "prejoin/result.h"
#include "prejoin/statements.h"

namespace prejoin::engine {

Result<ExecuteStatementOutput> ExecuteStatement(Engine&, RequestContext&,
                                                const ExecuteStatementInput&);
Result<BatchExecuteStatementOutput> BatchExecuteStatement(Engine&, RequestContext&,
                                                          const BatchExecuteStatementInput&);
Result<ExecuteTransactionOutput> ExecuteTransaction(Engine&, RequestContext&,
                                                    const ExecuteTransactionInput&);

}  // namespace prejoin::engine

#endif  // PREJOIN_ENGINE_OPS_PARTIQL_STATEMENTS_H_
