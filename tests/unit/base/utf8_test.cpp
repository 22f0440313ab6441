#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace orlop {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text :
       {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\xA2", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesOverlongSurrogatesAndCutSequences) {
  for (const char* text : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "a\xFFz"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, FindsABrokenByteAtEveryPlaceOfALongText) {
  for (const std::size_t size : {63U, 64U, 65U, 127U, 128U, 200U}) {
    const std::string sound(size, 'a');
    EXPECT_TRUE(is_utf8(sound)) << size;
    EXPECT_TRUE(is_utf8(sound + "\xC3\xA9" + sound)) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string broken = sound;
      broken[at] = '\xFF';
      EXPECT_FALSE(is_utf8(broken)) << at << " of " << size;
    }
  }
}

TEST(Utf8, ReplacesOnlyWhatIsBroken) { EXPECT_EQ(to_utf8("a\xFFz\xC3\xA9"), "a\xEF\xBF\xBDz\xC3\xA9"); }

TEST(Utf8, CutsAtACharacterAndSaysHowMuchIsMissing) {
  EXPECT_EQ(bounded_text(std::string(100, 'a'), 100), std::string(100, 'a'));
  EXPECT_EQ(bounded_text(std::string(101, 'a'), 100), std::string(52, 'a') + "\xE2\x80\xA6 [49 more bytes]");
  // Each of these takes three bytes; the mark counts the bytes of the original, not of the replacement.
  std::string euros;
  for (int count = 0; count < 40; ++count) euros += "\xE2\x82\xAC";
  EXPECT_EQ(bounded_text(euros, 100), euros.substr(0, 51) + "\xE2\x80\xA6 [69 more bytes]");
  std::string replaced;
  for (int count = 0; count < 17; ++count) replaced += "\xEF\xBF\xBD";
  EXPECT_EQ(bounded_text(std::string(40, '\xFF'), 100), replaced + "\xE2\x80\xA6 [23 more bytes]");
  EXPECT_EQ(bounded_text("\xFF", 100), "\xEF\xBF\xBD");
}

TEST(Utf8, StaysWithinItsBoundAndWellFormed) {
  for (const std::size_t size : {99, 100, 101, 103, 200, 5000, 300'000}) {
    for (const char* piece : {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\xA2", "\xFF", "\xE2\x82"}) {
      std::string text;
      while (text.size() < size) text += piece;
      const std::string bounded = bounded_text(text, 100);
      EXPECT_LE(bounded.size(), 100U);
      EXPECT_TRUE(is_utf8(bounded)) << bounded;
    }
  }
}

TEST(Utf8, BeginningsEndWithACharacter) {
  EXPECT_EQ(beginning("abc", 2), "ab");
  EXPECT_EQ(beginning("abc", 3), "abc");
  EXPECT_EQ(beginning("abc", 64), "abc");
  EXPECT_EQ(beginning("a\xC3\xBC", 2), "a");
  EXPECT_EQ(beginning("\xE2\x82\xAC\xE2\x82\xAC", 5), "\xE2\x82\xAC");
  EXPECT_EQ(beginning("\xF0\x9F\x8E\x88", 3), "");
  EXPECT_EQ(beginning("", 0), "");
}

}  // namespace
}  // namespace orlop
