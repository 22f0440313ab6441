// Events of a store in memory that were dropped by going back, or rolled back: no index shows them, and events with
// their numbers appear once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "store/open.h"
#include "store/store.h"
#include "store/store_checkpoint.h"

namespace orlop {
namespace {

using Numbers = std::vector<std::uint64_t>;

Id id_of(std::uint8_t number) {
  Id id;
  id.bytes[15] = number;
  return id;
}

class DroppedEvents : public testing::Test {
 protected:
  // Writes one event for each subject, with an organization and a request, in one commit.
  void write(const std::vector<std::uint8_t>& subjects, bool commits = true) {
    Changes changes;
    for (const std::uint8_t subject : subjects) {
      Event event;
      event.kind = EventKind::edited;
      event.subject = id_of(subject);
      event.request = id_of(static_cast<std::uint8_t>(100 + subject));
      event.organization = id_of(static_cast<std::uint8_t>(200 + subject % 2));
      event.author = subject % 3 == 0 ? "" : "ann";
      changes.events.push_back(event);
    }
    auto transaction = store->begin(Access::write).value();
    ASSERT_TRUE(transaction->apply(changes).ok());
    if (!commits) return;
    ASSERT_TRUE(transaction->commit().ok());
  }
  Numbers read(const EventRange& range) {
    Numbers found;
    auto transaction = store->begin(Access::read).value();
    EXPECT_TRUE(
        transaction->events(range, [&](const Event& event) { return found.push_back(event.sequence), true; }).ok());
    return found;
  }
  // Compares each index in both orders with a scan of the whole feed.
  void check(std::uint64_t count) {
    std::vector<Event> all;
    auto transaction = store->begin(Access::read).value();
    ASSERT_TRUE(transaction->events({}, [&](const Event& event) { return all.push_back(event), true; }).ok());
    ASSERT_EQ(all.size(), count);
    for (std::uint8_t number = 1; number < 255; ++number) {
      Numbers of_subject, of_request, authored;
      for (const Event& event : all) {
        if (event.subject == id_of(number)) of_subject.push_back(event.sequence);
        if (event.request == id_of(number)) of_request.push_back(event.sequence);
        if (event.organization == id_of(number) && !event.author.empty()) authored.push_back(event.sequence);
      }
      EXPECT_EQ(read({.subject = id_of(number)}), of_subject);
      EXPECT_EQ(read({.request = id_of(number)}), of_request);
      EXPECT_EQ(read({.organization = id_of(number)}), authored);
      std::reverse(of_subject.begin(), of_subject.end());
      EXPECT_EQ(read({.subject = id_of(number), .order = EventRange::Order::newest_first}), of_subject);
      of_subject.resize(std::min<std::size_t>(of_subject.size(), 2));
      EXPECT_EQ(read({.subject = id_of(number), .order = EventRange::Order::newest_first, .limit = 2}), of_subject);
    }
  }

  std::unique_ptr<Store> store = open_memory_store();
};

TEST_F(DroppedEvents, AreInNoIndex) {
  for (int round = 0; round < 50; ++round) write({1, 2, 3});
  auto& checkpoints = dynamic_cast<Checkpoints&>(*store);
  const auto before = checkpoints.checkpoint();
  for (int round = 0; round < 100; ++round) write({1, 2, 4, 3});
  check(550);
  ASSERT_TRUE(checkpoints.go_back(*before).ok());
  check(150);
  // New events, mostly about other subjects, get their numbers.
  for (int round = 0; round < 90; ++round) write({5, 1, 5, 2});
  check(510);
  write({1, 2, 3}, false);
  check(510);
  write({3});
  check(511);
  ASSERT_TRUE(checkpoints.go_back(*before).ok());
  for (int round = 0; round < 120; ++round) write({2, 6, 1, 3});
  check(630);
}

}  // namespace
}  // namespace orlop
