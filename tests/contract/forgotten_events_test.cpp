// Events that are removed from the front of the feed.
#include "contract/fixture.h"

namespace orlop::contract {
namespace {

using Numbers = std::vector<std::uint64_t>;

Changes ten_events() {
  Changes changes;
  for (std::uint64_t number = 1; number <= 10; ++number) {
    Event event = event_of(1 + number % 2, std::to_string(number));
    event.organization = id_of(7);
    event.request = id_of(5);
    event.author = "author";
    changes.events.push_back(event);
  }
  return changes;
}

Changes forget(std::uint32_t count) {
  Changes changes;
  changes.forgotten_events = count;
  return changes;
}

TEST_P(Contract, the_first_events_are_forgotten_and_the_numbers_go_on) {
  ASSERT_TRUE(write(ten_events()));
  ASSERT_TRUE(write(forget(7)));
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{8, 9, 10}));
  EXPECT_EQ(numbers_of(*reading(), {.after = 8}), (Numbers{9, 10}));
  EXPECT_EQ(numbers_of(*reading(), {.after = 3, .before = 9}), (Numbers{8}));
  EXPECT_EQ(numbers_of(*reading(), {.order = EventRange::Order::newest_first, .limit = 5}), (Numbers{10, 9, 8}));
  EXPECT_EQ(numbers_of(*reading(), {.organization = id_of(7)}), (Numbers{8, 9, 10}));
  EXPECT_EQ(numbers_of(*reading(), {.request = id_of(5)}), (Numbers{8, 9, 10}));
  EXPECT_EQ(numbers_of(*reading(), {.subject = id_of(1)}), (Numbers{8, 10}));
  EXPECT_EQ(events_of(*reading()).front().detail.text(), "8");
  ASSERT_TRUE(write(ten_events()));
  EXPECT_EQ(reading()->feed_end()->sequence, 20U);
  EXPECT_EQ(numbers_of(*reading(), {.before = 12}), (Numbers{8, 9, 10, 11}));
}

TEST_P(Contract, the_last_event_is_not_forgotten) {
  ASSERT_TRUE(write(forget(5)));
  EXPECT_TRUE(events_of(*reading()).empty());
  ASSERT_TRUE(write(ten_events()));
  ASSERT_TRUE(write(forget(UINT32_MAX)));
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{10}));
  ASSERT_TRUE(write(forget(10)));
  ASSERT_TRUE(write(forget(3)));
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{10}));
  Changes both = ten_events();
  both.forgotten_events = 30;
  ASSERT_TRUE(write(both));
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{20}));
  EXPECT_EQ(reading()->feed_end()->sequence, 20U);
}

TEST_P(Contract, events_are_forgotten_for_those_that_begin_later) {
  ASSERT_TRUE(write(ten_events()));
  const auto early = reading();
  EXPECT_EQ(numbers_of(*early, {.limit = 1}), (Numbers{1}));  // a store may begin the transaction with its first read
  {
    const auto writer = writing();
    ASSERT_TRUE(writer->apply(forget(4)));
    EXPECT_EQ(numbers_of(*writer, {.limit = 2}), (Numbers{5, 6}));
    EXPECT_EQ(numbers_of(*reading(), {.limit = 2}), (Numbers{1, 2}));
  }
  EXPECT_EQ(numbers_of(*reading(), {.limit = 2}), (Numbers{1, 2}));
  ASSERT_TRUE(write(forget(4)));
  ASSERT_TRUE(write(forget(2)));
  EXPECT_EQ(numbers_of(*early, {.limit = 2}), (Numbers{1, 2}));
  EXPECT_EQ(numbers_of(*early, {.request = id_of(5)}).size(), 10U);
  int visited = 0;
  ASSERT_TRUE(early->events({}, [&](const Event& event) {
    EXPECT_EQ(event.detail.text(), std::to_string(++visited));
    return true;
  }));
  EXPECT_EQ(numbers_of(*reading(), {.limit = 2}), (Numbers{7, 8}));
}

TEST_P(Contract, a_restore_goes_on_from_the_first_number) {
  Changes changes = ten_events();
  changes.is_restore = true;
  for (std::uint64_t index = 0; index < 10; ++index) changes.events[index].sequence = 41 + index;
  {
    const auto writer = writing();
    ASSERT_TRUE(writer->apply(changes));
    EXPECT_EQ(numbers_of(*writer, {.limit = 2}), (Numbers{41, 42}));
  }
  EXPECT_TRUE(events_of(*reading()).empty());
  ASSERT_TRUE(write(changes));
  EXPECT_EQ(numbers_of(*reading(), {.before = 43}), (Numbers{41, 42}));
  EXPECT_EQ(numbers_of(*reading(), {.after = 48, .request = id_of(5)}), (Numbers{49, 50}));
  ASSERT_TRUE(write(ten_events()));
  EXPECT_EQ(reading()->feed_end()->sequence, 60U);
  ASSERT_TRUE(write(forget(18)));
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{59, 60}));
}

class DurableFeed : public Contract {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DurableFeed);

INSTANTIATE_TEST_SUITE_P(stores, DurableFeed, testing::ValuesIn(durable_kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(DurableFeed, what_was_forgotten_stays_forgotten) {
  ASSERT_TRUE(write(ten_events()));
  ASSERT_TRUE(write(forget(9)));
  reopen();
  EXPECT_EQ(numbers_of(*reading(), {}), (Numbers{10}));
  ASSERT_TRUE(write(ten_events()));
  EXPECT_EQ(reading()->feed_end()->sequence, 20U);
}

}  // namespace
}  // namespace orlop::contract
