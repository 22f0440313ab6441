#include "wire/json.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string round_trip(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : "error: " + value.error().message;
}

std::string nested(int depth) { return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']'); }

TEST(Json, KeepsOrderAndKinds) {
  const std::string text = R"({"z":1,"a":[true,false,null,-5,1.5,"x"],"n":{"e":{},"l":[]}})";
  EXPECT_EQ(round_trip(text), text);
}

TEST(Json, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(round_trip(R"("\u0001\n\t\"\\\/\u00e9\ud83d\udea2")"), "\"\\u0001\\n\\t\\\"\\\\/\xC3\xA9\xF0\x9F\x9A\xA2\"");
}

TEST(Json, KeepsBigIntegersAndShortNumbers) {
  EXPECT_EQ(round_trip("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(round_trip("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(round_trip("18446744073709551615"), "18446744073709551616");  // beyond 64 bits: the nearest number
  EXPECT_EQ(round_trip("0.1"), "0.1");
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,]", "nul", "{\"a\":1}x", "'a'", "\"\x80\"", "01", "\xEF\xBB"}) {
    const auto value = parse_json(text);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().code, ErrorCode::invalid) << text;
  }
}

TEST(Json, RefusesADuplicateKeyByName) {
  const auto value = parse_json(R"({"a":1,"b":{"name":1,"name":2}})");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message, "the key \"name\" is given twice in one object");
}

TEST(Json, DepthIsBoundedExactly) {
  EXPECT_TRUE(parse_json(nested(json_depth_max)));
  EXPECT_FALSE(parse_json(nested(json_depth_max + 1)));
  EXPECT_FALSE(parse_json(nested(100'000)));
}

TEST(Json, SizeIsBoundedExactly) {
  const std::string fits = "\"" + std::string(body_size_max - 2, 'a') + "\"";
  EXPECT_TRUE(parse_json(fits));
  EXPECT_FALSE(parse_json(fits + " "));
}

TEST(Writer, PutsCommasBetweenMembersAndItems) {
  Writer out;
  out.begin_object().field("id", "x").key("list").begin_list().value(std::int64_t{1}).value(std::int64_t{2}).end_list();
  out.field_null("none").field("yes", true).field_raw("raw", "{\"a\":1}").key("o").begin_object().end_object().end_object();
  EXPECT_EQ(out.text(), R"({"id":"x","list":[1,2],"none":null,"yes":true,"raw":{"a":1},"o":{}})");
}

TEST(Writer, ATextThatEndsLikeAnOpeningStillGetsItsComma) {
  Writer out;
  out.begin_list().value("{").value("[").value(":").end_list();
  EXPECT_EQ(out.text(), R"(["{","[",":"])");
}

}  // namespace
}  // namespace orlop
