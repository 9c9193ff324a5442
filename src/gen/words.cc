#include "gen/words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace prejoin::gen {
namespace {

bool IsLetterOrDigit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool IsLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
char Upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

// Names that are one word although their capitals say otherwise.
constexpr std::array<std::string_view, 16> kOneWord = {
    "SaaS", "PaaS", "IaaS",    "FaaS",       "IoT",    "iOS",     "macOS",  "OAuth",
    "IPv4", "IPv6", "GraphQL", "PostgreSQL", "GitHub", "YouTube", "PayPal", "WiFi"};

// True if `i` is inside such a name, which begins and ends where words do.
bool InsideOneWord(std::string_view name, std::size_t i) {
  return std::ranges::any_of(kOneWord, [&](std::string_view word) {
    for (std::size_t at = name.find(word); at != std::string_view::npos;
         at = name.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      const bool whole = end == name.size() || !IsLower(name[end]) ||
                         (name[end] == 's' && (end + 1 == name.size() || !IsLower(name[end + 1])));
      const bool begins = at == 0 || IsUpper(word[0]) || !IsLetterOrDigit(name[at - 1]);
      if (begins && whole && i > at && i < end) {
        return true;
      }
    }
    return false;
  });
}

// True if a new word begins at `i`: orderId, HTTPServer, order2Go; but not in orderIDs or SaaS.
bool BeginsWord(std::string_view name, std::size_t i) {
  if (i == 0 || !IsUpper(name[i]) || InsideOneWord(name, i)) {
    return false;
  }
  const bool plural = IsUpper(name[i - 1]) && i + 1 < name.size() && name[i + 1] == 's' &&
                      (i + 2 == name.size() || !IsLower(name[i + 2]));
  if (plural) {
    return false;
  }
  if (IsLower(name[i - 1])) {
    return true;
  }
  const bool lower_follows = i + 1 < name.size() && IsLower(name[i + 1]);
  return lower_follows && IsLetterOrDigit(name[i - 1]);
}

// A character outside ASCII, by its number: "é" is u00e9. Languages differ in which of these a name may have, and in which are capitals.
std::string NumberOf(std::string_view name, std::size_t& i) {
  const auto byte = [&](std::size_t at) {
    return at < name.size() ? static_cast<unsigned char>(name[at]) : 0u;
  };
  const unsigned lead = byte(i);
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  unsigned code = more == 0 ? lead : lead & (0x3fu >> more);
  for (std::size_t k = 0; k < more && (byte(i + 1) & 0xc0u) == 0x80u; ++k) {
    code = code << 6 | (byte(++i) & 0x3fu);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = code > 0xffff ? 20 : 12; shift >= 0; shift -= 4) {
    out += kDigits[code >> shift & 0xfu];
  }
  return "u" + out;
}

std::string Capitalised(std::string word) {
  if (!word.empty()) {
    word[0] = Upper(word[0]);
  }
  return word;
}

std::string Joined(std::string_view name, std::string_view between) {
  std::string out;
  for (const std::string& word : Words(name)) {
    if (!out.empty()) {
      out += between;
    }
    out += word;
  }
  return out;
}

}  // namespace

std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) {
      words.push_back(std::move(word));
    }
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0x80) != 0) {
      word += NumberOf(name, i);
      continue;
    }
    if (!IsLetterOrDigit(name[i])) {
      end();
      continue;
    }
    if (BeginsWord(name, i)) {
      end();
    }
    word += Lower(name[i]);
  }
  end();
  // "_" and "_1" are names too, and every language must be able to say them.
  if (words.empty() && !name.empty()) {
    words.push_back("underscore");
  }
  if (!words.empty() && words[0][0] <= '9') {
    words[0].insert(0, "n");
  }
  return words;
}

std::string PascalCase(std::string_view name) {
  std::string out;
  for (const std::string& word : Words(name)) {
    out += Capitalised(word);
  }
  return out;
}

std::string CamelCase(std::string_view name) {
  std::string out = PascalCase(name);
  if (!out.empty()) {
    out[0] = Lower(out[0]);
  }
  return out;
}

std::string SnakeCase(std::string_view name) { return Joined(name, "_"); }

std::string UpperSnakeCase(std::string_view name) {
  std::string out = SnakeCase(name);
  for (char& c : out) {
    c = Upper(c);
  }
  return out;
}

namespace {

// Go writes initialisms in one case: ID, not Id.
bool IsInitialism(const std::string& word) {
  constexpr std::array kWords = {"api", "html", "http", "id",  "ip",  "json", "pk",
                                 "sk",  "sql",  "ttl",  "uri", "url", "uuid"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() ||
         ((word.starts_with("gsi") || word.starts_with("lsi")) && word.size() > 3 &&
          word[3] >= '0' && word[3] <= '9');
}

}  // namespace

std::string ExportedCase(std::string_view name) {
  std::string out;
  for (std::string word : Words(name)) {
    const bool all = IsInitialism(word);
    for (std::size_t i = 0; i < word.size() && (all || i == 0); ++i) {
      word[i] = Upper(word[i]);
    }
    out += word;
  }
  return out;
}

std::string UnexportedCase(std::string_view name) {
  const std::vector<std::string> words = Words(name);
  return words.empty() ? "" : words[0] + ExportedCase(name).substr(words[0].size());
}

std::string Plural(std::string_view name) {
  std::string out(name);
  const auto ends = [&](std::string_view tail) { return out.ends_with(tail); };
  // Orders, Series and News are plurals already; Addresses and Statuses are not made from those.
  if (ends("s") && !ends("ss") && !ends("us") && !ends("as")) {
    return ends("sis") ? out.substr(0, out.size() - 2) + "es" : out;
  }
  for (const std::string_view same : {"ata", "edia", "quipment", "nformation", "heep", "fish"}) {
    if (ends(same)) {
      return out;
    }
  }
  if (ends("hild")) {
    return out + "ren";
  }
  if (ends("erson")) {
    return out.substr(0, out.size() - 4) + "ople";
  }
  if (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh")) {
    return out + "es";
  }
  const bool after_consonant = out.size() > 1 && std::string_view("aeiou").find(
                                                     out[out.size() - 2]) == std::string_view::npos;
  if (ends("y") && after_consonant) {
    return out.substr(0, out.size() - 1) + "ies";
  }
  return out + "s";
}

std::string CommentText(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view three = text.substr(i, 3);
    if (three == "\u2028" || three == "\u2029") {  // Line ends of JavaScript.
      out += ' ';
      i += 2;
    } else if (three == "\"\"\"") {  // The end of a docstring.
      out += "'''";
      i += 2;
    } else if (three.starts_with("*/")) {
      out += "* /";
      ++i;
    } else if (c == '\\') {  // Java reads \u000a everywhere; a line of C++ that ends so continues.
      out += '/';
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

std::string Quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
    }
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string QuotedList(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? "" : ", ") + Quoted(text);
  }
  return out;
}

bool IsIdentifier(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') && std::ranges::all_of(name, [](char c) {
    return (static_cast<unsigned char>(c) & 0x80) == 0 && (IsLetterOrDigit(c) || c == '_');
  });
}

std::string PropertyName(std::string_view name) {
  return IsIdentifier(name) ? std::string(name) : Quoted(name);
}

}  // namespace prejoin::gen
