#include "base/text/base64.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace orlop {
namespace {

std::string encoded(const std::string& text) {
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return to_base64(bytes);
}

// The examples of RFC 4648.
TEST(Base64, IsThatOfTheStandard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, base64] : examples) {
    EXPECT_EQ(encoded(text), base64);
    EXPECT_EQ(parse_base64(base64), text);
  }
  EXPECT_EQ(encoded("\xFB\xEF\xFF"), "++//");
  EXPECT_EQ(parse_base64("++//"), "\xFB\xEF\xFF");
}

TEST(Base64, IsReadWithoutItsEnd) { EXPECT_EQ(parse_base64("Zm9vYg"), "foob"); }

TEST(Base64, IsNothingElse) {
  for (const char* text : {"Z",        "Zg=",   "Zg===", "Zm9v=",    "Zm 9v",
                           "Zm-_",     "=",     "Zg=a",  " Zm9v",    "Zm9v ",
                           "Zm9v\n",   "Zm9\n", "Zg\n",  "Zm9-",     "Zm9vZm9v\tA==",
                           "Zm=vZm9v", "Z===",  "====",  "Zm9vZ-==", "Zm9v\xFF\xFF\xFF\xFF"}) {
    EXPECT_FALSE(parse_base64(text)) << text;
  }
  EXPECT_FALSE(parse_base64(std::string_view("Zm9\0", 4)));
}

// Every byte at every position of a group, with every length of the last group.
TEST(Base64, GivesBackWhatItWasMadeOf) {
  std::string bytes;
  for (int size = 0; size < 800; ++size) {
    const std::string text = encoded(bytes);
    EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
    EXPECT_EQ(parse_base64(text), bytes) << text;
    EXPECT_EQ(parse_base64(std::string_view(text).substr(0, text.find('='))), bytes) << text;
    bytes.push_back(static_cast<char>(size * 167));
  }
}

// At every position only the letters of the alphabet are accepted.
TEST(Base64, ReadsTheLettersOfTheAlphabetOnly) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t at = 0; at < 11; ++at) {
    for (int letter = 0; letter < 256; ++letter) {
      std::string text = "AAAAAAAAAAA";
      text[at] = static_cast<char>(letter);
      EXPECT_EQ(parse_base64(text).has_value(), alphabet.find(static_cast<char>(letter)) != std::string::npos)
          << at << " " << letter;
    }
  }
}

}  // namespace
}  // namespace orlop
