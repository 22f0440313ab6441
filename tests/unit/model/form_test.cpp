#include "model/form.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

TEST(Form, Cron) {
  for (const char* text : {"* * * * *", "*/5 0-6 1,15 jan-mar mon", "0 0 1 1 0", "59 23 31 12 7", "0-30/10 * * * sun"}) {
    EXPECT_TRUE(is_cron(text)) << text;
  }
  for (const char* text : {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "a * * * *",
                           "*/0 * * * *", "5-1 * * * *", "1,, * * * *"}) {
    EXPECT_FALSE(is_cron(text)) << text;
  }
}

TEST(Form, Uri) {
  for (const char* text : {"https://x.io/a", "oci://registry", "app://console/database", "mailto:a@b.c"}) EXPECT_TRUE(is_absolute_uri(text)) << text;
  for (const char* text : {"", "x", "://x", "1a:b", "http:", "https://a b", "ht tp://x"}) EXPECT_FALSE(is_absolute_uri(text)) << text;
}

TEST(Form, Duration) {
  for (const char* text : {"PT1H30M", "P1D", "P1DT2S", "PT0.5S", "P2W"}) EXPECT_TRUE(is_duration(text)) << text;
  for (const char* text : {"", "P", "PT", "1H", "PT1M1H", "P1H", "PT1"}) EXPECT_FALSE(is_duration(text)) << text;
}

TEST(Form, LowerCaseTouchesAsciiOnly) { EXPECT_EQ(lower_case("A\xC3\x89z"), "a\xC3\x89z"); }

}  // namespace
}  // namespace orlop
