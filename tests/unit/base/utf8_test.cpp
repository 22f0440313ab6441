#include "base/utf8.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\xA2", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesOverlongSurrogatesAndCutSequences) {
  for (const char* text : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xE2\x82", "a\xFFz"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, ReplacesOnlyWhatIsBroken) { EXPECT_EQ(to_utf8("a\xFFz\xC3\xA9"), "a\xEF\xBF\xBDz\xC3\xA9"); }

}  // namespace
}  // namespace orlop
