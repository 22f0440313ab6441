// The full parser accepts everything that the plain reader accepts, with the same result.
#include "wire/read_plain.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/limits.h"

namespace orlop {
namespace {

constexpr std::string_view seeds[] = {
    R"({"id":"0198c0de-1234-7abc-8def-0123456789ab","name":"web","ports":[{"internal_port":80,)"
    R"("publicly_accessible":true}],"cpu":500})",
    R"( { "a" : [ 1 , -2 , 3.5 , 1e3 , -0 , 0.25E-2 , null , true , false ] , "b" : { } , "c" : [ ] } )",
    R"("a \"quoted\" text\n with \\ and \/ and é and 🚢")",
    R"({"z":{"z":{"z":[[[{"z":"\t"}]]]}}})",
    R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16,)"
    R"("q":17,"r":18})",
    "[9223372036854775807,-9223372036854775808,0.1,123456789012345678,1.7976931348623157e308]",
    "7",
    "null",
    "\"\"",
};

// Compares both readers; returns true if the plain one accepted the text.
bool compare(const std::string& text) {
  const auto plain = read_plain_json(text);
  const bool is_object = plain && plain->is_object();
  EXPECT_EQ(is_plain_json_object(text), is_object) << text;
  if (!plain) return false;
  const auto full = parse_fully(text);
  EXPECT_TRUE(full && *plain == *full) << text;
  return true;
}

TEST(ReadPlain, TakesWhatTheEngineWrites) {
  for (const std::string_view seed : seeds) EXPECT_TRUE(compare(std::string(seed))) << seed;
}

TEST(ReadPlain, MakesTheSameOfATextAsTheFullParserOrLeavesIt) {
  constexpr std::string_view letters = "{}[]\",:\\ntf0123456789.eE+-u \n\x01\x7F\xC3\xA9\xFF";
  std::uint64_t state = 7;
  const auto draw = [&state](std::size_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  int taken = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string text(seeds[draw(std::size(seeds))]);
    for (std::size_t change = draw(4); change > 0; --change) {
      const std::size_t at = draw(text.size());
      if (draw(3) == 0) text.erase(at, 1 + draw(3));
      else if (draw(2) == 0) text.insert(at, 1, letters[draw(letters.size())]);
      else text[at] = letters[draw(letters.size())];
      if (text.empty()) text = "0";
    }
    if (compare(text)) ++taken;
  }
  EXPECT_GT(taken, 10'000);
}

TEST(ReadPlain, LeavesWhatNeedsWords) {
  for (const char* text : {"", "{", R"({"a":1,"a":2})", R"("\u00e9")", "01", "1.", "[1,]", "nul", "1 2",
                           "99999999999999999999", "1e999", "\"\x80\"", "\"\x1F\"", "{\"a\" 1}", "\xEF\xBB\xBF{}"}) {
    EXPECT_FALSE(read_plain_json(text)) << text;
  }
}

// Eight letters are examined together.
TEST(ReadPlain, SeesEveryByteWhereverItStands) {
  for (const char around : {'a', '!', '~'}) {
    for (std::size_t size = 1; size <= 17; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        for (int byte = 0; byte < 256; ++byte) {
          std::string text(size + 2, around);
          text.front() = text.back() = '"';
          text[at + 1] = static_cast<char>(byte);
          const bool is_plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
          EXPECT_TRUE(compare(text) || !is_plain) << text;
        }
      }
    }
  }
}

TEST(ReadPlain, FindsANameThatIsGivenTwiceAmongFewAndMany) {
  for (const std::size_t count : {2U, 17U, 64U, 65U, 300U}) {
    const auto object = [count](std::size_t renamed) {
      std::string text;
      for (std::size_t at = 0; at < count; ++at)
        text += (at == 0 ? "{\"m" : ",\"m") + std::to_string(at == renamed ? 0 : at) + "\":1";
      return text + "}";
    };
    EXPECT_TRUE(compare(object(0)));
    for (std::size_t twice = 1; twice < count; ++twice)
      EXPECT_FALSE(read_plain_json(object(twice))) << count << " " << twice;
  }
}

TEST(ReadPlain, StopsAtTheSameDepth) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(compare(nested(json_depth_max)));
  EXPECT_FALSE(read_plain_json(nested(json_depth_max + 1)));
  EXPECT_FALSE(read_plain_json(std::string(100'000, '[')));
}

}  // namespace
}  // namespace orlop
