#include "wire/member.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

constexpr std::string_view object =
    R"({"id":"7","deep":{"name":"not me","list":[{"name":"nor me"},"}"]},"text":"\"name\":\"no\\","name":"w\"e,b}","last":-1.5})";

TEST(Member, FindsWhatStandsAtTheTop) {
  EXPECT_EQ(raw_member(object, "id"), R"("7")");
  EXPECT_EQ(raw_member(object, "name"), R"("w\"e,b}")");
  EXPECT_EQ(raw_member(object, "last"), "-1.5");
  EXPECT_EQ(raw_member(object, "deep"), R"({"name":"not me","list":[{"name":"nor me"},"}"]})");
}

TEST(Member, AnswersNothingForWhatIsAbsentOrNotWrittenHere) {
  EXPECT_EQ(raw_member(object, "list"), "");
  for (const char* text : {"", "{}", "[]", "{ \"name\": \"x\" }", "{\"name\" :\"x\"}", "{\"name\":", "{\"name", "{\"name\":\"x", "{\"a\":1 \"name\":2}"}) {
    EXPECT_EQ(raw_member(text, "name"), "") << text;
  }
}

TEST(Members, FindsSeveralInTheOrderOfTheirNames) {
  constexpr std::string_view names[] = {"last", "list", "id"};
  std::string_view texts[3];
  EXPECT_TRUE(raw_members(object, names, texts));
  EXPECT_EQ(texts[0], "-1.5");
  EXPECT_EQ(texts[1], "");
  EXPECT_EQ(texts[2], R"("7")");
  EXPECT_TRUE(raw_members("{}", names, texts));
  EXPECT_EQ(texts[2], "");
}

TEST(Members, SaysWhenTheWholeMustBeParsed) {
  constexpr std::string_view names[] = {"name", "other"};
  std::string_view texts[2];
  for (const char* text : {"", "[]", "{ \"name\": \"x\" }", "{\"name\" :\"x\"}", "{\"name\":", "{\"name", "{\"name\":\"x", "{\"name\":\"x\"",
                           "{\"name\":\"x\", \"other\":1}", "{\"name\":1}}"}) {
    EXPECT_FALSE(raw_members(text, names, texts)) << text;
  }
}

}  // namespace
}  // namespace orlop
