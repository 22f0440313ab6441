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
  const std::pair<const char*, const char*> examples[] = {{"", ""},           {"f", "Zg=="},         {"fo", "Zm8="},        {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [text, base64] : examples) {
    EXPECT_EQ(encoded(text), base64);
    EXPECT_EQ(parse_base64(base64), text);
  }
  EXPECT_EQ(encoded("\xFB\xEF\xFF"), "++//");
  EXPECT_EQ(parse_base64("++//"), "\xFB\xEF\xFF");
}

TEST(Base64, IsReadWithoutItsEnd) { EXPECT_EQ(parse_base64("Zm9vYg"), "foob"); }

TEST(Base64, IsNothingElse) {
  for (const char* text : {"Z", "Zg=", "Zg===", "Zm9v=", "Zm 9v", "Zm-_", "=", "Zg=a"}) EXPECT_FALSE(parse_base64(text)) << text;
}

}  // namespace
}  // namespace orlop
