#include "contract/fixture.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>

namespace orlop::contract {

std::vector<Kind> durable_kinds() {
  std::vector<Kind> kinds = all_kinds();
  std::erase_if(kinds, [](const Kind& kind) { return !kind.survives_close; });
  return kinds;
}

std::vector<Kind> optimistic_kinds() {
  std::vector<Kind> kinds = all_kinds();
  std::erase_if(kinds, [](const Kind& kind) { return !kind.is_optimistic; });
  return kinds;
}

void Contract::SetUp() {
  static std::atomic<int> count{0};
  folder_ = std::filesystem::temp_directory_path() /
            ("orlop-contract-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
  std::filesystem::remove_all(folder_);  // left by a killed process with the same id
  std::filesystem::create_directories(folder_);
  Result<std::unique_ptr<Store>> opened = GetParam().open(folder_);
  ASSERT_TRUE(opened) << opened.error().message;
  store_ = std::move(*opened);
}

void Contract::TearDown() {
  store_.reset();
  std::filesystem::remove_all(folder_);
}

void Contract::reopen() {
  store_.reset();
  Result<std::unique_ptr<Store>> opened = GetParam().open(folder_);
  ASSERT_TRUE(opened) << opened.error().message;
  store_ = std::move(*opened);
}

std::unique_ptr<Transaction> Contract::reading() {
  Result<std::unique_ptr<Transaction>> begun = store_->begin(Access::read);
  EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
  return begun ? std::move(*begun) : nullptr;
}

std::unique_ptr<Transaction> Contract::writing() {
  Result<std::unique_ptr<Transaction>> begun = store_->begin(Access::write);
  EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
  return begun ? std::move(*begun) : nullptr;
}

Result<void> Contract::write(const Changes& changes) {
  ORLOP_TRY(transaction, store_->begin(Access::write));
  return transaction->apply_and_commit(Changes(changes));
}

Id id_of(std::uint64_t number) {
  Id id;
  for (std::size_t index = 0; index < 8; ++index)
    id.bytes[15 - index] = static_cast<std::uint8_t>(number >> (8 * index));
  return id;
}

Record record_of(std::uint64_t number, std::uint64_t parent, FamilyNumber family, std::uint64_t revision) {
  Record record;
  record.id = id_of(number);
  record.family = family;
  record.parent = id_of(parent);
  record.organization = id_of(1);
  record.revision = revision;
  record.body = "{\"number\":" + std::to_string(number) + ",\"revision\":" + std::to_string(revision) + "}";
  return record;
}

RecordWrite write_of(const Record& record) {
  RecordWrite write;
  write.record = record;
  write.expected_revision = record.revision - 1;
  return write;
}

Machine machine_of(std::uint64_t number, std::uint64_t owner, FamilyNumber family, std::uint64_t revision) {
  Machine machine;
  machine.id = id_of(number);
  machine.owner = id_of(owner);
  machine.family = family;
  machine.revision = revision;
  machine.state = 1;
  return machine;
}

Event event_of(std::uint64_t subject, const std::string& detail) {
  Event event;
  event.at = Instant{1000};
  event.subject = id_of(subject);
  event.detail = detail;
  return event;
}

Changes changes_of(std::vector<RecordWrite> records) {
  Changes changes;
  changes.records = std::move(records);
  return changes;
}

Changes changes_of(std::vector<Machine> machines) {
  Changes changes;
  changes.machines = std::move(machines);
  return changes;
}

RecordRange children_of(std::uint64_t parent, FamilyNumber family, std::uint64_t after, std::size_t limit) {
  return {RecordRange::By::parent, id_of(parent), family, id_of(after), limit, RecordRange::Fields::all};
}

RecordRange referrers_of(std::uint64_t target, FamilyNumber family, std::uint64_t after, std::size_t limit) {
  return {RecordRange::By::reference, id_of(target), family, id_of(after), limit, RecordRange::Fields::all};
}

MachineRange machines_of(std::uint64_t owner, FamilyNumber family) {
  return {MachineRange::By::owner, id_of(owner), family};
}

MachineRange active_machines(FamilyNumber family) { return {MachineRange::By::active, id_of(3), family}; }

std::vector<Id> ids_of(Transaction& transaction, const RecordRange& range) {
  std::vector<Id> ids;
  EXPECT_TRUE(transaction.records(range, [&](const Record& record) {
    ids.push_back(record.id);
    return true;
  }));
  return ids;
}

std::vector<Id> ids_of(Transaction& transaction, const MachineRange& range) {
  std::vector<Id> ids;
  EXPECT_TRUE(transaction.machines(range, [&](const Machine& machine) {
    ids.push_back(machine.id);
    return true;
  }));
  return ids;
}

std::vector<Event> events_of(Transaction& transaction, std::uint64_t after, std::size_t limit) {
  std::vector<Event> events;
  EXPECT_TRUE(transaction.events({.after = after, .limit = limit}, [&](const Event& event) {
    events.push_back(event);
    return true;
  }));
  return events;
}

std::vector<std::uint64_t> numbers_of(Transaction& transaction, const EventRange& range) {
  std::vector<std::uint64_t> numbers;
  EXPECT_TRUE(transaction.events(range, [&](const Event& event) {
    numbers.push_back(event.sequence);
    return true;
  }));
  return numbers;
}

bool same(const Record& a, const Record& b) {
  return a.id == b.id && a.family == b.family && a.parent == b.parent && a.organization == b.organization &&
         a.revision == b.revision && a.body == b.body && a.secrets == b.secrets;
}

bool same(const Machine& a, const Machine& b) {
  return a.id == b.id && a.family == b.family && a.owner == b.owner && a.revision == b.revision && a.state == b.state &&
         a.origin_state == b.origin_state && a.action == b.action && a.freshness == b.freshness &&
         a.running == b.running && a.step_kind == b.step_kind && a.attempt == b.attempt &&
         a.plan_flags == b.plan_flags && a.stage_order == b.stage_order && a.planned_flags == b.planned_flags &&
         a.number == b.number && a.progress == b.progress && a.partition == b.partition &&
         a.configuration == b.configuration && a.active == b.active && a.request == b.request && a.stage == b.stage &&
         a.step == b.step && a.step_started_at == b.step_started_at && a.deadline == b.deadline &&
         a.changed_at == b.changed_at && a.last_deployment_at == b.last_deployment_at && a.configured == b.configured &&
         a.deployed == b.deployed && a.detail == b.detail;
}

bool same(const Event& a, const Event& b) {
  return a.at == b.at && a.kind == b.kind && a.family == b.family && a.from == b.from && a.to == b.to &&
         a.subject == b.subject && a.owner == b.owner && a.organization == b.organization && a.request == b.request &&
         a.revision == b.revision && a.author == b.author && a.detail == b.detail && a.id_count == b.id_count;
}

std::uint64_t seed_of_run() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("ORLOP_SEED");
    const std::uint64_t chosen = given == nullptr ? 20260101 : std::strtoull(given, nullptr, 10);
    std::cout << "ORLOP_SEED=" << chosen << std::endl;
    return chosen;
  }();
  return seed;
}

}  // namespace orlop::contract
