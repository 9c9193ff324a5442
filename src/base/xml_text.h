// Text in XML: for elements and for attributes in quotes.
#ifndef PREJOIN_BASE_XML_TEXT_H_
#define PREJOIN_BASE_XML_TEXT_H_

#include <string>
#include <string_view>

namespace prejoin {

inline std::string XmlText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        // XML 1.0 has no way to write other control characters.
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

}  // namespace prejoin

#endif  // PREJOIN_BASE_XML_TEXT_H_
