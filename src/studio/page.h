// The studio's page: embedded files below /studio/, with the headers that a browser should have.
#ifndef PREJOIN_STUDIO_PAGE_H_
#define PREJOIN_STUDIO_PAGE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/dispatch.h"
#include "embedded/embedded_file.h"

namespace prejoin::studio {

// Adds GET /studio and everything below it, and sends browsers that ask for / there. `files` live
// as long as the program. Without files, /studio/ says that this build has no page. `framers` are
// the origins whose pages may show the cards below /studio/embed/ in a frame; without any there are
// no cards. Nobody may frame the rest.
void AddPage(server::Dispatch& dispatch, std::span<const embedded::EmbeddedFile> files,
             const std::vector<std::string>& framers = {});

// Returns true if a text can be one of `framers`: "https://blog.example", with a port if need be, or "*".
bool CanFrame(std::string_view origin);

}  // namespace prejoin::studio

#endif  // PREJOIN_STUDIO_PAGE_H_
