#include "base/id.h"

#include <gtest/gtest.h>

#include <set>

namespace orlop {
namespace {

class CountingRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override { return transaction * 1000003 + index * 7919; }
};

TEST(Id, TextRoundTripsInLowerCase) {
  const auto id = parse_id("0198C0DE-1234-7ABC-8def-0123456789AB");
  ASSERT_TRUE(id);
  EXPECT_EQ(to_text(*id), "0198c0de-1234-7abc-8def-0123456789ab");
}

TEST(Id, RefusesEveryOtherText) {
  for (const char* text : {"", "0198c0de", "0198c0de-1234-7abc-8def-0123456789a", "0198c0de-1234-7abc-8def-0123456789abc",
                           "0198c0de+1234-7abc-8def-0123456789ab", "0198c0dg-1234-7abc-8def-0123456789ab",
                           "0198c0de1234-7abc-8def-0123456789ab-"}) {
    EXPECT_FALSE(parse_id(text)) << text;
  }
}

TEST(Id, MadeIdsAreVersion7AndCarryTheirBirth) {
  CountingRandomSource random_source;
  IdMaker maker(random_source, 5, Instant{1'767'225'600'123});
  const Id id = maker.make();
  EXPECT_EQ(id.bytes[6] >> 4, 7);
  EXPECT_EQ(id.bytes[8] >> 6, 2);
  EXPECT_EQ(created_at_of(id).milliseconds, 1'767'225'600'123);
}

TEST(Id, ManyIdsOfOneInstantKeepTheirOrder) {
  CountingRandomSource random_source;
  IdMaker maker(random_source, 1, Instant{1'767'225'600'000});
  Id last;
  for (int count = 0; count < 10'000; ++count) {
    const Id id = maker.make();
    ASSERT_GT(id, last) << count;
    last = id;
  }
}

TEST(Id, LaterTransactionsOfTheSameInstantComeLater) {
  CountingRandomSource random_source;
  Id last;
  for (std::uint64_t transaction = 0; transaction < 5'000; ++transaction) {
    const Id id = IdMaker(random_source, transaction, Instant{42}).make();
    ASSERT_GT(id, last) << transaction;
    last = id;
  }
}

TEST(Id, SameTransactionMakesTheSameIds) {
  CountingRandomSource random_source;
  IdMaker first(random_source, 9, Instant{42});
  IdMaker second(random_source, 9, Instant{42});
  IdMaker other(random_source, 10, Instant{42});
  const Id id = first.make();
  EXPECT_EQ(id, second.make());
  EXPECT_NE(id, other.make());
}

}  // namespace
}  // namespace orlop
