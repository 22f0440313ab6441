// Layout of events and machines in the tables: blocks of events, their keys and the view for people.
#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

// Changes set only the members that they need.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace orlop::contract {
namespace {

std::string line_of(const Event& event) {
  std::string out = std::to_string(event.sequence) + "|" + std::to_string(event.at.milliseconds);
  for (const std::uint64_t number : {std::uint64_t{static_cast<std::uint8_t>(event.kind)}, std::uint64_t{event.family},
                                     std::uint64_t{event.from}, std::uint64_t{event.to}, event.revision}) {
    out += "|" + std::to_string(number);
  }
  for (const Id& id : {event.subject, event.owner, event.organization, event.request})
    out += "|" + (id.is_nil() ? std::string() : to_text(id));
  return out + "|" + event.author + "|" + event.detail.text();
}

class PostgreSQLBlocks : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    schema_ = "blocks " + name.substr(0, 40) + " " + std::to_string(::getpid());
    link_ = PQconnectdb(connection_to("direct").c_str());
    open();
  }
  // Opens the store as a process with an empty cache.
  void open() {
    auto opened = open_postgresql(connection_to("direct"), schema_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  void TearDown() override { PQfinish(link_); }

  // Returns the rows of the answer, with columns separated by |.
  std::vector<std::string> execute(std::string text) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@'))
      text.replace(at, 1, "\"" + schema_ + "\".");
    PGresult* const result = PQexec(link_, text.c_str());
    EXPECT_NE(PQresultStatus(result), PGRES_FATAL_ERROR) << PQresultErrorMessage(result);
    std::vector<std::string> lines;
    for (int row = 0; row < PQntuples(result); ++row) {
      lines.emplace_back();
      for (int column = 0; column < PQnfields(result); ++column)
        lines.back() += (column == 0 ? "" : "|") + std::string(PQgetvalue(result, row, column));
    }
    PQclear(result);
    return lines;
  }
  Result<void> write(Changes changes) {
    ORLOP_TRY(transaction, store_->begin(Access::write));
    return transaction->apply_and_commit(std::move(changes));
  }
  // Writes commits of these sizes, with events that differ in all members.
  void write_events(std::initializer_list<std::size_t> sizes, std::size_t longest = 20) {
    std::mt19937 random(20261125);
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    for (const std::size_t size : sizes) {
      Changes changes;
      for (std::size_t count = 0; count < size; ++count) {
        Event event;
        event.at = Instant{1'767'225'600'000 + static_cast<std::int64_t>(sent_.size())};
        event.kind = static_cast<EventKind>(1 + below(13));
        event.family = static_cast<FamilyNumber>(below(400));
        event.from = static_cast<std::uint8_t>(below(256));
        event.to = static_cast<std::uint8_t>(below(256));
        event.revision = below(2) == 0 ? 0 : UINT64_MAX / 2 - below(1'000);
        for (Id* id : {&event.subject, &event.owner, &event.organization, &event.request})
          *id = below(3) == 0 ? Id() : id_of(1 + below(12));
        if (below(2) == 0) event.author = "host " + std::to_string(below(9));
        if (below(3) != 0) event.detail = std::string(below(longest), 'x') + "\xC3\xA4";
        changes.events.push_back(event);
        sent_.push_back(event);
        sent_.back().sequence = sent_.size();
      }
      ASSERT_TRUE(write(std::move(changes)));
    }
  }
  std::vector<std::string> read(const EventRange& range) {
    std::vector<std::string> lines;
    const auto transaction = std::move(store_->begin(Access::read)).value();
    const auto is_read = transaction->events(range, [&](const Event& event) {
      lines.push_back(line_of(event));
      return true;
    });
    EXPECT_TRUE(is_read) << is_read.error().message;
    return lines;
  }
  // Returns the lines that a read of `range` must return after the first `forgotten` events were removed.
  std::vector<std::string> expected(const EventRange& range, std::size_t forgotten) const {
    std::vector<std::string> lines;
    std::vector<Event> events(sent_.begin() + static_cast<std::ptrdiff_t>(forgotten), sent_.end());
    if (range.order == EventRange::Order::newest_first) std::ranges::reverse(events);
    for (const Event& event : events) {
      const bool is_asked_for =
          (range.organization.is_nil() || (event.organization == range.organization && !event.author.empty())) &&
          (range.request.is_nil() || event.request == range.request) &&
          (range.subject.is_nil() || event.subject == range.subject);
      if (is_asked_for && event.sequence > range.after && event.sequence < range.before && lines.size() < range.limit)
        lines.push_back(line_of(event));
    }
    return lines;
  }
  void expect_all_reads(std::size_t forgotten) {
    const std::uint64_t last = sent_.size();
    for (std::uint64_t key = 0; key <= 12; ++key) {
      for (const auto member : {&EventRange::organization, &EventRange::request, &EventRange::subject}) {
        for (const auto order : {EventRange::Order::ascending, EventRange::Order::newest_first}) {
          for (const std::size_t limit : {std::size_t{1}, std::size_t{7}, std::size_t{200}, SIZE_MAX}) {
            for (const auto& [after, before] : {std::pair<std::uint64_t, std::uint64_t>{0, UINT64_MAX},
                                                {last / 3, last - 1},
                                                {last / 2, last / 2 + 2},
                                                {last, UINT64_MAX},
                                                {UINT64_MAX, UINT64_MAX},
                                                {0, 1}}) {
              EventRange range{.after = after, .before = before, .order = order, .limit = limit};
              if (key != 0) range.*member = id_of(key);
              ASSERT_EQ(read(range), expected(range, forgotten))
                  << "key " << key << " limit " << limit << " after " << after << " before " << before << " forgotten "
                  << forgotten;
            }
          }
        }
      }
    }
  }

  std::string schema_;
  std::unique_ptr<Store> store_;
  PGconn* link_ = nullptr;
  std::vector<Event> sent_;
};

TEST_F(PostgreSQLBlocks, AreReadByEveryKeyAndBound) {
  write_events({1, 1, 300, 2, 128, 1, 129});
  EXPECT_EQ(execute("SELECT count(*) FROM @event_block"), std::vector<std::string>{"10"});
  expect_all_reads(0);
}

TEST_F(PostgreSQLBlocks, OfLongEventsAreSmaller) {
  write_events({40, 3}, 9'000);
  write_events({2}, 70'000);
  EXPECT_EQ(execute("SELECT first FROM @event_block WHERE count > 1 AND length(events) > 8192"),
            std::vector<std::string>());
  expect_all_reads(0);
}

TEST_F(PostgreSQLBlocks, AreForgottenInPart) {
  write_events({1, 150, 3, 40});
  std::size_t forgotten = 0;
  for (const std::uint32_t count : {1U, 1U, 99U, 30U, 20U, 1U, 2U, 30U, 100U}) {
    Changes changes;
    changes.forgotten_events = count;
    ASSERT_TRUE(write(std::move(changes)));
    forgotten = std::min(forgotten + count, sent_.size() - 1);
    EXPECT_EQ(read({}), expected({}, forgotten));
    EXPECT_EQ(execute("SELECT k.first FROM @event_key AS k WHERE NOT EXISTS (SELECT FROM @event_block AS b WHERE "
                      "b.first = k.first)"),
              std::vector<std::string>());
  }
  expect_all_reads(forgotten);
  write_events({5});
  expect_all_reads(forgotten);
}

TEST_F(PostgreSQLBlocks, AreShownToPeopleEventByEvent) {
  write_events({1, 200, 2}, 300);
  Changes changes;
  changes.forgotten_events = 5;
  ASSERT_TRUE(write(std::move(changes)));
  const auto shown = execute(
      "SELECT sequence, round(extract(epoch FROM at) * 1000)::int8, coalesce(f.number::text, e.family), from_state, "
      "to_state, revision, subject, owner, "
      "organization, request, author, detail FROM @event_feed AS e LEFT JOIN @family AS f ON f.name = e.family ORDER "
      "BY sequence");
  std::vector<std::string> wanted;
  for (const std::string& line : expected({}, 5)) {
    const std::size_t kind = line.find('|', line.find('|') + 1);
    wanted.push_back(line.substr(0, kind) + line.substr(line.find('|', kind + 1)));
  }
  EXPECT_EQ(shown, wanted);
  EXPECT_EQ(execute("SELECT DISTINCT kind FROM @event_feed ORDER BY kind").size(), 13U);
}

// The library refuses rows that another program has changed; it never reads wrong values from them.
TEST_F(PostgreSQLBlocks, ThatWereDamagedAreRefused) {
  for (const char* damage :
       {"events = substring(events FROM 1 FOR length(events) - 1)", "events = events || 'x'", "events = ''",
        "ids = '{}'", "count = count - 1", "count = count + 1", "forgotten = count", "forgotten = -1",
        "events = set_byte(events, 20, 255)", "events = set_byte(events, 33, 255)"}) {
    execute("TRUNCATE @event_block, @event_key");
    sent_.clear();
    open();
    write_events({30});
    execute(std::string("UPDATE @event_block SET ") + damage);
    const auto transaction = std::move(store_->begin(Access::read)).value();
    const auto is_read = transaction->events({}, [](const Event&) { return true; });
    ASSERT_FALSE(is_read) << damage;
    EXPECT_EQ(is_read.error().code, ErrorCode::storage_corrupt) << damage;
  }
}

TEST_F(PostgreSQLBlocks, MachinesThatWereDamagedAreRefused) {
  for (const char* damage : {"body = ''", "body = substring(body FROM 1 FOR length(body) - 1)", "body = body || 'x'"}) {
    open();
    execute("TRUNCATE @machine");
    Machine machine;
    machine.id = id_of(7);
    machine.owner = id_of(1);
    machine.family = 3;
    machine.revision = 1;
    machine.detail.edit().reason = "a reason";
    ASSERT_TRUE(write(changes_of({machine})));
    execute(std::string("UPDATE @machine SET ") + damage);
    const auto transaction = std::move(store_->begin(Access::read)).value();
    const auto found = transaction->machine(id_of(7));
    ASSERT_FALSE(found) << damage;
    EXPECT_EQ(found.error().code, ErrorCode::storage_corrupt) << damage;
    EXPECT_NE(found.error().message.find(to_text(id_of(7))), std::string::npos) << found.error().message;
    const auto listed =
        transaction->machines({.by = MachineRange::By::owner, .owner = id_of(1)}, [](const Machine&) { return true; });
    ASSERT_FALSE(listed) << damage;
    EXPECT_EQ(listed.error().code, ErrorCode::storage_corrupt) << damage;
  }
}

TEST_F(PostgreSQLBlocks, BodiesAreCompressedWithLz4WhereTheServerHasIt) {
  if (execute("SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)").empty())
    GTEST_SKIP() << "this server has no lz4";
  EXPECT_EQ(
      execute("SELECT attcompression FROM pg_attribute WHERE attrelid = '@record'::regclass AND attname = 'body'"),
      std::vector<std::string>{"l"});
  Record large = record_of(1);
  large.body = std::string(9'000, 'x');
  ASSERT_TRUE(write(changes_of({write_of(large)})));
  EXPECT_EQ(execute("SELECT pg_column_compression(body), pg_column_size(body) < 1000 FROM @record"),
            std::vector<std::string>{"lz4|t"});
}

}  // namespace
}  // namespace orlop::contract
