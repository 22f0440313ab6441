#include "store/event_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace orlop {
namespace {

Id drawn_id(unsigned number) {
  Id id;
  if (number != 0) id.bytes[3 + number * 2] = 17;
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

std::string text_of(const Event& event) {
  std::string text = std::to_string(event.sequence) + " " + std::to_string(event.at.milliseconds) + " " +
                     std::to_string(static_cast<int>(event.kind)) + " ";
  text += std::to_string(event.family) + " " + std::to_string(event.from) + " " + std::to_string(event.to) + " " +
          std::to_string(event.revision) + " ";
  for (const Id* id : {&event.subject, &event.owner, &event.organization, &event.request}) text += to_text(*id) + " ";
  return text + event.author + " " + event.detail.text() + " " + std::to_string(event.id_count);
}

// Appended events, and a list of them to compare with.
class Feed {
 public:
  void append() {
    // Mostly of one subject at one instant, like the events of a step.
    Event event = below(3) == 0 ? Event() : last;
    if (below(3) == 0)
      event.at = Instant{below(20) == 0 ? (std::int64_t{below(3)} - 1) << 40 : 1'000'000 + last_at++ - below(2)};
    event.kind = static_cast<EventKind>(1 + below(13));
    event.family = static_cast<FamilyNumber>(below(3) == 0 ? below(2000) : 7);
    event.from = static_cast<std::uint8_t>(below(4) == 0 ? below(256) : 0);
    event.to = static_cast<std::uint8_t>(below(4) == 0 ? below(256) : 0);
    if (below(3) == 0) event.subject = drawn_id(below(6));
    if (below(30) == 0) event.owner = drawn_id(below(2));
    if (below(30) == 0 || event.organization.is_nil()) event.organization = drawn_id(1 + below(2));
    if (below(30) == 0) event.request = drawn_id(below(3));
    event.revision = below(20) == 0 ? UINT64_MAX - below(2) : below(1000);
    event.author.clear();
    if (below(2) == 0) event.author = std::string(below(30), 'a');
    if (below(3) == 0)
      event.detail = EventDetail(drawn_id(below(6)), below(2) == 0 ? R"(","kind":"deploy","attempt":1})" : "}");
    else
      event.detail =
          below(2) == 0 ? step_text() : std::string(below(50) == 0 ? 100'000 + below(1000) : below(400), 'd');
    event.id_count = below(20) == 0 ? UINT32_MAX - below(2) : below(100);
    append(event);
  }
  void append(Event event) {
    last = event;
    log.append(event);
    event.sequence = log.last();
    kept[event.sequence] = event;
  }
  // Returns the text of a step as it is written, or a faulty variant.
  std::string step_text() {
    Id step = last_step;
    for (std::uint8_t& byte : step.bytes) byte = static_cast<std::uint8_t>(below(256));
    // Mostly with the same time as another one.
    if (below(5) == 0) last_step = step;
    else std::copy_n(last_step.bytes.begin() + 4, 7, step.bytes.begin() + 4);
    std::string text = R"({"step":")" + to_text(step) + R"(","kind":"deploy","attempt":)" +
                       std::to_string(below(below(2) == 0 ? 3 : 400)) + "}";
    const unsigned fault = below(12);
    if (fault == 0) text[9 + below(36)] = 'F';
    if (fault == 1) text.resize(below(static_cast<unsigned>(text.size())));
    if (fault == 2) text += std::string(below(100), ' ');
    return text;
  }
  void drop_after(std::uint64_t last) {
    log.drop_after(last);
    kept.erase(kept.upper_bound(last), kept.end());
  }
  void remove_through(std::uint64_t through) {
    log.remove_through(through);
    kept.erase(kept.begin(), kept.upper_bound(through));
  }
  std::uint64_t drawn() {
    return kept.empty() ? log.last() : kept.begin()->first + below(static_cast<unsigned>(kept.size()));
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(random() % bound); }

  // Reads a random range of a random kind.
  void expect_range() {
    EventRange range;
    const unsigned kind = below(4);
    if (kind == 1) range.organization = drawn_id(1 + below(2));
    if (kind == 2) range.request = drawn_id(1 + below(2));
    if (kind == 3) range.subject = drawn_id(1 + below(5));
    range.order = below(2) == 0 ? EventRange::Order::ascending : EventRange::Order::newest_first;
    const std::uint64_t after = below(5) == 0 ? 0 : drawn();
    const std::uint64_t before = drawn() + below(2);
    const std::size_t limit = 1 + below(20);
    while (kind != 0 && !log.index(log.last())) {}
    std::vector<std::uint64_t> found;
    log.collect(range, after, before, limit, found);
    std::vector<std::uint64_t> wanted;
    for (const auto& [number, event] : kept) {
      const bool is_of = kind == 0 ||
                         (kind == 1 && event.organization == range.organization && !event.author.empty()) ||
                         (kind == 2 && event.request == range.request) || (kind == 3 && event.subject == range.subject);
      if (number > after && number < before && is_of) wanted.push_back(number);
    }
    if (range.order == EventRange::Order::newest_first) std::ranges::reverse(wanted);
    wanted.resize(std::min(wanted.size(), limit));
    ASSERT_EQ(found, wanted);
  }
  void expect_kept() {
    Event event;
    for (const auto& [number, known] : kept) {
      log.read(number, event);
      ASSERT_EQ(text_of(event), text_of(known));
    }
    const FeedEnd end = log.end();
    const Event last = kept.empty() ? Event() : kept.rbegin()->second;
    ASSERT_EQ(end.sequence, last.sequence);
    ASSERT_EQ(end.at, last.at);
    ASSERT_EQ(end.id_count, last.id_count);
  }

  EventLog log;
  Event last;
  Id last_step;
  std::int64_t last_at = 0;
  std::map<std::uint64_t, Event> kept;
  std::mt19937 random{5};
};

TEST(EventLog, HoldsWhatAListWould) {
  Feed feed;
  for (int round = 0; round < 3000; ++round) {
    const unsigned act = feed.below(100);
    if (act < 80) feed.append();
    else if (act < 83)
      feed.drop_after(std::max(feed.log.last() - std::min<std::uint64_t>(feed.log.last(), feed.below(30)),
                               feed.kept.empty() ? 0 : feed.kept.begin()->first));
    else if (act < 84 && feed.kept.size() > 300) feed.remove_through(feed.kept.begin()->first + feed.below(60));
    else feed.expect_range();
    if (::testing::Test::HasFatalFailure()) return;
    if (round % 500 == 0) feed.expect_kept();
  }
  feed.expect_kept();
  EXPECT_GT(feed.kept.size(), 100U);
}

TEST(EventLog, HoldsALongRunOfOneSubject) {
  Feed feed;
  Event event;
  event.subject = drawn_id(1);
  for (int round = 0; round < 1000; ++round) feed.append(event);
  feed.drop_after(700);
  feed.append(event);
  feed.expect_kept();
}

// A feed grows only by what is new in each event.
TEST(EventLog, WritesWhatEventsHaveInCommonOnce) {
  EventBlock::Texts texts;
  Event event;
  event.subject = drawn_id(1);
  event.author = "ann@example.com";
  EventBlock block(1, event);
  std::uint64_t count = 0;
  for (; block.takes(event); ++count) block.append(event, texts);
  EXPECT_GT(count, 3000U);  // in 16 KiB
}

TEST(EventLog, BeginsAnewWhereNothingIsLeft) {
  Feed feed;
  feed.append();
  feed.append();
  feed.drop_after(0);
  EXPECT_EQ(feed.log.last(), 0U);
  EXPECT_EQ(feed.log.end().sequence, 0U);
  feed.append();
  EXPECT_EQ(feed.log.last(), 1U);
  feed.expect_kept();
}

TEST(EventLog, GoesOnFromTheNumberOfARestoredFeed) {
  Feed feed;
  feed.log.begin_at(41);
  feed.append();
  EXPECT_EQ(feed.log.last(), 41U);
  feed.expect_kept();
  feed.expect_range();
  feed.drop_after(0);
  feed.append();
  EXPECT_EQ(feed.log.last(), 1U);
}

}  // namespace
}  // namespace orlop
