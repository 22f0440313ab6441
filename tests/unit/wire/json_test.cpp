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

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

TEST(Json, KeepsOrderAndKinds) {
  const std::string text = R"({"z":1,"a":[true,false,null,-5,1.5,"x"],"n":{"e":{},"l":[]}})";
  EXPECT_EQ(round_trip(text), text);
}

TEST(Json, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(round_trip(R"("\u0001\n\t\"\\\/\u00e9\ud83d\udea2")"),
            "\"\\u0001\\n\\t\\\"\\\\/\xC3\xA9\xF0\x9F\x9A\xA2\"");
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
  out.field_null("none")
      .field("yes", true)
      .field_raw("raw", "{\"a\":1}")
      .key("o")
      .begin_object()
      .end_object()
      .end_object();
  EXPECT_EQ(out.text(), R"({"id":"x","list":[1,2],"none":null,"yes":true,"raw":{"a":1},"o":{}})");
}

TEST(Writer, ATextThatEndsLikeAnOpeningStillGetsItsComma) {
  Writer out;
  out.begin_list().value("{").value("[").value(":").end_list();
  EXPECT_EQ(out.text(), R"(["{","[",":"])");
}

// Letters of every kind at every position around the sizes at which the writer allocates more space.
TEST(Writer, WritesTextsOfAnySizeAndKind) {
  for (const std::size_t size : {0U,  1U,  2U,  3U,  4U,  5U,  6U,    7U,    8U,    9U,    14U,
                                 15U, 16U, 17U, 62U, 64U, 66U, 1023U, 1024U, 1025U, 2100U, 70'000U}) {
    for (const std::string& odd :
         {std::string("\""), std::string("\\"), std::string("\n"), std::string("\x01"), std::string("\xC3\xA9")}) {
      for (const std::size_t at : {std::size_t{0}, size / 2, size}) {
        const std::string text = std::string(at, 'a') + odd + std::string(size - at, 'b');
        Writer out;
        out.begin_list().value(text).value(text).end_list();
        const auto read = parse_json(out.text());
        ASSERT_TRUE(read) << size;
        ASSERT_EQ(read->items().size(), 2U);
        EXPECT_EQ(read->items()[0].as_text(), text);
        EXPECT_EQ(read->items()[1].as_text(), text);
      }
    }
  }
}

TEST(Writer, WritesPlainTextsAndNamesOfEverySize) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::string text;
    for (std::size_t at = 0; at < size; ++at) text += static_cast<char>('a' + at % 26);
    EXPECT_EQ(Writer().begin_object().field(text, text).end_object().text(), "{\"" + text + "\":\"" + text + "\"}");
  }
}

TEST(Writer, EscapesEveryLetterOfALongText) {
  const std::string text(10'000, '\x01');
  const auto read = parse_json(to_json(Value(text)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->as_text(), text);
}

TEST(Writer, GoesOnAfterItsTextWasAskedFor) {
  Writer out;
  out.begin_list().value("a");
  EXPECT_EQ(out.text(), R"(["a")");
  out.value(std::string(100, 'b')).end_list();
  EXPECT_EQ(out.text(), "[\"a\",\"" + std::string(100, 'b') + "\"]");
  EXPECT_EQ(std::move(out).take().size(), 108U);
}

TEST(Writer, WritesIdsAndInstants) {
  Writer out;
  out.begin_list().value(Id{{0xAB, 1}}).value(Instant{1'767'225'600'007}).end_list();
  EXPECT_EQ(out.text(), R"(["ab010000-0000-0000-0000-000000000000","2026-01-01T00:00:00.007Z"])");
}

// With any remaining space at the beginning of the fields.
TEST(Writer, WritesFieldsOfEveryKindBehindATextOfAnySize) {
  const std::string fields =
      R"("plain":"text","odd":"a\"b","none":"","id":"ab010000-0000-0000-0000-000000000000","at":"2026-01-01T00:00:)"
      R"(00.007Z","least":-9223372036854775808,)"
      R"("most":18446744073709551615,"flag":false,"number":0.1,"null":null,"value":[1,"x"]})";
  Value list = Value::list();
  list.append(Value(std::int64_t{1}));
  list.append(Value("x"));
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string before(size, 'a');
    Writer out;
    out.begin_object()
        .field("before", before)
        .field("plain", "text")
        .field("odd", std::string("a\"b"))
        .field("none", std::string_view());
    out.field("id", Id{{0xAB, 1}})
        .field("at", Instant{1'767'225'600'007})
        .field("least", INT64_MIN)
        .field("most", UINT64_MAX);
    out.field("flag", false).field("number", 0.1).field_null("null").field("value", list).end_object();
    ASSERT_EQ(out.text(), R"({"before":")" + before + "\"," + fields);
  }
}

TEST(Writer, PutsMembersIntoTheOpenObject) {
  const auto value = parse_json(R"({"b":[],"c\n":{"d":null}})");
  ASSERT_TRUE(value);
  Writer out;
  out.begin_object().field("a", true).members_of(*value).end_object();
  EXPECT_EQ(out.text(), R"({"a":true,"b":[],"c\n":{"d":null}})");
  Writer none;
  none.begin_object().members_of(Value::object()).end_object();
  EXPECT_EQ(none.text(), "{}");
}

}  // namespace
}  // namespace orlop
