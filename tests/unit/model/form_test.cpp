#include "model/form.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

TEST(Form, Cron) {
  for (const char* text : {"* * * * *", "*/5 0-6 1,15 jan-mar mon", "0 0 1 1 0", "59 23 31 12 6", "1,, ? * * *",
                           "@hourly", "@every 90s", "0\t0 * * *", "0-30/10 * * * sun"}) {
    EXPECT_EQ(cron_fault(text), "") << text;
  }
  for (const char* text :
       {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 7", "a * * * *",
        "*/0 * * * *", "5-1 * * * *", "@reboot", "@every 1d", "TZ=UTC 0 0 * * *"}) {
    EXPECT_NE(cron_fault(text), "") << text;
  }
}

TEST(Form, ACronScheduleThatIsRefusedNamesItsField) {
  EXPECT_EQ(cron_fault("* * * *"), "must be a cron schedule of five fields as in */5 * * * *, not \"* * * *\"");
  EXPECT_EQ(cron_fault("* 24 * * *"),
            "must be a cron schedule: its hour must be * or 0 to 23, with lists, ranges and steps, not \"24\"");
  EXPECT_EQ(cron_fault("* * * juli *"),
            "must be a cron schedule: its month must be * or 1 to 12 or names of three letters, with lists, ranges and "
            "steps, not \"juli\"");
  EXPECT_NE(cron_fault("0 " + std::string(70'000, '1') + " * * *").find("…"), std::string::npos);
}

TEST(Form, ACronScheduleThatIsRefusedSaysWhatToWriteInstead) {
  EXPECT_EQ(cron_fault("0 0 * * 1,7"),
            "must be a cron schedule: its day of the week must be * or 0 to 6 or names of three letters, with lists, "
            "ranges and steps, not \"1,7\"; Sunday is 0");
  EXPECT_EQ(cron_fault("CRON_TZ=UTC 0 0 * * *"),
            "must be a cron schedule without a time zone, which is given in `timezone`, not \"CRON_TZ=UTC 0 0 * * *\"");
  EXPECT_EQ(cron_fault("@every 1d"),
            "must be a cron schedule: @every must be followed by one space and a duration as in @every 1h30m, not "
            "\"@every 1d\"");
  EXPECT_EQ(cron_fault("@reboot"),
            "must be a cron schedule: its descriptor must be one of @yearly, @annually, @monthly, @weekly, @daily, "
            "@midnight, @hourly and @every with a duration, not \"@reboot\"");
}

TEST(Form, Uri) {
  for (const char* text : {"https://x.io/a", "oci://registry", "app://console/database", "mailto:a@b.c"})
    EXPECT_TRUE(is_absolute_uri(text)) << text;
  for (const char* text : {"", "x", "://x", "1a:b", "http:", "https://a b", "ht tp://x"})
    EXPECT_FALSE(is_absolute_uri(text)) << text;
}

TEST(Form, Duration) {
  for (const char* text : {"PT1H30M", "P1D", "P1DT2S", "PT0.5S", "P2W"}) EXPECT_TRUE(is_duration(text)) << text;
  for (const char* text : {"", "P", "PT", "1H", "PT1M1H", "P1H", "PT1", "PT1.2.3S", "PT.S", "PT.5S", "PT5.S"})
    EXPECT_FALSE(is_duration(text)) << text;
}

TEST(Form, LowerCaseTouchesAsciiOnly) { EXPECT_EQ(lower_case("A\xC3\x89z"), "a\xC3\x89z"); }

}  // namespace
}  // namespace orlop
