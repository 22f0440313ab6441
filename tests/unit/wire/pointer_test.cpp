#include "wire/pointer.h"

#include <gtest/gtest.h>

#include <string>

namespace orlop {
namespace {

std::string found(std::string_view json, std::string_view pointer) {
  return find_by_pointer(json, pointer).value_or("nothing");
}

// The document of RFC 6901, section 5.
constexpr std::string_view document =
    R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})";

TEST(Pointer, FindsWhatTheSpecificationSays) {
  EXPECT_EQ(found(document, ""), document);
  EXPECT_EQ(found(document, "/foo"), R"(["bar","baz"])");
  EXPECT_EQ(found(document, "/foo/0"), "bar");
  EXPECT_EQ(found(document, "/foo/1"), "baz");
  EXPECT_EQ(found(document, "/"), "0");
  EXPECT_EQ(found(document, "/a~1b"), "1");
  EXPECT_EQ(found(document, "/c%d"), "2");
  EXPECT_EQ(found(document, "/e^f"), "3");
  EXPECT_EQ(found(document, "/g|h"), "4");
  EXPECT_EQ(found(document, "/i\\j"), "5");
  EXPECT_EQ(found(document, "/k\"l"), "6");
  EXPECT_EQ(found(document, "/ "), "7");
  EXPECT_EQ(found(document, "/m~0n"), "8");
}

TEST(Pointer, FindsNothingWhereThereIsNothing) {
  for (const char* pointer :
       {"/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/ 1", "/foo/1e0", "/foo/", "/foo/0/x", "/none", "foo",
        "/m~n", "/m~", "/m~2", "/foo/18446744073709551616", "/foo/0/"}) {
    EXPECT_EQ(found(document, pointer), "nothing") << pointer;
  }
  EXPECT_EQ(found("[]", "/0"), "nothing");
  EXPECT_EQ(found("{}", "/"), "nothing");
  EXPECT_EQ(found("", ""), "nothing");
  EXPECT_EQ(found("", "/a"), "nothing");
}

TEST(Pointer, AnswersTheCharactersOfTextAndTheJsonOfTheRest) {
  constexpr std::string_view json =
      R"( { "text" : "a\"b\\\u00e9\ud83d\udea2\n" , "flag":true, "none" : null, "number" : -1.50e3 ,
    "object" : { "k" : [ 1 , "]}," , { } ] } , "empty":"", "u\u006eder":"escaped key" } )";
  EXPECT_EQ(found(json, "/text"), "a\"b\\\xC3\xA9\xF0\x9F\x9A\xA2\n");
  EXPECT_EQ(found(json, "/flag"), "true");
  EXPECT_EQ(found(json, "/none"), "null");
  EXPECT_EQ(found(json, "/number"), "-1.50e3");
  EXPECT_EQ(found(json, "/object"), R"({ "k" : [ 1 , "]}," , { } ] })");
  EXPECT_EQ(found(json, "/object/k/1"), "]},");
  EXPECT_EQ(found(json, "/object/k/2"), "{ }");
  EXPECT_EQ(find_by_pointer(json, "/empty"), "");
  EXPECT_EQ(found(json, "/under"), "escaped key");
  EXPECT_EQ(found("\"only text\"", ""), "only text");
  EXPECT_EQ(found(" 17 ", ""), "17");
}

TEST(Pointer, IsNotDeepInDeepText) {
  const std::size_t depth = 200'000;
  const std::string deep = "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + ",\"b\":1}";
  EXPECT_EQ(found(deep, "/b"), "1");
  EXPECT_EQ(found(deep, "/a").size(), 2 * depth);
}

// Text that is cut off at any position gives no value or a part of it, and is never read beyond its end.
TEST(Pointer, SurvivesTextThatIsCutOff) {
  const std::string whole = R"({"a":["x\\\"",{"b":"\u00e9"},12],"c":"d"})";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    for (const char* pointer : {"", "/a", "/a/0", "/a/1/b", "/a/2", "/c"}) (void)find_by_pointer(cut, pointer);
    EXPECT_EQ(found(cut, "/c/x"), "nothing");
  }
}

}  // namespace
}  // namespace orlop
