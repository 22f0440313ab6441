#include "webhooks/queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace orlop {
namespace {

Id id(std::uint8_t kind, std::size_t number) { return {{kind, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)}}; }
Id webhook(std::size_t number) { return id(1, number); }
Id delivery(std::size_t number) { return id(2, number); }
constexpr Instant at(std::int64_t second) { return Instant{} + seconds(second); }

TEST(DeliveryQueue, GivesTheFirstFirstAndOnlyWhatIsDue) {
  DeliveryQueue queue;
  EXPECT_EQ(queue.first(), std::nullopt);
  queue.wait(webhook(1), delivery(1), at(20));
  queue.wait(webhook(2), delivery(2), at(10));
  EXPECT_EQ(queue.first(), at(10));
  EXPECT_EQ(queue.take_due(at(9), at(100)), std::vector<Id>());
  EXPECT_EQ(queue.take_due(at(20), at(100)), (std::vector<Id>{delivery(2), delivery(1)}));
  EXPECT_EQ(queue.take_due(at(20), at(100)), std::vector<Id>());
  EXPECT_EQ(queue.first(), at(100));
}

TEST(DeliveryQueue, LetsAFewOfOneWebhookGoAtATime) {
  DeliveryQueue queue;
  for (std::size_t number = 0; number < 10; ++number) queue.wait(webhook(1), delivery(number), at(0));
  queue.wait(webhook(2), delivery(10), at(5));
  EXPECT_EQ(queue.take_due(at(5), at(100)).size(), DeliveryQueue::sending_of_one_max + 1);
  EXPECT_EQ(queue.first(), at(100)) << "the others wait for an answer, not for a time";
  queue.drop(delivery(0));
  EXPECT_EQ(queue.first(), at(0));
  EXPECT_EQ(queue.take_due(at(5), at(100)), std::vector<Id>{delivery(DeliveryQueue::sending_of_one_max)});
}

TEST(DeliveryQueue, HasABoundForAllTogether) {
  DeliveryQueue queue;
  for (std::size_t number = 0; number < 2 * DeliveryQueue::sending_max; ++number) queue.wait(webhook(number), delivery(number), at(0));
  EXPECT_EQ(queue.take_due(at(0), at(100)).size(), DeliveryQueue::sending_max);
  EXPECT_EQ(queue.first(), at(100));
  queue.wait(webhook(3), delivery(3), at(50));
  EXPECT_EQ(queue.take_due(at(0), at(100)).size(), 1U);
}

TEST(DeliveryQueue, ReportsOnceThatAnAnswerIsOverdue) {
  DeliveryQueue queue;
  queue.wait(webhook(1), delivery(1), at(0));
  (void)queue.take_due(at(0), at(100));
  EXPECT_EQ(queue.take_overdue(at(99)), std::vector<Id>());
  EXPECT_EQ(queue.take_overdue(at(100)), std::vector<Id>{delivery(1)});
  EXPECT_EQ(queue.take_overdue(at(100)), std::vector<Id>());
  queue.wait(webhook(1), delivery(1), at(200));
  EXPECT_EQ(queue.first(), at(200));
}

TEST(DeliveryQueue, ForgetsWhatIsDropped) {
  DeliveryQueue queue;
  queue.wait(webhook(1), delivery(1), at(10));
  queue.wait(webhook(1), delivery(1), at(20));
  EXPECT_EQ(queue.first(), at(20));
  queue.drop(delivery(1));
  queue.drop(delivery(1));
  EXPECT_EQ(queue.first(), std::nullopt);
}

// Against a table that is searched whole each time.
TEST(DeliveryQueue, DoesAsAPlainTableWould) {
  struct Row {
    Id webhook;
    Instant due;
    bool is_sending = false;
  };
  std::mt19937 random(11);
  DeliveryQueue queue;
  std::map<Id, Row> table;
  std::int64_t now = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t number = random() % 120;
    const Id one = delivery(number);
    switch (random() % 4) {
      case 0: {
        const Row row{webhook(number % 7), at(now + static_cast<std::int64_t>(random() % 20))};
        table[one] = row;
        queue.wait(row.webhook, one, row.due);
        break;
      }
      case 1:
        table.erase(one);
        queue.drop(one);
        break;
      case 2:
        now += random() % 3;
        break;
      default:
        for (const Id& taken : queue.take_due(at(now), at(now + 1000))) {
          ASSERT_TRUE(table.contains(taken));
          Row& row = table[taken];
          EXPECT_FALSE(row.is_sending);
          EXPECT_LE(row.due, at(now));
          row.is_sending = true;
        }
        std::map<Id, std::size_t> sending;
        std::size_t all = 0;
        for (const auto& [key, row] : table) sending[row.webhook] += row.is_sending ? 1 : 0, all += row.is_sending ? 1 : 0;
        EXPECT_LE(all, DeliveryQueue::sending_max);
        for (const auto& [key, row] : table) {
          EXPECT_LE(sending[row.webhook], DeliveryQueue::sending_of_one_max);
          const bool was_left = !row.is_sending && row.due <= at(now);
          EXPECT_TRUE(!was_left || sending[row.webhook] == DeliveryQueue::sending_of_one_max || all == DeliveryQueue::sending_max);
        }
    }
  }
}

}  // namespace
}  // namespace orlop
