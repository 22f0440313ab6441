#include "base/id.h"

#include <gtest/gtest.h>

#include <cctype>
#include <compare>
#include <cstddef>
#include <set>
#include <string>

namespace orlop {
namespace {

class CountingRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override {
    return transaction * 1000003 + index * 7919;
  }
};

TEST(Id, TextRoundTripsInLowerCase) {
  const auto id = parse_id("0198C0DE-1234-7ABC-8def-0123456789AB");
  ASSERT_TRUE(id);
  EXPECT_EQ(to_text(*id), "0198c0de-1234-7abc-8def-0123456789ab");
}

TEST(Id, RefusesEveryOtherText) {
  for (const char* text : {"", "0198c0de", "0198c0de-1234-7abc-8def-0123456789a",
                           "0198c0de-1234-7abc-8def-0123456789abc", "0198c0de+1234-7abc-8def-0123456789ab",
                           "0198c0dg-1234-7abc-8def-0123456789ab", "0198c0de1234-7abc-8def-0123456789ab-"}) {
    EXPECT_FALSE(parse_id(text)) << text;
  }
}

// Every byte at every position: eight digits are read at once.
TEST(Id, ADigitHasItsValueAtEveryPlace) {
  const std::string usual = "0198c0de-1234-7abc-8def-0123456789ab";
  for (std::size_t place = 0; place < usual.size(); ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = usual;
      text[place] = static_cast<char>(byte);
      const bool is_hyphen = usual[place] == '-';
      const bool is_right = is_hyphen ? byte == '-' : std::isxdigit(byte) != 0;
      const auto id = parse_id(text);
      ASSERT_EQ(id.has_value(), is_right) << place << " " << byte;
      if (!id) continue;
      text[place] = static_cast<char>(std::tolower(byte));
      EXPECT_EQ(to_text(*id), text);
    }
  }
}

TEST(Id, MadeIdsAreVersion8AndCarryTheirInstant) {
  CountingRandomSource random_source;
  for (const std::int64_t at : {std::int64_t{1'767'225'600'123}, std::int64_t{0}, std::int64_t{-1},
                                std::int64_t{-62'135'596'800'000}, std::int64_t{253'402'300'799'999}}) {
    const Id id = IdMaker(random_source, 5, 7, Instant{at}).make();
    EXPECT_EQ(id.bytes[6] >> 4, 8);
    EXPECT_EQ(id.bytes[8] >> 6, 2);
    EXPECT_EQ(created_at_of(id).milliseconds, at);
    EXPECT_EQ(id_count_of(id), 8U);
  }
}

TEST(Id, AnIdOfVersion7CarriesItsInstant) {
  EXPECT_EQ(created_at_of(*parse_id("019b76da-a800-7000-8000-0000becfe4ae")).milliseconds, 1'767'225'600'000);
}

TEST(Id, ManyIdsOfOneInstantKeepTheirOrderAndDifferInTheirFirstDigits) {
  CountingRandomSource random_source;
  IdMaker maker(random_source, 1, 0xFFF0, Instant{1'767'225'600'000});
  Id last;
  std::set<std::string> starts;
  for (int count = 0; count < 10'000; ++count) {
    const Id id = maker.make();
    ASSERT_GT(id, last) << count;
    last = id;
    starts.insert(to_text(id).substr(0, 8));
  }
  EXPECT_EQ(starts.size(), 10'000U);
  EXPECT_EQ(maker.count(), 0xFFF0 + 10'000U);
}

TEST(Id, AClockThatIsSetBackChangesNoOrder) {
  CountingRandomSource random_source;
  const Id early = IdMaker(random_source, 1, 5, Instant{1'000'000}).make();
  EXPECT_GT(IdMaker(random_source, 2, 6, Instant{-1'000'000}).make(), early);
}

// The counter of the first digits overflows: ids continue in order, and differ.
TEST(Id, WhereTheCounterEndsIdsGoOnInOrder) {
  CountingRandomSource random_source;
  IdMaker maker(random_source, 1, id_count_max - 2, Instant{42});
  Id last;
  for (int count = 0; count < 5'000; ++count) {
    const Id id = maker.make();
    ASSERT_GT(id, last) << count;
    last = id;
  }
  EXPECT_EQ(maker.count(), id_count_max);
  for (std::uint64_t transaction = 2; transaction < 100; ++transaction) {
    const Id id = IdMaker(random_source, transaction, id_count_max, Instant{42}).make();
    ASSERT_GT(id, last) << transaction;
    last = id;
  }
  EXPECT_GT(IdMaker(random_source, 1, id_count_max, Instant{43}).make(), last);
}

TEST(Id, IsOrderedByteAfterByte) {
  for (std::size_t at = 0; at < 16; ++at) {
    Id low;
    Id high;
    low.bytes.fill(0x7F);
    high.bytes.fill(0x7F);
    for (std::size_t behind = at + 1; behind < 16; ++behind) low.bytes[behind] = 0xFF;
    high.bytes[at] = 0x80;
    EXPECT_LT(low, high) << at;
    EXPECT_GT(high, low) << at;
    EXPECT_LT(to_text(low), to_text(high)) << at;
    EXPECT_EQ(high <=> high, std::strong_ordering::equal);
  }
}

TEST(Id, SameTransactionMakesTheSameIds) {
  CountingRandomSource random_source;
  IdMaker first(random_source, 9, 3, Instant{42});
  IdMaker second(random_source, 9, 3, Instant{42});
  IdMaker other(random_source, std::uint64_t{10} << 20, 3, Instant{42});
  const Id id = first.make();
  EXPECT_EQ(id, second.make());
  EXPECT_NE(id, other.make());
}

}  // namespace
}  // namespace orlop
