// The promises of store.h, one by one.
#include "contract/fixture.h"

namespace orlop::contract {
namespace {

INSTANTIATE_TEST_SUITE_P(stores, Contract, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

Record full_record() {
  Record record = record_of(2, 1, 7);
  record.body = "{\"name\":\"gr\xC3\xBC\xC3\x9F\"}";
  record.secrets = std::string("{\"password\":\"a\0b\"}", 18);
  return record;
}

Machine full_machine() {
  Machine machine = machine_of(2, 1, 65535);
  machine.state = 255;
  machine.origin_state = 3;
  machine.action = 4;
  machine.freshness = 2;
  machine.running = 8;
  machine.step_kind = 5;
  machine.attempt = 65535;
  machine.plan_flags = 0xFFFFFFFF;
  machine.stage_order = -3;
  machine.active = true;
  machine.request = id_of(20);
  machine.stage = id_of(21);
  machine.step = id_of(22);
  machine.step_started_at = Instant{-1};
  machine.deadline = Instant{INT64_MAX};
  machine.changed_at = Instant{1'700'000'000'000};
  machine.last_deployment_at = Instant{5};
  machine.configured = 1ULL << 40;
  machine.deployed = 12;
  machine.planned_flags = 0xFFFFFFFE;
  machine.number = INT32_MIN;
  machine.progress = 1ULL << 41;
  machine.partition = 63;
  machine.configuration = ConfigurationState::overtaken;
  machine.detail.edit().execution_id = "execution";
  machine.detail.edit().triggered_by = "zoe";
  machine.detail.edit().reason = "it \"broke\"";
  machine.detail.edit().outputs = "{}";
  machine.detail.edit().commit = "{\"git_commit_id\":\"a\"}";
  machine.timing.phases = {*PhaseTiming::of(1, 1, 0), *PhaseTiming::of(2, 3, INT64_MAX / 256),
                           *PhaseTiming::of(15, 15, -1)};
  machine.timing.started_at = Instant{0};
  machine.timing.ended_at = Instant{-7};
  machine.timing.canceled_at = Instant{INT64_MAX};
  return machine;
}

// Each optional time of a machine: the start of 1970, and absent.
TEST_P(Contract, a_time_that_is_not_there_is_not_the_start_of_1970) {
  Machine at_zero = machine_of(2, 1);
  for (OptionalInstant* at : {&at_zero.step_started_at, &at_zero.deadline, &at_zero.last_deployment_at})
    *at = Instant{0};
  ASSERT_TRUE(write(changes_of({at_zero, machine_of(3, 1)})));
  const auto transaction = reading();
  const Machine zero = **transaction->machine(id_of(2));
  const Machine none = **transaction->machine(id_of(3));
  EXPECT_TRUE(same(zero, at_zero));
  EXPECT_TRUE(zero.step_started_at && zero.deadline && zero.last_deployment_at);
  EXPECT_FALSE(none.step_started_at || none.deadline || none.last_deployment_at);
}

// A store with internal numbers for ids must discard those of a transaction that was rolled back.
TEST_P(Contract, ids_that_were_rolled_back_may_be_written_in_another_order) {
  {
    const auto transaction = writing();
    ASSERT_TRUE(transaction->apply(changes_of({write_of(record_of(71, 70, 1)), write_of(record_of(72, 70, 1))})));
  }
  ASSERT_TRUE(write(changes_of({write_of(record_of(72, 70, 1))})));
  ASSERT_TRUE(write(changes_of({write_of(record_of(71, 70, 1))})));
  const auto transaction = reading();
  EXPECT_EQ(ids_of(*transaction, children_of(70)), (std::vector<Id>{id_of(71), id_of(72)}));
  for (const std::uint64_t number : {71, 72}) {
    const Result<Shared<Record>> record = transaction->record(id_of(number));
    ASSERT_TRUE(record && record->has_value());
    EXPECT_TRUE(same(**record, record_of(number, 70, 1)));
  }
}

TEST_P(Contract, an_empty_store_has_nothing) {
  const auto transaction = reading();
  EXPECT_FALSE(transaction->record(id_of(1))->has_value());
  EXPECT_FALSE(transaction->machine(id_of(1))->has_value());
  EXPECT_FALSE(transaction->find("acme")->has_value());
  EXPECT_TRUE(ids_of(*transaction, children_of(0)).empty());
  EXPECT_TRUE(ids_of(*transaction, active_machines()).empty());
  EXPECT_TRUE(events_of(*transaction).empty());
  EXPECT_EQ(transaction->feed_end()->sequence, 0U);
}

TEST_P(Contract, keeps_every_field_of_a_record) {
  const Record record = full_record();
  ASSERT_TRUE(write(changes_of({write_of(record)})));
  EXPECT_TRUE(same(**reading()->record(record.id), record));
  Record edited = record;
  edited.revision = 2;
  edited.parent = Id{};
  edited.organization = Id{};
  edited.family = 9;
  edited.body = "";
  edited.secrets = "";
  ASSERT_TRUE(write(changes_of({write_of(edited)})));
  EXPECT_TRUE(same(**reading()->record(record.id), edited));
  EXPECT_EQ(ids_of(*reading(), children_of(0)), (std::vector<Id>{record.id}));
  EXPECT_TRUE(ids_of(*reading(), children_of(1)).empty());
}

TEST_P(Contract, keeps_every_field_of_a_machine) {
  Machine machine = full_machine();
  ASSERT_TRUE(write(changes_of(std::vector<Machine>{machine})));
  EXPECT_TRUE(same(**reading()->machine(machine.id), machine));
  machine = machine_of(2, 5, 6, 2);
  ASSERT_TRUE(write(changes_of(std::vector<Machine>{machine})));
  EXPECT_TRUE(same(**reading()->machine(machine.id), machine));
  EXPECT_TRUE(ids_of(*reading(), machines_of(1)).empty());
  EXPECT_EQ(ids_of(*reading(), machines_of(5)), (std::vector<Id>{machine.id}));
}

TEST_P(Contract, keeps_every_field_of_an_event) {
  Event event;
  event.at = Instant{1'700'000'000'001};
  event.kind = EventKind::freshness_changed;
  event.family = 65535;
  event.from = 254;
  event.to = 255;
  event.subject = id_of(1);
  event.owner = id_of(2);
  event.organization = id_of(3);
  event.request = id_of(4);
  event.revision = 1ULL << 40;
  event.author = "Zo\xC3\xAB";
  event.detail = "{\"line\":\"x\"}";
  Changes changes;
  changes.events = {event, Event{}};
  changes.events[0].sequence = 99;
  ASSERT_TRUE(write(changes));
  const std::vector<Event> events = events_of(*reading());
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(same(events[0], event));
  EXPECT_TRUE(same(events[1], Event{}));
  EXPECT_EQ(events[0].sequence, 1U);
  EXPECT_EQ(events[1].sequence, 2U);
}

TEST_P(Contract, only_a_writer_sees_its_uncommitted_changes) {
  auto writer = writing();
  Changes changes = changes_of({write_of(record_of(1))});
  changes.records[0].name_key = "acme";
  changes.machines = {machine_of(1)};
  changes.events = {event_of(1)};
  ASSERT_TRUE(writer->apply(changes));
  EXPECT_TRUE(writer->record(id_of(1))->has_value());
  EXPECT_EQ(*writer->find("acme"), id_of(1));
  EXPECT_EQ(writer->feed_end()->sequence, 1U);
  EXPECT_EQ(events_of(*writer).size(), 1U);
  EXPECT_EQ(ids_of(*writer, children_of(0)).size(), 1U);

  const auto before = reading();
  const auto expect_nothing = [&] {
    EXPECT_FALSE(before->record(id_of(1))->has_value());
    EXPECT_FALSE(before->machine(id_of(1))->has_value());
    EXPECT_FALSE(before->find("acme")->has_value());
    EXPECT_TRUE(ids_of(*before, children_of(0)).empty());
    EXPECT_TRUE(ids_of(*before, machines_of(0)).empty());
    EXPECT_TRUE(events_of(*before).empty());
    EXPECT_EQ(before->feed_end()->sequence, 0U);
  };
  expect_nothing();
  ASSERT_TRUE(writer->commit());
  expect_nothing();
  EXPECT_TRUE(reading()->record(id_of(1))->has_value());
}

TEST_P(Contract, a_reader_keeps_its_state_through_many_commits) {
  ASSERT_TRUE(write(changes_of({write_of(record_of(1)), write_of(record_of(2, 1))})));
  const auto early = reading();
  EXPECT_TRUE(early->record(id_of(1))->has_value());
  for (std::uint64_t revision = 2; revision < 20; ++revision) {
    ASSERT_TRUE(write(changes_of({write_of(record_of(1, 0, 1, revision))})));
    const auto short_lived = reading();
    EXPECT_EQ((*short_lived->record(id_of(1)))->revision, revision);
  }
  Changes changes;
  changes.erasures = {id_of(2)};
  ASSERT_TRUE(write(changes));
  EXPECT_EQ((*early->record(id_of(1)))->revision, 1U);
  EXPECT_TRUE(early->record(id_of(2))->has_value());
  EXPECT_EQ(ids_of(*early, children_of(1)).size(), 1U);
  EXPECT_TRUE(ids_of(*reading(), children_of(1)).empty());
}

TEST_P(Contract, a_transaction_that_is_destroyed_leaves_nothing) {
  ASSERT_TRUE(write(changes_of({write_of(record_of(1))})));
  {
    auto writer = writing();
    Changes changes = changes_of({write_of(record_of(1, 5, 2, 2)), write_of(record_of(2))});
    changes.machines = {machine_of(2)};
    changes.events = {event_of(1), event_of(2)};
    ASSERT_TRUE(writer->apply(changes));
    Changes more;
    more.erasures = {id_of(1)};
    ASSERT_TRUE(writer->apply(more));
  }
  const auto transaction = reading();
  EXPECT_TRUE(same(**transaction->record(id_of(1)), record_of(1)));
  EXPECT_FALSE(transaction->record(id_of(2))->has_value());
  EXPECT_FALSE(transaction->machine(id_of(2))->has_value());
  EXPECT_EQ(ids_of(*transaction, children_of(0)), (std::vector<Id>{id_of(1)}));
  EXPECT_EQ(transaction->feed_end()->sequence, 0U);
  Changes next;
  next.events = {event_of(3)};
  ASSERT_TRUE(write(next));
  EXPECT_EQ(events_of(*reading()).front().sequence, 1U);
}

TEST_P(Contract, an_ended_transaction_answers_misuse) {
  auto committed = writing();
  ASSERT_TRUE(committed->commit());
  EXPECT_EQ(committed->commit().error().code, ErrorCode::misuse);
  EXPECT_EQ(committed->apply({}).error().code, ErrorCode::misuse);
  EXPECT_EQ(committed->record(id_of(1)).error().code, ErrorCode::misuse);

  auto failed = writing();
  ASSERT_FALSE(failed->apply(changes_of({write_of(record_of(1, 0, 1, 2))})));
  EXPECT_EQ(failed->commit().error().code, ErrorCode::misuse);
  EXPECT_EQ(failed->feed_end().error().code, ErrorCode::misuse);
  EXPECT_TRUE(write(changes_of({write_of(record_of(1))})));

  auto reader = reading();
  EXPECT_EQ(reader->apply({}).error().code, ErrorCode::misuse);
  EXPECT_TRUE(reader->commit());
}

TEST_P(Contract, a_lost_update_is_refused) {
  const auto code_of = [&](const Changes& changes) { return write(changes).error().code; };
  EXPECT_EQ(code_of(changes_of({write_of(record_of(1, 0, 1, 2))})), ErrorCode::lost_update);
  EXPECT_EQ(code_of(changes_of(std::vector<Machine>{machine_of(1, 0, 1, 2)})), ErrorCode::lost_update);
  ASSERT_TRUE(write(changes_of({write_of(record_of(1))})));
  ASSERT_TRUE(write(changes_of(std::vector<Machine>{machine_of(1)})));
  EXPECT_EQ(code_of(changes_of({write_of(record_of(1))})), ErrorCode::lost_update);
  EXPECT_EQ(code_of(changes_of(std::vector<Machine>{machine_of(1)})), ErrorCode::lost_update);
  EXPECT_EQ(code_of(changes_of({write_of(record_of(1, 0, 1, 3))})), ErrorCode::lost_update);
  EXPECT_EQ(code_of(changes_of(std::vector<Machine>{machine_of(1, 0, 1, 3)})), ErrorCode::lost_update);
  EXPECT_TRUE(write(changes_of({write_of(record_of(1, 0, 1, 2)), write_of(record_of(1, 0, 1, 3))})));
  EXPECT_TRUE(write(changes_of(std::vector<Machine>{machine_of(1, 0, 1, 2)})));
}

TEST_P(Contract, a_revision_that_does_not_follow_is_misuse) {
  RecordWrite write_ahead = write_of(record_of(1));
  write_ahead.record.revision = 5;
  EXPECT_EQ(write(changes_of({write_ahead})).error().code, ErrorCode::misuse);
  EXPECT_EQ(write(changes_of(std::vector<Machine>{machine_of(1, 0, 1, 0)})).error().code, ErrorCode::misuse);
}

TEST_P(Contract, a_refused_change_takes_the_whole_transaction_with_it) {
  ASSERT_TRUE(write(changes_of({write_of(record_of(1))})));
  Changes changes = changes_of({write_of(record_of(2)), write_of(record_of(1))});
  changes.events = {event_of(2)};
  EXPECT_FALSE(write(changes));
  EXPECT_FALSE(reading()->record(id_of(2))->has_value());
  EXPECT_EQ(reading()->feed_end()->sequence, 0U);
}

TEST_P(Contract, names_are_unique_and_follow_their_record) {
  const auto named = [](Record record, std::optional<std::string> key) {
    RecordWrite write = write_of(record);
    write.name_key = std::move(key);
    return write;
  };
  ASSERT_TRUE(write(changes_of({named(record_of(1), "acme"), named(record_of(2), "beta"), named(record_of(3), "")})));
  EXPECT_EQ(*reading()->find("acme"), id_of(1));
  EXPECT_FALSE(reading()->find("")->has_value());
  EXPECT_EQ(write(changes_of({named(record_of(4), "acme")})).error().code, ErrorCode::conflict);
  EXPECT_EQ(write(changes_of({named(record_of(2, 0, 1, 2), "acme")})).error().code, ErrorCode::conflict);
  EXPECT_FALSE(reading()->record(id_of(4))->has_value());
  // The name is unchanged by nullopt, then set to the same, to another, and to none.
  ASSERT_TRUE(write(changes_of({named(record_of(1, 0, 1, 2), std::nullopt)})));
  EXPECT_EQ(*reading()->find("acme"), id_of(1));
  ASSERT_TRUE(write(changes_of({named(record_of(1, 0, 1, 3), "acme")})));
  EXPECT_EQ(*reading()->find("acme"), id_of(1));
  ASSERT_TRUE(write(changes_of({named(record_of(1, 0, 1, 4), "gamma"), named(record_of(4), "acme")})));
  EXPECT_EQ(*reading()->find("acme"), id_of(4));
  EXPECT_EQ(*reading()->find("gamma"), id_of(1));
  ASSERT_TRUE(write(changes_of({named(record_of(1, 0, 1, 5), "")})));
  EXPECT_FALSE(reading()->find("gamma")->has_value());
  Changes erasure = changes_of({named(record_of(5), "acme")});
  erasure.erasures = {id_of(4)};
  ASSERT_TRUE(write(erasure));
  EXPECT_EQ(*reading()->find("acme"), id_of(5));
  EXPECT_EQ(*reading()->find("acme", Expected::absent), id_of(5));
  EXPECT_EQ(*writing()->find("acme", Expected::absent), id_of(5));
  EXPECT_FALSE(writing()->find("gamma", Expected::absent)->has_value());
}

TEST_P(Contract, a_lost_update_is_reported_before_a_conflict) {
  RecordWrite first = write_of(record_of(1));
  first.name_key = "acme";
  RecordWrite second = write_of(record_of(2));
  second.name_key = "beta";
  ASSERT_TRUE(write(changes_of({first, second})));
  second.name_key = "acme";
  EXPECT_EQ(write(changes_of({second})).error().code, ErrorCode::lost_update);
}

TEST_P(Contract, references_lead_back_to_their_sources) {
  const auto referring = [](Record record, std::optional<std::vector<Id>> targets) {
    RecordWrite write = write_of(record);
    write.references = std::move(targets);
    return write;
  };
  const RecordRange to_nine = referrers_of(9);
  ASSERT_TRUE(
      write(changes_of({referring(record_of(2, 0, 4), std::vector{id_of(9), id_of(9), id_of(8)}),
                        referring(record_of(1, 0, 5), std::vector{id_of(9)}), referring(record_of(3), std::nullopt)})));
  EXPECT_EQ(ids_of(*reading(), to_nine), (std::vector<Id>{id_of(1), id_of(2)}));
  RecordRange of_family = to_nine;
  of_family.family = 4;
  EXPECT_EQ(ids_of(*reading(), of_family), (std::vector<Id>{id_of(2)}));
  ASSERT_TRUE(write(changes_of({referring(record_of(2, 0, 4, 2), std::nullopt)})));
  EXPECT_EQ(ids_of(*reading(), to_nine).size(), 2U);
  ASSERT_TRUE(write(changes_of({referring(record_of(2, 0, 4, 3), std::vector{id_of(8)})})));
  EXPECT_EQ(ids_of(*reading(), to_nine), (std::vector<Id>{id_of(1)}));
  Changes erasure;
  erasure.erasures = {id_of(1), id_of(77)};
  ASSERT_TRUE(write(erasure));
  EXPECT_TRUE(ids_of(*reading(), to_nine).empty());
  EXPECT_EQ(ids_of(*reading(), referrers_of(8)), (std::vector<Id>{id_of(2)}));
}

TEST_P(Contract, links_decide_by_what_a_record_is_found) {
  RecordWrite written = write_of(record_of(1));
  written.name_key = "acme";
  written.references = {id_of(9), id_of(3), id_of(9)};
  ASSERT_TRUE(write(changes_of({written, write_of(record_of(2))})));
  const auto links_of = [&](std::uint64_t number) { return *reading()->links(id_of(number)); };
  EXPECT_EQ(links_of(1).name_key, "acme");
  EXPECT_EQ(links_of(1).references, (std::vector<Id>{id_of(3), id_of(9)}));
  for (const std::uint64_t number : {2, 77}) {
    EXPECT_EQ(links_of(number).name_key, "");
    EXPECT_TRUE(links_of(number).references.empty());
  }
  ASSERT_TRUE(write(changes_of({write_of(record_of(1, 0, 1, 2))})));
  EXPECT_EQ(links_of(1).name_key, "acme");
  auto ended = reading();
  ASSERT_TRUE(ended->commit());
  EXPECT_EQ(ended->links(id_of(1)).error().code, ErrorCode::misuse);
}

TEST_P(Contract, what_is_restored_keeps_its_revision) {
  Changes changes = changes_of({write_of(record_of(1, 0, 1, 40))});
  changes.records[0].expected_revision = 0;
  changes.machines = {machine_of(1, 0, 1, 50)};
  EXPECT_EQ(write(changes).error().code, ErrorCode::misuse);
  changes.is_restore = true;
  ASSERT_TRUE(write(changes));
  EXPECT_EQ((*reading()->record(id_of(1)))->revision, 40U);
  EXPECT_EQ((*reading()->machine(id_of(1)))->revision, 50U);
  // Later writes follow the usual rules.
  EXPECT_EQ(write(changes_of({write_of(record_of(1, 0, 1, 40))})).error().code, ErrorCode::lost_update);
  ASSERT_TRUE(write(changes_of({write_of(record_of(1, 0, 1, 41))})));
  ASSERT_TRUE(write(changes_of(std::vector<Machine>{machine_of(1, 0, 1, 51)})));
}

TEST_P(Contract, a_restore_replaces_only_what_it_erases) {
  RecordWrite first = write_of(record_of(1));
  first.name_key = "acme";
  first.references = {id_of(9)};
  Changes changes = changes_of({first});
  changes.machines = {machine_of(1)};
  ASSERT_TRUE(write(changes));
  changes.is_restore = true;
  EXPECT_EQ(write(changes).error().code, ErrorCode::lost_update);
  changes.records.clear();
  EXPECT_EQ(write(changes).error().code, ErrorCode::lost_update);
  changes.records = {first};
  changes.records[0].record.revision = 7;
  changes.records[0].record.secrets = "{}";
  changes.erasures = {id_of(1)};
  ASSERT_TRUE(write(changes));
  EXPECT_TRUE(same(**reading()->record(id_of(1)), changes.records[0].record));
  EXPECT_EQ(reading()->links(id_of(1))->name_key, "acme");
  EXPECT_EQ(ids_of(*reading(), referrers_of(9)), (std::vector<Id>{id_of(1)}));
  EXPECT_EQ((*reading()->machine(id_of(1)))->revision, 1U);
  for (const std::uint64_t expected : {1, 6}) {
    changes.records[0].expected_revision = expected;
    EXPECT_EQ(write(changes).error().code, ErrorCode::misuse);
  }
}

}  // namespace
}  // namespace orlop::contract
