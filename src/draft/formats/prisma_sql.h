// Prisma schemas as SQL.
#ifndef PREJOIN_DRAFT_FORMATS_PRISMA_SQL_H_
#define PREJOIN_DRAFT_FORMATS_PRISMA_SQL_H_

#include <string>
#include <string_view>

namespace prejoin::draft {

bool LooksLikePrisma(std::string_view text);

// The DDL that says the same. Lines that cannot be read become comments of their table.
std::string PrismaToSql(std::string_view text);

}  // namespace prejoin::draft

#endif  // PREJOIN_DRAFT_FORMATS_PRISMA_SQL_H_
