#include "store/event_detail.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

constexpr std::string_view ending = R"(","kind":"deploy","attempt":1})";
constexpr std::string_view step_text = R"({"step":"0000002a-0000-0000-0000-000000000000","kind":"deploy","attempt":1})";

Id some_step() {
  Id step;
  step.bytes[3] = 42;
  return step;
}

TEST(EventDetail, OfAStepIsItsText) {
  const EventDetail detail(some_step(), ending);
  EXPECT_FALSE(detail.empty());
  EXPECT_EQ(detail.size(), step_text.size());
  EXPECT_EQ(detail.text(), step_text);
  EXPECT_EQ(detail.size(), step_text.size()) << "once the text is there";
  EXPECT_EQ(detail, EventDetail(std::string(step_text)));
  EXPECT_EQ(EventDetail(some_step(), ending), EventDetail(std::string(step_text)));
  EXPECT_NE(detail, EventDetail());
}

TEST(EventDetail, AStepIsFoundInItsText) {
  for (const EventDetail& detail : {EventDetail(some_step(), ending), EventDetail(std::string(step_text))}) {
    const auto step = detail.step();
    ASSERT_TRUE(step);
    EXPECT_EQ(step->id, some_step());
    EXPECT_EQ(step->ending, ending);
  }
}

TEST(EventDetail, AnotherTextHasNoStep) {
  EXPECT_TRUE(EventDetail().empty());
  EXPECT_EQ(EventDetail().text(), "");
  for (const char* text : {"", "{}", R"({"step":")", R"({"step":"0000002A-0000-0000-0000-000000000000"})",
                           R"({"kind":"deploy","step":"0000002a-0000-0000-0000-000000000000"})"}) {
    EXPECT_FALSE(EventDetail(text).step()) << text;
  }
}

TEST(EventDetail, IsReadInThePlaceOfAnother) {
  EventDetail detail(some_step(), ending);
  detail.edit() = "{}";
  EXPECT_EQ(detail, EventDetail("{}"));
  EXPECT_FALSE(detail.step());
}

}  // namespace
}  // namespace orlop
