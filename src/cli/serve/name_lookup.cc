#include "cli/serve/name_lookup.h"

#ifdef PREJOIN_STATIC
#include <nss.h>
#endif

namespace prejoin::cli {

void UseBuiltInNameLookup() {
#ifdef PREJOIN_STATIC
  __nss_configure_lookup("hosts", "files dns");
  __nss_configure_lookup("services", "files");
  __nss_configure_lookup("passwd", "files");
#endif
}

}  // namespace prejoin::cli
