// The studio's page: embedded files below /studio/, with the headers that a browser should have.
#ifndef PREJOIN_STUDIO_PAGE_H_
#define PREJOIN_STUDIO_PAGE_H_

#include <span>

#include "server/dispatch.h"
#include "studio/embedded_file.h"

namespace prejoin::studio {

// Adds GET /studio and everything below it, and sends browsers that ask for / there. `files` live
// as long as the program. Without files, /studio/ says that this build has no page.
void AddPage(server::Dispatch& dispatch, std::span<const EmbeddedFile> files);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_PAGE_H_
