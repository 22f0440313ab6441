#include "webhooks/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace orlop {
namespace {

using Ids = std::vector<Id>;

Id id(std::uint8_t kind, std::size_t number) {
  return {{kind, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)}};
}
Id organization(std::size_t number) { return id(1, number); }
Id delivery(std::size_t number) { return id(2, number); }
constexpr Instant at(std::int64_t second) { return Instant{} + seconds(second); }
Receiver receiver(std::size_t of, std::size_t host) { return {organization(of), "host" + std::to_string(host)}; }
Ids deliveries(std::size_t from, std::size_t to) {
  Ids made;
  for (std::size_t number = from; number < to; ++number) made.push_back(delivery(number));
  return made;
}

// Adds `count` waiting messages, numbered from `from`, and returns the number after the last.
std::size_t add(DeliveryQueue& queue, const Receiver& to, std::size_t from, std::size_t count, Instant due = at(0)) {
  for (std::size_t number = from; number < from + count; ++number) queue.wait(to, delivery(number), due);
  return from + count;
}

// The sent messages get no answer, and wait for 10,000 seconds.
void leave_unanswered(DeliveryQueue& queue, const Receiver& to, const Ids& sent, Instant now) {
  for (const Id& one : sent) {
    queue.note(one, false, now);
    queue.wait(to, one, now + seconds(10'000));
  }
}

TEST(DeliveryQueue, GivesTheFirstFirstAndOnlyWhatIsDue) {
  DeliveryQueue queue;
  EXPECT_EQ(queue.first(), std::nullopt);
  queue.wait(receiver(1, 1), delivery(1), at(20));
  queue.wait(receiver(2, 2), delivery(2), at(10));
  EXPECT_EQ(queue.first(), at(10));
  EXPECT_EQ(queue.take_due(at(9), at(100)).sent, Ids());
  EXPECT_EQ(queue.take_due(at(20), at(100)).sent, (Ids{delivery(2), delivery(1)}));
  EXPECT_EQ(queue.take_due(at(20), at(100)).sent, Ids());
  EXPECT_EQ(queue.first(), at(100));
}

TEST(DeliveryQueue, SendsAFewToOneReceiverAtATime) {
  DeliveryQueue queue;
  add(queue, receiver(1, 1), 0, 10);
  queue.wait(receiver(1, 2), delivery(10), at(5));
  queue.wait(receiver(2, 1), delivery(11), at(5));
  EXPECT_EQ(queue.take_due(at(5), at(100)).sent.size(), DeliveryQueue::sending_of_receiver_max + 2);
  EXPECT_EQ(queue.first(), at(100)) << "the others wait for an answer, not for a time";
  queue.drop(delivery(0));
  EXPECT_EQ(queue.first(), at(0));
  EXPECT_EQ(queue.take_due(at(5), at(100)).sent, Ids{delivery(DeliveryQueue::sending_of_receiver_max)});
}

TEST(DeliveryQueue, HasABoundForOneHost) {
  DeliveryQueue queue;
  for (std::size_t of = 0; of < 40; ++of) add(queue, receiver(of, 1), of, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent.size(), DeliveryQueue::sending_of_host_max);
  EXPECT_EQ(queue.first(), at(100));
  add(queue, receiver(41, 2), 100, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent, Ids{delivery(100)});
  queue.drop(delivery(0));
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent, Ids{delivery(DeliveryQueue::sending_of_host_max)});
}

TEST(DeliveryQueue, HasABoundForOneOrganization) {
  DeliveryQueue queue;
  for (std::size_t host = 0; host < 200; ++host) add(queue, receiver(1, host), host, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent.size(), DeliveryQueue::sending_of_organization_max);
  EXPECT_EQ(queue.first(), at(100));
  add(queue, receiver(2, 1000), 1000, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent, Ids{delivery(1000)});
}

TEST(DeliveryQueue, LeavesRoomForOrganizationsWithoutAnAttempt) {
  DeliveryQueue queue;
  std::size_t number = 0;
  for (std::size_t of = 0; of < 40; ++of) {  // one after the other: the first ones take their maximum
    for (std::size_t host = 0; host < 10; ++host) number = add(queue, receiver(of, 10 * of + host), number, 1);
    EXPECT_GE(queue.take_due(at(0), at(100)).sent.size(), 1U) << of;
  }
  add(queue, receiver(50, 1000), number, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent, Ids{delivery(number)});
}

TEST(DeliveryQueue, LetsOrganizationsTakeTurns) {
  DeliveryQueue queue;
  std::size_t number = 0;
  for (std::size_t host = 0; host < 100; ++host) number = add(queue, receiver(1, host), number, 1);
  for (std::size_t host = 0; host < 10; ++host) number = add(queue, receiver(2, 200 + host), number, 1, at(1));
  const Ids sent = queue.take_due(at(1), at(100)).sent;
  const Ids of_second = deliveries(100, 110);
  EXPECT_EQ(std::ranges::count_if(sent.begin(), sent.begin() + 20,
                                  [&](const Id& one) { return std::ranges::find(of_second, one) != of_second.end(); }),
            10);
}

TEST(DeliveryQueue, HasABoundForAllTogether) {
  DeliveryQueue queue;
  for (std::size_t number = 0; number < 2 * DeliveryQueue::sending_max; ++number)
    queue.wait(receiver(number, number), delivery(number), at(0));
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent.size(), DeliveryQueue::sending_max);
  EXPECT_EQ(queue.first(), at(100));
  queue.wait(receiver(3, 3), delivery(3), at(50));
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent.size(), 1U);
}

TEST(DeliveryQueue, LeavesAReceiverAloneThatGivesNoAnswer) {
  DeliveryQueue queue;
  const Receiver dead = receiver(1, 1);
  add(queue, dead, 0, 20);
  leave_unanswered(queue, dead, queue.take_due(at(0), at(100)).sent, at(15));
  const Ids more = queue.take_due(at(15), at(100)).sent;
  EXPECT_EQ(more.size(), DeliveryQueue::sending_of_receiver_max);
  leave_unanswered(queue, dead, more, at(30));
  EXPECT_EQ(queue.take_due(at(30), at(100)).sent, Ids());
  EXPECT_EQ(queue.first(), at(30) + DeliveryQueue::pause_min);
  add(queue, receiver(2, 1), 100, 1, at(31));
  EXPECT_EQ(queue.take_due(at(31), at(100)).sent, Ids{delivery(100)})
      << "the circuit is of one organization at one host";

  // One attempt decides for all messages.
  const Ids probe = queue.take_due(at(60), at(100)).sent;
  EXPECT_EQ(probe, Ids{delivery(8)});
  leave_unanswered(queue, dead, probe, at(75));
  const DeliveryQueue::Taken after = queue.take_due(at(75), at(100));
  EXPECT_EQ(after.sent, Ids());
  EXPECT_EQ(after.refused, deliveries(9, 20));
  EXPECT_EQ(queue.receiver_of(delivery(9)), nullptr);
  add(queue, dead, 9, 1, at(80));
  EXPECT_EQ(queue.take_due(at(80), at(100)), DeliveryQueue::Taken())
      << "a new attempt waits for the next one that is made";
  EXPECT_EQ(queue.first(), at(100)) << "the answer to the other organization";
  queue.drop(delivery(100));
  EXPECT_EQ(queue.first(), at(75) + Duration{2 * DeliveryQueue::pause_min.milliseconds}) << "the pause is doubled";
}

TEST(DeliveryQueue, SendsEverythingAfterAnAnswer) {
  DeliveryQueue queue;
  const Receiver back = receiver(1, 1);
  add(queue, back, 0, 20);
  leave_unanswered(queue, back, queue.take_due(at(0), at(100)).sent, at(15));
  leave_unanswered(queue, back, queue.take_due(at(15), at(100)).sent, at(30));
  EXPECT_EQ(queue.take_due(at(59), at(100)).sent, Ids());
  const Ids probe = queue.take_due(at(60), at(100)).sent;
  ASSERT_EQ(probe.size(), 1U);
  queue.note(probe[0], true, at(61));
  queue.drop(probe[0]);
  EXPECT_EQ(queue.take_due(at(61), at(100)).sent.size(), DeliveryQueue::sending_of_receiver_max);
}

TEST(DeliveryQueue, PausesForABoundedTime) {
  DeliveryQueue queue;
  const Receiver dead = receiver(1, 1);
  std::int64_t now = 0;
  for (std::size_t number = 0; number < 30; ++number) {
    queue.wait(dead, delivery(number), at(now));
    const auto due = queue.first();
    ASSERT_TRUE(due);
    now = std::max(now, due->milliseconds / 1000);
    if (queue.take_due(at(now), at(now + 100)).sent.empty()) {  // postponed by the open circuit
      const std::int64_t until = queue.first()->milliseconds / 1000;
      EXPECT_LE(until - now, DeliveryQueue::pause_max.milliseconds / 1000);
      now = until;
      ASSERT_EQ(queue.take_due(at(now), at(now + 100)).sent.size(), 1U);
    }
    queue.note(delivery(number), false, at(now));
    // Keeps a message waiting, so that the circuit is not forgotten.
    queue.wait(dead, delivery(1000 + number), at(now + 1'000'000));
    queue.drop(delivery(number));
  }
}

TEST(DeliveryQueue, ForgetsACircuitWithItsLastMessage) {
  DeliveryQueue queue;
  const Receiver dead = receiver(1, 1);
  add(queue, dead, 0, 10);
  for (int round = 0; round < 2; ++round) {
    for (const Id& one : queue.take_due(at(0), at(100)).sent) queue.note(one, false, at(0)), queue.drop(one);
  }
  EXPECT_EQ(queue.first(), at(0) + DeliveryQueue::pause_min);
  for (const Id& one : deliveries(0, 10)) queue.drop(one);
  EXPECT_EQ(queue.first(), std::nullopt);
  add(queue, dead, 0, 1);
  EXPECT_EQ(queue.take_due(at(0), at(100)).sent, Ids{delivery(0)});
}

TEST(DeliveryQueue, ReportsOnceThatAnAnswerIsOverdue) {
  DeliveryQueue queue;
  queue.wait(receiver(1, 1), delivery(1), at(0));
  (void)queue.take_due(at(0), at(100));
  EXPECT_EQ(queue.take_overdue(at(99)), Ids());
  EXPECT_EQ(queue.take_overdue(at(100)), Ids{delivery(1)});
  EXPECT_EQ(queue.take_overdue(at(100)), Ids());
  queue.wait(receiver(1, 1), delivery(1), at(200));
  EXPECT_EQ(queue.first(), at(200));
}

TEST(DeliveryQueue, ForgetsWhatIsDropped) {
  DeliveryQueue queue;
  queue.wait(receiver(1, 1), delivery(1), at(10));
  queue.wait(receiver(1, 2), delivery(1), at(20));
  EXPECT_EQ(*queue.receiver_of(delivery(1)), receiver(1, 2));
  EXPECT_EQ(queue.first(), at(20));
  queue.drop(delivery(1));
  queue.drop(delivery(1));
  EXPECT_EQ(queue.first(), std::nullopt);
  EXPECT_EQ(queue.receiver_of(delivery(1)), nullptr);
}

// Comparison with a table that is searched completely each time.
TEST(DeliveryQueue, DoesAsAPlainTableWould) {
  struct Row {
    Receiver receiver;
    Instant due;
    bool is_sending = false;
  };
  std::mt19937 random(11);
  DeliveryQueue queue;
  std::map<Id, Row> table;
  std::int64_t now = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::size_t number = random() % 400;
    const Id one = delivery(number);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {
        const Row row{receiver(number % 11, number % 13), at(now + static_cast<std::int64_t>(random() % 20))};
        table[one] = row;
        queue.wait(row.receiver, one, row.due);
        break;
      }
      case 3:
        table.erase(one);
        queue.drop(one);
        break;
      case 4: now += random() % 3; break;
      default:
        for (const Id& taken : queue.take_due(at(now), at(now + 1000)).sent) {
          ASSERT_TRUE(table.contains(taken));
          Row& row = table[taken];
          EXPECT_FALSE(row.is_sending);
          EXPECT_LE(row.due, at(now));
          row.is_sending = true;
        }
        std::map<Receiver, std::size_t> of_receiver;
        std::map<Id, std::size_t> of_organization;
        std::map<std::string, std::size_t> of_host;
        std::size_t all = 0;
        for (const auto& [key, row] : table) {
          if (row.is_sending)
            ++of_receiver[row.receiver], ++of_organization[row.receiver.organization], ++of_host[row.receiver.host],
                ++all;
        }
        EXPECT_LE(all, DeliveryQueue::sending_max);
        for (const auto& [key, row] : table) {
          const std::size_t own = of_organization[row.receiver.organization];
          EXPECT_LE(of_receiver[row.receiver], DeliveryQueue::sending_of_receiver_max);
          EXPECT_LE(of_host[row.receiver.host], DeliveryQueue::sending_of_host_max);
          EXPECT_LE(own, DeliveryQueue::sending_of_organization_max);
          const bool was_left = !row.is_sending && row.due <= at(now);
          EXPECT_TRUE(!was_left || of_receiver[row.receiver] == DeliveryQueue::sending_of_receiver_max ||
                      of_host[row.receiver.host] == DeliveryQueue::sending_of_host_max ||
                      own == DeliveryQueue::sending_of_organization_max || all == DeliveryQueue::sending_max ||
                      (all >= DeliveryQueue::sending_shared_max && own > 0));
        }
    }
  }
}

}  // namespace
}  // namespace orlop
