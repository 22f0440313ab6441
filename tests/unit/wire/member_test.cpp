#include "wire/object_member.h"

#include <gtest/gtest.h>

#include <string>

namespace orlop {
namespace {

constexpr std::string_view object =
    R"({"id":"7","deep":{"name":"not me","list":[{"name":"nor me"},"}"]},"text":"\"name\":\"no\\","name":"w\"e,b})"
    R"(","last":-1.5})";

TEST(Member, FindsWhatStandsAtTheTop) {
  EXPECT_EQ(raw_member(object, "id"), R"("7")");
  EXPECT_EQ(raw_member(object, "name"), R"("w\"e,b}")");
  EXPECT_EQ(raw_member(object, "last"), "-1.5");
  EXPECT_EQ(raw_member(object, "deep"), R"({"name":"not me","list":[{"name":"nor me"},"}"]})");
}

TEST(Member, AnswersNothingForWhatIsAbsentOrNotWrittenHere) {
  EXPECT_EQ(raw_member(object, "list"), "");
  for (const char* text : {"", "{}", "[]", "{ \"name\": \"x\" }", "{\"name\" :\"x\"}", "{\"name\":", "{\"name",
                           "{\"name\":\"x", "{\"a\":1 \"name\":2}"}) {
    EXPECT_EQ(raw_member(text, "name"), "") << text;
  }
}

// The quote at the end of a text is the first one that is not escaped.
TEST(Member, FindsTheEndOfATextWithBackslashes) {
  for (const char* text :
       {R"("")", R"("\\")", R"("\\\\")", R"("\"")", R"("\\\"")", R"("\"\"")", R"("a\\\"b\\")", R"("é\\")"}) {
    const std::string object_text = std::string(R"({"before":)") + text + R"(,"name":"x"})";
    EXPECT_EQ(raw_member(object_text, "before"), text);
    EXPECT_EQ(raw_member(object_text, "name"), R"("x")") << text;
  }
  for (const char* text : {R"({"name":"\\\"})", R"({"name":"\"})", R"({"name\":"x"})", R"({"name":"\)"}) {
    EXPECT_EQ(raw_member(text, "name"), "") << text;
  }
}

// A list of ids is skipped without reading every letter; a list that only resembles one is read.
TEST(Member, PassesOverListsOfIds) {
  const std::string id = R"("00000011-8066-8ddb-9aa8-000a24c62dc3")";
  const std::string almost = R"("00000011-8066-8ddb-9aa8-000a24c62d\\")";  // of the same length, with an escaped last
                                                                           // letter
  const std::string quoted = R"("00000011-8066-8ddb-9aa8-000a24c62d\"")";
  // The quote at the position where an id's quote ends is escaped.
  const std::string open = R"("00000011-8066-8ddb-9aa8-000a24c62dc\"]")";
  // Two texts: the quote at the position where an id's quote ends begins the second one.
  const std::string shorter = R"("00000011-8066-8ddb-9aa8-000a24c62d","],")";
  const std::string longer = R"("00000011-8066-8ddb-9aa8-000a24c62dc3 ]")";
  for (const std::string& list :
       {"[" + id + "]", "[" + id + "," + id + "," + id + "]", std::string("[]"), "[" + id + ",[" + id + "]]",
        "[" + id + ",1]", "[" + almost + "]", "[" + quoted + "]", "[" + open + "]", "[" + shorter + "]",
        "[" + id + "," + shorter + "]", "[" + id + "," + open + "]", "[" + longer + "," + id + "]",
        "[" + id + "," + longer + "]", "[" + id + "," + almost + "," + id + "]"}) {
    const std::string text = R"({"before":1,"ids":)" + list + R"(,"name":"x","ids again":)" + list + "}";
    EXPECT_EQ(raw_member(text, "ids"), list) << text;
    EXPECT_EQ(raw_member(text, "name"), R"("x")") << text;
    EXPECT_EQ(raw_member(text, "ids again"), list) << text;
  }
  for (const std::string& cut : {R"({"ids":[)" + id, R"({"ids":[)" + id + "]", R"({"ids":[)" + id + ","}) {
    EXPECT_EQ(raw_member(cut, "name"), "") << cut;
    EXPECT_EQ(raw_member(cut, "ids"), "") << cut;
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
  for (const char* text : {"", "[]", "{ \"name\": \"x\" }", "{\"name\" :\"x\"}", "{\"name\":", "{\"name",
                           "{\"name\":\"x", "{\"name\":\"x\"", "{\"name\":\"x\", \"other\":1}", "{\"name\":1}}"}) {
    EXPECT_FALSE(raw_members(text, names, texts)) << text;
  }
}

constexpr std::string_view record_text =
    R"({"id":"0000000a-8066-8ddb-9aa8-0052e9852586","created_at":"2026-01-01T00:00:00.000Z","updated_at":)"
    R"("2026-01-02T00:00:00.000Z","environment":{"name":"inside"},"name":"web","tag":"1"})";

// The usual heading of a record is skipped at once, and its members are found on request.
TEST(RawMember, IsFoundBehindTheHeadingOfARecord) {
  EXPECT_EQ(raw_member(record_text, "name"), R"("web")");
  EXPECT_EQ(raw_member(record_text, "environment"), R"({"name":"inside"})");
  EXPECT_EQ(raw_member(record_text, "id"), R"("0000000a-8066-8ddb-9aa8-0052e9852586")");
  EXPECT_EQ(raw_member(record_text, "updated_at"), R"("2026-01-02T00:00:00.000Z")");
  EXPECT_EQ(raw_member(record_text, "port"), "");
}

// Records refer to others by objects of one form.
const std::string with_references = std::string(record_text.substr(0, record_text.size() - 1)) +
                                    R"(,"cluster":{"id":"0000000b-8066-8ddb-9aa8-0052e9852586"},"stage":{"id":)"
                                    R"("0000000c-8066-8ddb-9aa8-0052e9852586"},"last":1})";

TEST(RawMember, IsNotReadBehindTheEndOfATextThatIsCut) {
  for (std::size_t size = 0; size < with_references.size(); ++size) {
    // On the heap, so that a sanitizer detects reads beyond the end.
    const std::string cut = with_references.substr(0, size);
    const std::string_view found = raw_member(cut, "name");
    EXPECT_TRUE(found.empty() || found == R"("web")") << size;
    EXPECT_EQ(raw_member(cut, "last"), "") << size;
  }
}

// Texts that only resemble the heading: its letters are part of a value.
TEST(RawMember, IsNotTakenOutOfAValueThatLooksLikeTheHeading) {
  const std::string id(35, 'a');
  const std::string times =
      R"("created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-02T00:00:00.000Z","name":"web"})";
  EXPECT_EQ(raw_member(R"({"id":")" + id + R"(\",)" + times, "name"), "");
  EXPECT_EQ(raw_member(R"({"id":")" + id + "a\"," + times, "name"), R"("web")");
  EXPECT_EQ(raw_member(R"({"id":")" + id + "\"," + times, "name"), R"("web")");
  EXPECT_EQ(raw_member(R"({"id":")" + id + "aa\"," + times, "name"), R"("web")");
}

// Reads letter by letter: returns the end of the string or value that begins at `at`; npos if it has none.
std::size_t plain_end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at < text.size() ? at + 1 : std::string_view::npos;
}

std::size_t plain_end_of_value(std::string_view text, std::size_t at) {
  for (int depth = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '"') {
      at = plain_end_of_string(text, at);
      continue;
    }
    const bool closes = letter == '}' || letter == ']';
    if (depth == 0 && (closes || letter == ',')) return at;
    if (letter == '{' || letter == '[') ++depth;
    if (closes) --depth;
    ++at;
  }
  return std::string_view::npos;
}

std::string_view plain_member(std::string_view text, std::string_view name) {
  if (!text.starts_with("{\"")) return {};
  for (std::size_t at = 1; at < text.size() && text[at] == '"';) {
    const std::size_t key_end = plain_end_of_string(text, at);
    if (key_end >= text.size() || text[key_end] != ':') return {};
    const std::size_t end = plain_end_of_value(text, key_end + 1);
    if (end == std::string_view::npos) return {};
    if (text.substr(at + 1, key_end - at - 2) == name) return text.substr(key_end + 1, end - key_end - 1);
    if (text[end] != ',') return {};
    at = end + 1;
  }
  return {};
}

// Each letter of a record in turn is replaced, as by manual edits.
TEST(RawMember, IsWhatReadingLetterByLetterFinds) {
  for (std::size_t at = 0; at < with_references.size(); ++at) {
    for (const char letter : {'"', '\\', ',', ':', '{', '}', '[', ']', 'x', '\xA2', '\x23', '\x21', '\0'}) {
      std::string text = with_references;
      text[at] = letter;
      for (const std::string_view name :
           {"id", "created_at", "updated_at", "environment", "name", "tag", "cluster", "stage"}) {
        EXPECT_EQ(raw_member(text, name), plain_member(text, name)) << text << " " << name;
      }
    }
  }
}

// The quote that ends a text is at any position in the machine words that are examined, alone or after an escaped one,
// and before any rest.
TEST(RawMember, IsFoundBehindATextOfAnySize) {
  for (std::size_t size = 0; size < 80; ++size) {
    for (std::size_t odd = 0; odd <= size; ++odd) {
      for (const std::string_view inside : {"", R"(\")", R"(\\)", R"(\\\")", "!", "#", "\xA2"}) {
        const std::string value = '"' + std::string(odd, 'a').append(inside).append(size - odd, 'b') + '"';
        for (const std::string_view rest : {"}", R"(,"name":1})", R"(,"name":"0123456789"})"}) {
          const std::string text = R"({"text":)" + value + std::string(rest);
          ASSERT_EQ(raw_member(text, "text"), value) << text;
          ASSERT_EQ(raw_member(text, "name"), plain_member(text, "name")) << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace orlop
