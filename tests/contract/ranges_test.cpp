// Ranges of records, machines and events: order, bounds, filters.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <tuple>

#include "contract/children.h"

namespace orlop::contract {
namespace {

TEST_P(Contract, children_come_in_order_of_id) {
  ASSERT_TRUE(write(three_hundred_children()));
  ASSERT_TRUE(write(changes_of({write_of(record_of(1)), write_of(record_of(400, 2))})));
  const auto transaction = reading();
  RecordRange range = children_of(1);
  std::vector<Id> all = ids_of(*transaction, range);
  ASSERT_EQ(all.size(), 300U);
  for (std::size_t index = 0; index < all.size(); ++index) EXPECT_EQ(all[index], id_of(10 + index));
  range.family = 2;
  EXPECT_EQ(ids_of(*transaction, range).size(), 150U);
  range.family = 4;
  EXPECT_TRUE(ids_of(*transaction, range).empty());
  EXPECT_EQ(ids_of(*transaction, children_of(0)), ids_from({1}));
}

TEST_P(Contract, children_can_be_read_page_by_page) {
  ASSERT_TRUE(write(three_hundred_children()));
  const auto transaction = reading();
  for (FamilyNumber family : {FamilyNumber{0}, FamilyNumber{2}, FamilyNumber{3}}) {
    RecordRange range = children_of(1, family, 0, 70);
    std::vector<Id> seen;
    for (int pages = 0; pages < 6; ++pages) {
      const std::vector<Id> page = ids_of(*transaction, range);
      EXPECT_LE(page.size(), 70U);
      if (page.empty()) break;
      seen.insert(seen.end(), page.begin(), page.end());
      range.after = page.back();
    }
    EXPECT_EQ(seen.size(), family == 0 ? 300U : 150U);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  }
  EXPECT_EQ(ids_of(*transaction, children_of(1, 2, 15, 2)), ids_from({16, 18}));
  EXPECT_TRUE(ids_of(*transaction, children_of(1, 0, 0, 0)).empty());
  EXPECT_TRUE(ids_of(*transaction, children_of(1, 0, 309, 5)).empty());
}

TEST_P(Contract, referrers_have_the_same_bounds) {
  Changes changes = three_hundred_children();
  for (RecordWrite& write : changes.records) write.references = {id_of(9)};
  ASSERT_TRUE(write(changes));
  const auto transaction = reading();
  EXPECT_EQ(ids_of(*transaction, referrers_of(9)).size(), 300U);
  EXPECT_EQ(ids_of(*transaction, referrers_of(9, 3, 11, 2)), ids_from({13, 15}));
  EXPECT_EQ(ids_of(*transaction, referrers_of(9, 0, 11, 2)), ids_from({12, 13}));
  EXPECT_EQ(ids_of(*transaction, referrers_of(9, 2, 0, 100)).size(), 100U);
}

// Six records, with a name, a machine and references each: four are siblings of one family. Created in another order
// than that of their ids.
Changes six_records() {
  Changes changes;
  for (const std::uint64_t number : {12, 11, 13, 16, 15, 14}) {
    RecordWrite& write =
        changes.records.emplace_back(write_of(record_of(number, number == 14 ? 2 : 1, number == 16 ? 3 : 2)));
    write.name_key = "name " + std::to_string(number);
    write.references = {id_of(5), id_of(number - 1)};
    changes.machines.push_back(machine_of(number, 1));
  }
  return changes;
}

// Every set of them is erased in one commit, the last one first and one of them twice: the others stay unchanged.
TEST_P(Contract, many_erasures_take_all_that_they_name_and_nothing_beside) {
  for (std::uint64_t gone = 1; gone < 64; ++gone) {
    ASSERT_TRUE(write(six_records()));
    Changes some;
    Changes again;
    Changes all;
    std::vector<std::uint64_t> left;
    for (std::uint64_t number = 16; number >= 11; --number) {
      all.erasures.push_back(id_of(number));
      if ((gone >> (number - 11) & 1) == 0) {
        left.insert(left.begin(), number);
        continue;
      }
      some.erasures.push_back(id_of(number));
      again.records.push_back(write_of(record_of(number, 1)));
    }
    some.erasures.push_back(some.erasures.front());
    ASSERT_TRUE(write(some)) << gone;
    {
      const auto transaction = reading();
      EXPECT_EQ(ids_of(*transaction, referrers_of(5)), ids_from(left)) << gone;
      EXPECT_EQ(ids_of(*transaction, machines_of(1)), ids_from(left)) << gone;
      std::size_t children = 0;
      for (const std::uint64_t parent : {1, 2}) children += ids_of(*transaction, children_of(parent)).size();
      EXPECT_EQ(children, left.size()) << gone;
      for (std::uint64_t number = 11; number <= 16; ++number) {
        const bool is_left = std::ranges::find(left, number) != left.end();
        EXPECT_EQ(transaction->record(id_of(number))->has_value(), is_left) << gone << ": " << number;
        EXPECT_EQ(transaction->find("name " + std::to_string(number))->has_value(), is_left) << gone << ": " << number;
      }
      const std::vector<Id> targets = {id_of(5)};
      std::uint64_t counted = 0;
      const auto counts = transaction->counts({RecordRange::By::reference, targets});
      for (const RecordCount& count : *counts) counted += count.count;
      EXPECT_EQ(counted, left.size()) << gone;
    }
    // A record that is written again has no references.
    ASSERT_TRUE(write(again)) << gone;
    EXPECT_EQ(ids_of(*reading(), referrers_of(5)), ids_from(left)) << gone;
    ASSERT_TRUE(write(all)) << gone;
  }
}

TEST_P(Contract, records_come_whole_unless_their_text_is_not_wanted) {
  Record record = record_of(2, 1, 7);
  record.secrets = "{}";
  RecordWrite written = write_of(record);
  written.references = {id_of(9)};
  ASSERT_TRUE(write(changes_of({written})));
  const auto transaction = reading();
  for (const RecordRange& range : {children_of(1), children_of(1, 7), referrers_of(9)}) {
    int visited = 0;
    ASSERT_TRUE(transaction->records(range, [&](const Record& found) {
      EXPECT_TRUE(same(found, record));
      ++visited;
      return true;
    }));
    RecordRange without = range;
    without.fields = RecordRange::Fields::no_text;
    ASSERT_TRUE(transaction->records(without, [&](const Record& found) {
      EXPECT_TRUE(found.id == record.id && found.family == record.family && found.parent == record.parent &&
                  found.organization == record.organization && found.revision == record.revision);
      ++visited;
      return true;
    }));
    without.fields = RecordRange::Fields::place;
    ASSERT_TRUE(transaction->records(without, [&](const Record& found) {
      EXPECT_TRUE(found.id == record.id && found.family == record.family && found.parent == record.parent);
      ++visited;
      return true;
    }));
    EXPECT_EQ(visited, 3);
  }
}

TEST_P(Contract, a_visitor_can_stop) {
  Changes changes = three_hundred_children();
  for (std::uint64_t number = 1; number <= 5; ++number) {
    changes.machines.push_back(machine_of(number, 1));
    changes.events.push_back(event_of(number));
  }
  ASSERT_TRUE(write(changes));
  const auto transaction = reading();
  int visited = 0;
  const auto stop_at_two = [&](const auto&) { return ++visited % 2 != 0; };
  ASSERT_TRUE(transaction->records(children_of(1), stop_at_two));
  EXPECT_EQ(visited, 2);
  ASSERT_TRUE(transaction->machines(machines_of(1), stop_at_two));
  EXPECT_EQ(visited, 4);
  ASSERT_TRUE(transaction->events({.limit = 100}, stop_at_two));
  EXPECT_EQ(visited, 6);
  EXPECT_EQ(ids_of(*transaction, machines_of(1)).size(), 5U);
}

TEST_P(Contract, machines_are_found_by_owner_and_by_activity) {
  Changes changes;
  for (std::uint64_t number = 200; number >= 1; --number) {
    Machine machine = machine_of(number, number % 4, number % 3 == 0 ? 6 : 5);
    machine.active = number % 10 == 0;
    changes.machines.push_back(machine);
  }
  ASSERT_TRUE(write(changes));
  const auto transaction = reading();
  EXPECT_EQ(ids_of(*transaction, machines_of(3)).size(), 50U);
  const std::vector<Id> owned = ids_of(*transaction, machines_of(3));
  EXPECT_TRUE(std::is_sorted(owned.begin(), owned.end()));
  EXPECT_EQ(ids_of(*transaction, machines_of(3, 6)).front(), id_of(3));
  EXPECT_EQ(ids_of(*transaction, active_machines()).size(), 20U);
  EXPECT_EQ(ids_of(*transaction, active_machines(6)), ids_from({30, 60, 90, 120, 150, 180}));

  Machine idle = machine_of(30, 2, 6, 2);
  Changes next = changes_of(std::vector<Machine>{idle});
  next.erasures = {id_of(60)};
  ASSERT_TRUE(write(next));
  EXPECT_EQ(ids_of(*reading(), active_machines(6)), ids_from({90, 120, 150, 180}));
  EXPECT_EQ(ids_of(*transaction, active_machines(6)).size(), 6U);
  EXPECT_FALSE(reading()->machine(id_of(60))->has_value());
}

TEST_P(Contract, what_counts_machines_is_given_the_same_without_their_detail) {
  Changes changes;
  for (std::uint64_t number = 700; number >= 1; --number) {
    Machine machine = machine_of(number, number % 2, number % 3 == 0 ? 6 : 5);
    machine.detail.edit().reason = "no detail";
    machine.state = static_cast<std::uint8_t>(number % 256);
    machine.freshness = static_cast<std::uint8_t>(number % 3);
    machine.plan_flags = 0xFFFF'0000U + static_cast<std::uint32_t>(number);
    changes.machines.push_back(machine);
  }
  ASSERT_TRUE(write(changes));
  for (const FamilyNumber family : std::initializer_list<FamilyNumber>{0, 5, 6, 7}) {
    std::map<Id, Machine> wanted;
    for (const Machine& machine : changes.machines) {
      if (machine.owner == id_of(1) && (family == 0 || machine.family == family)) wanted.emplace(machine.id, machine);
    }
    MachineRange range = machines_of(1, family);
    range.with_detail = false;
    std::size_t visited = 0;
    ASSERT_TRUE(reading()->machines(range, [&](const Machine& machine) {
      const auto found = wanted.find(machine.id);
      EXPECT_NE(found, wanted.end());
      if (found == wanted.end()) return false;
      const Machine& whole = found->second;
      EXPECT_EQ(std::tie(machine.family, machine.state, machine.freshness, machine.plan_flags),
                std::tie(whole.family, whole.state, whole.freshness, whole.plan_flags));
      ++visited;
      return true;
    }));
    EXPECT_EQ(visited, wanted.size()) << family;
    int seen = 0;
    ASSERT_TRUE(reading()->machines(range, [&seen](const Machine&) { return ++seen < 2; }));
    EXPECT_EQ(seen, family == 7 ? 0 : 2);
  }
}

TEST_P(Contract, the_feed_is_read_by_number) {
  for (std::uint64_t commit = 0; commit < 50; ++commit) {
    Changes changes;
    for (std::uint64_t index = 0; index < 3; ++index)
      changes.events.push_back(event_of(commit, std::to_string(commit)));
    changes.events[2].at = Instant{static_cast<std::int64_t>(commit)};
    ASSERT_TRUE(write(changes));
  }
  const auto transaction = reading();
  const std::vector<Event> events = events_of(*transaction);
  ASSERT_EQ(events.size(), 150U);
  for (std::size_t index = 0; index < events.size(); ++index) {
    EXPECT_EQ(events[index].sequence, index + 1);
    EXPECT_EQ(events[index].subject, id_of(index / 3));
  }
  EXPECT_EQ(events_of(*transaction, 148).size(), 2U);
  EXPECT_EQ(events_of(*transaction, 10, 70).front().sequence, 11U);
  EXPECT_EQ(events_of(*transaction, 10, 70).size(), 70U);
  EXPECT_TRUE(events_of(*transaction, 150).empty());
  EXPECT_TRUE(events_of(*transaction, UINT64_MAX).empty());
  EXPECT_EQ(transaction->feed_end()->sequence, 150U);
  EXPECT_EQ(transaction->feed_end()->at, Instant{49});
}

// Twelve events: of organization 7 if their number is even, else of 8; every third has an author.
Changes events_of_two_organizations() {
  Changes changes;
  for (std::uint64_t number = 1; number <= 12; ++number) {
    Event event = event_of(number);
    event.organization = id_of(number % 2 == 0 ? 7 : 8);
    if (number % 3 == 0) event.author = "author " + std::to_string(number);
    changes.events.push_back(event);
  }
  return changes;
}

using Numbers = std::vector<std::uint64_t>;

TEST_P(Contract, the_feed_is_read_from_both_ends) {
  ASSERT_TRUE(write(events_of_two_organizations()));
  const auto transaction = reading();
  EXPECT_EQ(numbers_of(*transaction, {.after = 3, .before = 7}), (Numbers{4, 5, 6}));
  EXPECT_EQ(numbers_of(*transaction, {.after = 3, .before = 7, .limit = 2}), (Numbers{4, 5}));
  EXPECT_EQ(numbers_of(*transaction, {.after = 3, .before = 7, .order = EventRange::Order::newest_first}),
            (Numbers{6, 5, 4}));
  EXPECT_EQ(numbers_of(*transaction, {.before = 7, .order = EventRange::Order::newest_first, .limit = 2}),
            (Numbers{6, 5}));
  EXPECT_EQ(numbers_of(*transaction, {.order = EventRange::Order::newest_first, .limit = 1}), (Numbers{12}));
  EXPECT_TRUE(numbers_of(*transaction, {.after = 6, .before = 7}).empty());
  EXPECT_TRUE(numbers_of(*transaction, {.after = 7, .before = 3}).empty());
  EXPECT_TRUE(numbers_of(*transaction, {.before = 0}).empty());
  EXPECT_TRUE(numbers_of(*transaction, {.after = UINT64_MAX}).empty());
}

TEST_P(Contract, an_organization_has_the_events_that_name_an_author) {
  ASSERT_TRUE(write(events_of_two_organizations()));
  const auto transaction = reading();
  EXPECT_EQ(numbers_of(*transaction, {.organization = id_of(7)}), (Numbers{6, 12}));
  EXPECT_EQ(numbers_of(*transaction, {.organization = id_of(8)}), (Numbers{3, 9}));
  EXPECT_TRUE(numbers_of(*transaction, {.organization = id_of(9)}).empty());
  EXPECT_EQ(numbers_of(*transaction, {.organization = id_of(7), .order = EventRange::Order::newest_first}),
            (Numbers{12, 6}));
  EXPECT_EQ(numbers_of(*transaction, {.organization = id_of(7), .limit = 1}), (Numbers{6}));
  EXPECT_EQ(numbers_of(*transaction, {.after = 6, .organization = id_of(7)}), (Numbers{12}));
  EXPECT_EQ(numbers_of(*transaction, {.before = 12, .organization = id_of(7)}), (Numbers{6}));
}

TEST_P(Contract, the_events_of_an_organization_are_seen_when_they_are_committed) {
  ASSERT_TRUE(write(events_of_two_organizations()));
  const EventRange of_seven = {.organization = id_of(7)};
  {
    auto writer = writing();
    ASSERT_TRUE(writer->apply(events_of_two_organizations()));
    EXPECT_EQ(numbers_of(*writer, of_seven), (Numbers{6, 12, 18, 24}));
    EXPECT_EQ(numbers_of(*reading(), of_seven), (Numbers{6, 12}));
  }
  EXPECT_EQ(numbers_of(*reading(), of_seven), (Numbers{6, 12}));
  const auto early = reading();
  EXPECT_EQ(numbers_of(*early, of_seven).size(), 2U);
  ASSERT_TRUE(write(events_of_two_organizations()));
  EXPECT_EQ(numbers_of(*early, of_seven), (Numbers{6, 12}));
  EXPECT_EQ(numbers_of(*reading(), of_seven), (Numbers{6, 12, 18, 24}));
}

// Twelve events about three subjects; every second belongs to request 5 or 6, the others to none.
Changes events_of_two_requests() {
  Changes changes;
  for (std::uint64_t number = 1; number <= 12; ++number) {
    Event event = event_of(1 + number % 3);
    if (number % 2 == 0) event.request = id_of(number % 4 == 0 ? 5 : 6);
    changes.events.push_back(event);
  }
  changes.events.push_back(Event{});  // without a subject
  return changes;
}

TEST_P(Contract, a_request_and_a_subject_have_their_events) {
  ASSERT_TRUE(write(events_of_two_requests()));
  const auto transaction = reading();
  EXPECT_EQ(numbers_of(*transaction, {.request = id_of(5)}), (Numbers{4, 8, 12}));
  EXPECT_EQ(numbers_of(*transaction, {.request = id_of(6)}), (Numbers{2, 6, 10}));
  EXPECT_EQ(numbers_of(*transaction, {.request = id_of(5), .order = EventRange::Order::newest_first, .limit = 2}),
            (Numbers{12, 8}));
  EXPECT_EQ(numbers_of(*transaction, {.after = 4, .before = 12, .request = id_of(5)}), (Numbers{8}));
  EXPECT_TRUE(numbers_of(*transaction, {.request = id_of(7)}).empty());
  EXPECT_EQ(numbers_of(*transaction, {.subject = id_of(1)}), (Numbers{3, 6, 9, 12}));
  EXPECT_EQ(numbers_of(*transaction, {.after = 3, .subject = id_of(1), .limit = 2}), (Numbers{6, 9}));
  EXPECT_EQ(numbers_of(*transaction, {.before = 9, .subject = id_of(1), .order = EventRange::Order::newest_first}),
            (Numbers{6, 3}));
  EXPECT_TRUE(numbers_of(*transaction, {.subject = id_of(5)}).empty());
}

TEST_P(Contract, the_events_of_a_request_are_seen_when_they_are_committed) {
  const EventRange of_five = {.request = id_of(5)};
  const EventRange of_one = {.subject = id_of(1)};
  {
    auto writer = writing();
    ASSERT_TRUE(writer->apply(events_of_two_requests()));
    EXPECT_EQ(numbers_of(*writer, of_five).size(), 3U);
    EXPECT_TRUE(numbers_of(*reading(), of_five).empty());
  }
  EXPECT_TRUE(numbers_of(*reading(), of_five).empty());
  EXPECT_TRUE(numbers_of(*reading(), of_one).empty());
  ASSERT_TRUE(write(events_of_two_requests()));
  const auto early = reading();
  EXPECT_EQ(numbers_of(*early, of_five), (Numbers{4, 8, 12}));
  ASSERT_TRUE(write(events_of_two_requests()));
  EXPECT_EQ(numbers_of(*early, of_five), (Numbers{4, 8, 12}));
  EXPECT_EQ(numbers_of(*early, of_one).size(), 4U);
  EXPECT_EQ(numbers_of(*reading(), of_five), (Numbers{4, 8, 12, 17, 21, 25}));
}

class Durable : public Contract {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Durable);  // a program may have no durable kind

INSTANTIATE_TEST_SUITE_P(stores, Durable, testing::ValuesIn(durable_kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Durable, what_was_committed_is_there_after_opening_again) {
  RecordWrite written = write_of(record_of(2, 1, 7));
  written.name_key = "acme";
  written.references = {id_of(9)};
  Changes changes = changes_of({written});
  changes.machines = {machine_of(2, 1)};
  changes.machines[0].active = true;
  changes.events = {event_of(2, "{}")};
  ASSERT_TRUE(write(changes));
  reopen();
  const auto transaction = reading();
  EXPECT_TRUE(same(**transaction->record(id_of(2)), written.record));
  EXPECT_TRUE(same(**transaction->machine(id_of(2)), changes.machines[0]));
  EXPECT_EQ(*transaction->find("acme"), id_of(2));
  EXPECT_EQ(ids_of(*transaction, referrers_of(9)).size(), 1U);
  EXPECT_EQ(ids_of(*transaction, active_machines()).size(), 1U);
  EXPECT_TRUE(same(events_of(*transaction).front(), changes.events[0]));
}

}  // namespace
}  // namespace orlop::contract
